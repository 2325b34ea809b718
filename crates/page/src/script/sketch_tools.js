// The tools of the sketch: how many places each wants, and what it makes of them. A tool is one row.
import { drawLink, drawPlate, addMass, addTrail } from "./sketch_bodies.js";
import { addGears, addRack, addRod, addSlider, addSlot, addWeld, dropPin, guideBody } from "./sketch_joints.js";
import { FORCE_PER_LENGTH, addForce, addMotor, addSpring, addTorque, addTorsionSpring, removeItem } from "./sketch_acts.js";
import { tidy } from "./sketch_geometry.js";
import { sizeOf } from "./sketch_model.js";
import { refused } from "./sketch_gesture.js";
import { itemAt } from "./sketch_select.js";

/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} label
 * @property {string} letter    the key that chooses it
 * @property {string} group     where it stands in the toolbar
 * @property {string} icon      a path in a square of 24 units
 * @property {string[]} says    what to do next, for each place that is wanted
 * @property {(draft: Draft, picks: readonly Pick[]) => number} wants   how many places; a plate wants as many as one likes
 * @property {"line" | "spring" | "arrow" | "polygon" | "guide" | "wheels" | "none"} preview
 * @property {string} [number]  what a typed number means
 * @property {(draft: Draft, picks: readonly Pick[], typed: number | null) => Outcome} act
 */

const two = () => 2;
const one = () => 1;

/** @type {Tool[]} */
export const TOOLS = [
  {
    name: "select", label: "Select and move", letter: "v", group: "edit", preview: "none", wants: one,
    icon: "M6 3l12 9-6 1 4 7-3 1-3-7-4 4z",
    says: ["Click something to see its values, once more for the next thing there; drag a joint or a link to change lengths."],
    act: () => refused(""),
  },
  {
    name: "link", label: "Link", letter: "l", group: "bodies", preview: "line", wants: two, number: "length",
    icon: "M5.5 18.5a2.5 2.5 0 1 0 .1 0zM18.5 8a2.5 2.5 0 1 0-.1 0zM7.5 16.5l9-9",
    says: ["Click where the link begins, or drag from end to end. On an existing joint it is pinned there.", "Click where it ends, or type its length (and angle) and press Enter."],
    act: (draft, [from, to]) => drawLink(draft, from, to),
  },
  {
    name: "plate", label: "Plate with three or more joints", letter: "t", group: "bodies", preview: "polygon", wants: () => Infinity,
    icon: "M5 19h14L10 6zM5 19h.1M19 19h.1M10 6h.1",
    says: ["Click the first corner of the plate.", "Click the second corner.", "Click the next corner; Enter, a double click, or a click on the first one ends it."],
    act: (draft, picks) => drawPlate(draft, picks),
  },
  {
    name: "mass", label: "Mass", letter: "b", group: "bodies", preview: "none", wants: one, number: "mass, kg",
    icon: "M12 7a6.5 6.5 0 1 0 .1 0zM12 4v3M12 11v5M9.5 13.5h5",
    says: ["Click a link to weigh it, its end to fix a mass there, or an empty place for a free mass."],
    act: (draft, [pick], typed) => addMass(draft, pick, typed),
  },
  {
    name: "trail", label: "Trail point", letter: "h", group: "bodies", preview: "none", wants: one,
    icon: "M4 18c4-12 8 4 12-8M18.5 6.5a1.5 1.5 0 1 0 .1 0z",
    says: ["Click a place on a link or a plate: its path will be shown."],
    act: (draft, [pick]) => addTrail(draft, pick),
  },
  {
    name: "pin", label: "Pin, or pivot on the ground", letter: "p", group: "joints", preview: "none", wants: one,
    icon: "M12 4a3 3 0 1 0 .1 0zM12 10l-5 7h10zM4 17h16M6 20l2-3M11 20l2-3M16 20l2-3",
    says: ["Click the end of a link to fix it to the ground with a pivot, or a place where two links cross to pin them together."],
    act: (draft, [pick]) => dropPin(draft, pick),
  },
  {
    name: "slider", label: "Slider on a guide", letter: "s", group: "joints", preview: "guide", number: "direction, degrees",
    icon: "M3 17h18M7 9h10v7H7zM12 12.5h.1",
    wants: (draft, [pick]) => pick && guideBody(draft, pick) !== null ? 1 : 2,
    says: ["Click the point that is to slide: the end of a link, or an empty place.", "Click along the guide; the same place once more makes it level."],
    act: (draft, [pick, to], typed) => addSlider(draft, pick, towards(pick, to, typed)),
  },
  {
    name: "slot", label: "Pin in a slot", letter: "o", group: "joints", preview: "guide", number: "direction, degrees",
    icon: "M7 8h10a4 4 0 0 1 0 8H7a4 4 0 0 1 0-8zM14 10.5a1.5 1.5 0 1 0 .1 0z",
    wants: (draft, [pick]) => pick && guideBody(draft, pick) !== null ? 1 : 2,
    says: ["Click the point of a link that is to run in a slot; where it lies on another link, that one gets the slot.", "Click along the slot; the same place once more makes it level."],
    act: (draft, [pick, to], typed) => addSlot(draft, pick, towards(pick, to, typed)),
  },
  {
    name: "weld", label: "Weld", letter: "w", group: "joints", preview: "none", wants: one,
    icon: "M5 19L12 7l7 12M9 12.2h6L12 7z",
    says: ["Click a pin to make it stiff, a weld to make it a pin again, or a place where two bodies lie on each other."],
    act: (draft, [pick]) => addWeld(draft, pick),
  },
  {
    name: "rod", label: "Massless rod", letter: "d", group: "joints", preview: "line", wants: two, number: "length",
    icon: "M5 19L19 5M5 19h.1M19 5h.1",
    says: ["Click the point where the massless rod begins.", "Click where it ends."],
    act: (draft, [from, to]) => addRod(draft, from, to),
  },
  {
    name: "gears", label: "Pair of gears", letter: "g", group: "joints", preview: "wheels", wants: two, number: "second : first",
    icon: "M8 7a5 5 0 1 0 .1 0zM17.5 8.5a3.5 3.5 0 1 0 .1 0zM8 12h.1M17.5 12h.1",
    says: ["Click the axle of the first gear: an empty place makes a new wheel.", "Click the axle of the second; a number typed before is its size relative to the first."],
    act: (draft, [from, to], typed) => addGears(draft, from, to, typed),
  },
  {
    name: "rack", label: "Rack and pinion", letter: "r", group: "joints", preview: "wheels", wants: two,
    icon: "M12 3a5 5 0 1 0 .1 0zM3 17h2l1-2h3l1 2h4l1-2h3l1 2h2v3H3z",
    says: ["Click the axle of the pinion: an empty place makes a new wheel.", "Click where the rack runs: as far away as the pinion's radius."],
    act: (draft, [from, to]) => addRack(draft, from, to),
  },
  {
    name: "spring", label: "Spring", letter: "k", group: "acts", preview: "spring", wants: two, number: "stiffness, N/m",
    icon: "M3 12h3l1.5-4 3 8 3-8 3 8L18 12h3",
    says: ["Click where the spring begins; an empty place is fixed to the ground.", "Click where it ends; it is at ease as it is drawn."],
    act: (draft, [from, to], typed) => addSpring(draft, from, to, "spring", typed),
  },
  {
    name: "damper", label: "Damper", letter: "c", group: "acts", preview: "spring", wants: two, number: "damping, N s/m",
    icon: "M3 12h5M8 7v10M8 7h9M8 17h9M13 9v6M13 12h8",
    says: ["Click where the damper begins; an empty place is fixed to the ground.", "Click where it ends."],
    act: (draft, [from, to], typed) => addSpring(draft, from, to, "damper", typed),
  },
  {
    name: "torsion", label: "Torsion spring", letter: "u", group: "acts", preview: "none", wants: one, number: "stiffness, N m/rad",
    icon: "M12 12a2 2 0 1 1 2 2 4.5 4.5 0 1 1 2-6 7 7 0 0 1 1 8",
    says: ["Click a pin: the spring holds the two bodies that turn there."],
    act: (draft, [pick], typed) => addTorsionSpring(draft, pick, typed),
  },
  {
    name: "motor", label: "Motor on a joint", letter: "m", group: "acts", preview: "none", wants: one, number: "rpm, or stroke in m",
    icon: "M18.5 8A7.5 7.5 0 1 0 19.5 13M19.5 4v4.5H15M9 15V9.5l3 3.5 3-3.5V15",
    says: ["Click a pin or a slider: the motor prescribes how it moves."],
    act: (draft, [pick], typed) => addMotor(draft, pick, typed),
  },
  {
    name: "force", label: "Force", letter: "f", group: "acts", preview: "arrow", wants: two, number: "size, N",
    icon: "M4 20L19 5M12 5h7v7",
    says: ["Click the point of a body that the force acts at.", `Click where its arrow ends: ${FORCE_PER_LENGTH} N for a metre.`],
    act: (draft, [from, to], typed) => addForce(draft, from, to, typed),
  },
  {
    name: "torque", label: "Torque", letter: "q", group: "acts", preview: "none", wants: one, number: "size, N m",
    icon: "M19 13a7 7 0 1 1-3-6.5M16 2v5h-5",
    says: ["Click the body that the torque acts on."],
    act: (draft, [pick], typed) => addTorque(draft, pick, typed),
  },
  {
    name: "delete", label: "Delete", letter: "x", group: "edit", preview: "none", wants: one,
    icon: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
    says: ["Click what is to be taken out; what cannot be without it goes, too."],
    act: (draft, [pick]) => {
      const item = itemAt(draft, pick);
      return item ? removeItem(draft, item) : refused("There is nothing here to be taken out.");
    },
  },
];

/** @param {string} name */
export function toolNamed(name) {
  return TOOLS.find((tool) => tool.name === name) ?? TOOLS[0];
}

/**
 * What a tool makes of places; those that are as good as round are round.
 * @param {Tool} tool
 * @param {Draft} draft
 * @param {readonly Pick[]} picks
 * @param {number | null} typed
 * @returns {Outcome}
 */
export function useTool(tool, draft, picks, typed) {
  const size = sizeOf(draft.mechanism);
  return tool.act(draft, picks.map((pick) => ({ ...pick, at: tidy(pick.at, size) })), typed);
}

/** A direction that was typed goes before one that was clicked. @param {Pick} pick @param {Pick | undefined} to @param {number | null} typed */
function towards(pick, to, typed) {
  if (typed === null) return to?.at ?? null;
  const angle = typed * Math.PI / 180;
  return /** @type {[number, number]} */ ([pick.at[0] + Math.cos(angle), pick.at[1] + Math.sin(angle)]);
}
