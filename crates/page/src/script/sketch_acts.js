// Gestures for what acts: springs, motors, forces, torques; and for taking things out.
import { distance, minus, principal, tidy, times } from "./sketch_geometry.js";
import { isSection, itemNamed, itemsOf, nameOf, tableOf, textOf, valueOf } from "./text_outline.js";
import { quoted, written, writtenAngle } from "./text_patch.js";
import { angleOf } from "./sketch_model.js";
import { slidBy } from "./sketch_joints.js";
import { copyWords } from "./sketch_bodies.js";
import { Gesture, refused } from "./sketch_gesture.js";

/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */
/** @typedef {import("./sketch_spots.js").Item} Item */
/** @typedef {import("./text_patch.js").Line} Line */

/** What new parts have until somebody says otherwise, SI. */
const DEFAULTS = { stiffness: 100, damping: 10, torsion: 10, torque: 1 };

/** A force is drawn with this many newtons for a metre. */
export const FORCE_PER_LENGTH = 10;

/**
 * A spring or a damper between two points; a spring is at ease as it is drawn.
 * @param {Draft} draft
 * @param {Pick} from
 * @param {Pick} to
 * @param {"spring" | "damper"} kind
 * @param {number | null} typed   stiffness or damping
 * @returns {Outcome}
 */
export function addSpring(draft, from, to, kind, typed) {
  const length = distance(from.at, to.at);
  if (length < 1e-9) return refused(`A ${kind} needs two different ends.`);
  const gesture = new Gesture(draft);
  const [first, second] = [gesture.attachOrGround(from), gesture.attachOrGround(to)];
  if (first.body === second.body) return refused(`Both ends of the ${kind} are on ${first.body === null ? "the ground" : "the same body"}: it could not stretch.`);
  const name = gesture.name(kind);
  const lines = kind === "spring"
    ? /** @type {Line[]} */ ([["stiffness", written(typed ?? DEFAULTS.stiffness), "N/m"], ["length", written(length), "at ease as it was drawn"]])
    : /** @type {Line[]} */ ([["stiffness", "0", "a damper alone"], ["damping", written(typed ?? DEFAULTS.damping), "N s/m"]]);
  gesture.patch.add("spring", [["name", quoted(name)], ["between", `[${first.reference}, ${second.reference}]`], ...lines]);
  return gesture.done(`add ${name}`, { section: "spring", name });
}

/**
 * The joint at a place that a tool wants, one on the ground first.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {readonly string[]} types
 */
function jointAt({ mechanism }, pick, types) {
  const found = (pick.spot?.joints ?? []).filter((at) => types.includes(mechanism.joints[at].type));
  const driven = new Set(mechanism.motors.map((motor) => motor.joint));
  const open = found.filter((at) => !driven.has(at));
  const onGround = open.find((at) => mechanism.joints[at].ends.some((end) => end.body === null));
  return onGround ?? open[0] ?? null;
}

/** @param {Draft} draft @param {number | null} body */
function bodyName({ mechanism }, body) {
  return quoted(body === null ? "ground" : mechanism.bodies[body].name);
}

/** @param {Draft} draft @param {Pick} pick @param {number | null} typed @returns {Outcome} */
export function addTorsionSpring(draft, pick, typed) {
  const at = jointAt(draft, pick, ["revolute"]);
  if (at === null) return refused("Click a pin: the torsion spring holds the two bodies that turn there.");
  const [first, second] = draft.mechanism.joints[at].ends.map((end) => end.body);
  const gesture = new Gesture(draft);
  const name = gesture.name("coil");
  const angle = principal(angleOf(draft.mechanism, second) - angleOf(draft.mechanism, first));
  gesture.patch.add("torsion-spring", [
    ["name", quoted(name)],
    ["between", `[${bodyName(draft, first)}, ${bodyName(draft, second)}]`],
    ["stiffness", written(typed ?? DEFAULTS.torsion), "N m/rad"],
    ["angle", writtenAngle(angle), "at ease as it was drawn"],
  ]);
  return gesture.done(`add ${name}`, { section: "torsion-spring", name });
}

/**
 * Drives a joint evenly from where it is drawn.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {number | null} typed   rpm, or m of a stroke
 * @returns {Outcome}
 */
export function addMotor(draft, pick, typed) {
  const { mechanism } = draft;
  const at = jointAt(draft, pick, ["revolute"]) ?? jointAt(draft, pick, ["prismatic"]);
  if (at === null) return refused("Click a pin or a slider that has no motor yet: the motor drives that joint.");
  const joint = mechanism.joints[at];
  const gesture = new Gesture(draft);
  const name = gesture.name("motor");
  const start = principal(angleOf(mechanism, joint.ends[1].body) - angleOf(mechanism, joint.ends[0].body));
  // the start is found to a few digits only: what is as good as round is round
  const [angle] = tidy([start * 180 / Math.PI, 0], 10);
  const [degrees, slid] = [angle, tidy([slidBy(draft, joint), 0], gesture.size)[0]].map(written);
  const law = joint.type === "revolute"
    ? /** @type {Line} */ (["angle", quoted(`${degrees === "0" ? "" : `${degrees} deg + `}${written(typed ?? 30)} rpm*t`)])
    : /** @type {Line} */ (["position", quoted(`${slid === "0" ? "" : `${slid} + `}${written(typed ?? 0.1)}*sin(2*pi*t)`)]);
  gesture.patch.add("motor", [["name", quoted(name)], ["joint", quoted(joint.name)], law]);
  return gesture.done(`add ${name} at ${joint.name}`, { section: "motor", name });
}

/** @param {Draft} draft @param {Pick} from @param {Pick} to @param {number | null} typed @returns {Outcome} */
export function addForce(draft, from, to, typed) {
  const apart = minus(to.at, from.at), length = Math.hypot(...apart);
  if (length < 1e-9) return refused("Click the point the force acts at, then where its arrow ends.");
  const gesture = new Gesture(draft);
  const point = gesture.attachBody(from);
  if (!point || point.body === null) return refused("A force acts on a body: begin at a link, a plate or a mass.");
  const [x, y] = times(typed === null ? FORCE_PER_LENGTH : typed / length, apart);
  const name = gesture.name("force");
  gesture.patch.add("force", [["name", quoted(name)], ["on", point.reference], ["x", written(x), "N"], ["y", written(y)]]);
  return gesture.done(`add ${name}`, { section: "force", name });
}

/** @param {Draft} draft @param {Pick} pick @param {number | null} typed @returns {Outcome} */
export function addTorque(draft, pick, typed) {
  const body = pick.spot?.nodes.find((node) => node.body !== null)?.body ?? pick.bodies[0];
  if (body === undefined || body === null) return refused("A torque acts on a body: click a link, a plate or a wheel.");
  const gesture = new Gesture(draft);
  const name = gesture.name("torque");
  gesture.patch.add("torque", [["name", quoted(name)], ["on", bodyName(draft, body)], ["value", written(typed ?? DEFAULTS.torque), "N m, counter-clockwise"]]);
  return gesture.done(`add ${name}`, { section: "torque", name });
}

/**
 * Takes something out, with all that cannot be without it.
 * @param {Draft} draft
 * @param {Item} item
 * @returns {Outcome}
 */
export function removeItem(draft, item) {
  const gesture = new Gesture(draft);
  const { outline } = draft;
  if (item.section === "ground") {
    const ground = tableOf(outline, "ground");
    if (!ground) return refused("The text has no such point.");
    gesture.patch.removePoint(ground, item.name);
    removeUsers(gesture, (end) => end === `ground.${item.name}`);
    return gesture.done(`delete the ground point ${item.name}`);
  }
  const section = itemNamed(outline, item.section, item.name);
  if (!section) return { ...refused(copyWords(draft, item)), select: item };
  gesture.patch.remove(section);
  if (item.section === "body") {
    removeUsers(gesture, (end) => end.split(".")[0].trim() === item.name);
    for (const table of ["initial", "guess"]) removeStarts(gesture, table, item.name);
  }
  if (item.section === "joint") removeMotors(gesture, new Set([item.name]));
  removeLooseGround(gesture);
  return gesture.done(`delete ${item.name}`);
}

/**
 * Takes out the joints and elements that have such an end, and the motors of these joints.
 * @param {Gesture} gesture
 * @param {(end: string) => boolean} uses
 */
function removeUsers(gesture, uses) {
  const { outline } = gesture.draft;
  /** @type {Set<string>} */
  const joints = new Set();
  for (const section of ["joint", "spring", "torsion-spring", "force", "torque"]) {
    itemsOf(outline, section).forEach((item, at) => {
      const ends = [...(valueOf(item, "between")?.items ?? []), valueOf(item, "on"), valueOf(item, "from"), valueOf(item, "carrier")];
      if (!ends.some((end) => typeof end?.json === "string" && uses(end.json))) return;
      gesture.patch.remove(item);
      if (section === "joint") joints.add(nameOf(item, at));
    });
  }
  removeMotors(gesture, joints);
}

/** @param {Gesture} gesture @param {Set<string>} joints */
function removeMotors(gesture, joints) {
  for (const motor of itemsOf(gesture.draft.outline, "motor")) {
    if (joints.has(textOf(motor, "joint") ?? "")) gesture.patch.remove(motor);
  }
}

/** Values at the start that belong to a body. @param {Gesture} gesture @param {string} table @param {string} body */
function removeStarts(gesture, table, body) {
  const section = tableOf(gesture.draft.outline, table);
  const own = section?.keys.filter(({ key }) => ["x", "y", "angle"].some((name) => key.replace(/'+$/, "") === `${body}_${name}`)) ?? [];
  if (!section || own.length === 0) return;
  if (own.length === section.keys.length) gesture.patch.remove(section);
  else for (const { key } of own) gesture.patch.unset(section, key);
}

/** Points of the ground that were held by what goes away, and by nothing else. @param {Gesture} gesture */
function removeLooseGround(gesture) {
  const { outline } = gesture.draft;
  const ground = tableOf(outline, "ground");
  if (!ground) return;
  const used = { before: new Set(), after: new Set() };
  for (const entry of outline.filter(isSection)) {
    for (const end of [...(valueOf(entry, "between")?.items ?? []), valueOf(entry, "on")]) {
      const name = typeof end?.json === "string" && end.json.startsWith("ground.") ? end.json.slice(7).trim() : null;
      if (name === null) continue;
      used.before.add(name);
      if (!gesture.patch.removed.has(entry)) used.after.add(name);
    }
  }
  for (const name of used.before) if (!used.after.has(name)) gesture.patch.removePoint(ground, /** @type {string} */ (name));
  const points = valueOf(ground, "points")?.keys ?? [];
  if (points.length > 0 && points.every((key) => gesture.patch.removed.has(key)) && ground.keys.length === 1) gesture.patch.remove(ground);
}
