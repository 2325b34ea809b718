// Gestures that draw bodies: links, plates, masses.
import { MASS_PER_LENGTH, direction, distance, dot, frameInertia, middle, minus, plus, turned, unit } from "./sketch_geometry.js";
import { numberOf, repeated, valueOf } from "./text_outline.js";
import { quoted, written, writtenPair } from "./text_patch.js";
import { Gesture, refused } from "./sketch_gesture.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */
/** @typedef {import("./sketch_gesture.js").Attachment} Attachment */
/** @typedef {import("./text_patch.js").Line} Line */
/** @typedef {import("./text_outline.js").OutlineSection} OutlineSection */

/** A point mass is a ball of 1 kg with a radius of 5 cm: something without inertia could not turn. */
const BALL = { mass: 1, inertia: 0.001 };

/** Behind the mass of a link that nobody has weighed: as long as this stands there the mass goes with the length. */
const RULE = ", 1 kg/m";

/** Where the rule of a link's mass stands in the text; null where somebody has weighed it. @param {string} text @param {OutlineSection} item */
export function massRule(text, item) {
  const mass = valueOf(item, "mass");
  const weight = MASS_PER_LENGTH * (numberOf(item, "length") ?? NaN);
  if (typeof mass?.json !== "number" || !(Math.abs(mass.json - weight) <= 1e-4 * weight)) return null;
  const from = text.indexOf(RULE, mass.to);
  return from >= 0 && !text.slice(mass.to, from).includes("\n") ? { from, to: from + RULE.length } : null;
}

/** A link that nobody has weighed weighs as much as its length says. @param {Gesture} gesture @param {OutlineSection} item @param {number} length */
export function weighByLength({ patch }, item, length) {
  if (massRule(patch.text, item)) patch.setNumber(item, "mass", MASS_PER_LENGTH * length);
}

/** Somebody weighs a link: its mass goes with the length no longer. @param {Gesture} gesture @param {OutlineSection} item */
export function dropMassRule({ patch }, item) {
  const rule = massRule(patch.text, item);
  if (rule) patch.edits.push({ ...rule, text: "" });
}

/** Shorter than this nothing is drawn, m. */
const MIN_LENGTH = 1e-9;

/**
 * A uniform rod from one place to another, pinned to what is there.
 * @param {Draft} draft
 * @param {Pick} from
 * @param {Pick} to
 * @returns {Outcome}
 */
export function drawLink(draft, from, to) {
  const length = distance(from.at, to.at);
  if (length < MIN_LENGTH) return refused("A link needs two different ends.");
  const gesture = new Gesture(draft);
  const [first, second] = [from, to].map((pick) => gesture.attach(pick));
  const link = gesture.body("link", [
    ["mass", written(MASS_PER_LENGTH * length), `kg${RULE}`],
    ["length", written(length)],
    gesture.angleLine(direction(from.at, to.at)),
  ], middle(from.at, to.at));
  const end = (/** @type {string} */ point) => ({ reference: quoted(`${link.name}.${point}`), body: link.index });
  if (first) gesture.joint("revolute", first, end("A"));
  if (second) gesture.joint("revolute", second, end("B"));
  return gesture.done(`draw ${link.name}`, { section: "body", name: link.name });
}

/**
 * A rigid plate through three and more places, as a frame of rods along its edges; on one line it is a rod with more points.
 * @param {Draft} draft
 * @param {readonly Pick[]} picks
 * @returns {Outcome}
 */
export function drawPlate(draft, picks) {
  const places = picks.map((pick) => pick.at);
  if (places.length < 2) return refused("A plate needs three points.");
  if (places.length === 2) return drawLink(draft, picks[0], picks[1]);
  const gesture = new Gesture(draft);
  const attached = picks.map((pick) => gesture.attach(pick));
  const angle = direction(places[0], places[1]);
  const own = places.map((at) => turned(minus(at, places[0]), -angle));
  const size = Math.max(...own.map((at) => Math.hypot(...at)));
  const isStraight = own.every((at) => Math.abs(at[1]) <= 1e-6 * size);
  const plate = isStraight ? straightLink(gesture, places, own, angle) : frame(gesture, places, own, angle);
  attached.forEach((end, at) => {
    if (end) gesture.joint("revolute", end, { reference: quoted(`${plate.name}.${plate.names[at]}`), body: plate.index });
  });
  return gesture.done(`draw ${plate.name}`, { section: "body", name: plate.name });
}

/** @param {Gesture} gesture @param {Vector[]} places @param {Vector[]} own @param {number} angle */
function frame(gesture, places, own, angle) {
  const names = own.map((_, at) => at < 26 ? String.fromCharCode(65 + at) : `P${at}`);
  const { mass, centre, inertia } = frameInertia(own);
  const points = own.map((at, i) => `${names[i]} = ${writtenPair(at)}`).join(", ");
  const body = gesture.body("plate", [
    ["mass", written(mass), "kg, edges of 1 kg/m"],
    ["inertia", written(inertia)],
    ["centre", writtenPair(centre)],
    ["points", `{ ${points} }`],
    gesture.angleLine(angle),
  ], plus(places[0], turned(centre, angle)));
  return { ...body, names };
}

/** @param {Gesture} gesture @param {Vector[]} places @param {Vector[]} own @param {number} angle */
function straightLink(gesture, places, own, angle) {
  const order = own.map((_, at) => at).sort((a, b) => own[a][0] - own[b][0]);
  const [first, last] = [order[0], order[order.length - 1]];
  const length = own[last][0] - own[first][0];
  /** @type {string[]} */
  const names = [];
  order.forEach((at, rank) => { names[at] = at === first ? "A" : at === last ? "B" : "PQRSTUVW"[rank - 1] ?? `P${rank}`; });
  const between = order.slice(1, -1).map((at) => `${names[at]} = ${writtenPair([own[at][0] - own[first][0], 0])}`).join(", ");
  const body = gesture.body("link", [
    ["mass", written(MASS_PER_LENGTH * length), `kg${RULE}`],
    ["length", written(length)],
    ["points", `{ ${between} }`],
    gesture.angleLine(angle),
  ], middle(places[first], places[last]));
  return { ...body, names };
}

/**
 * A point mass that flies freely, or one that is fixed to the point of a body.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {number | null} typed   kg
 * @returns {Outcome}
 */
export function addMass(draft, pick, typed) {
  const gesture = new Gesture(draft);
  const node = pick.spot?.nodes.find((other) => other.body !== null);
  if (!node && pick.bodies.length > 0) return weigh(draft, pick.bodies[0], typed);
  const mass = typed ?? BALL.mass;
  /** @type {Line[]} */
  const lines = [["mass", written(mass)], ["inertia", written(BALL.inertia * mass), "kg m^2: it must be able to turn"]];
  const isFixed = pick.spot?.nodes.some((other) => other.body === null);
  if (isFixed) return refused("A mass on the ground cannot move: click the end of a link, a link, or an empty place.");
  const ball = gesture.body("mass", node ? lines : [...lines, ["free", "true"]], pick.at);
  if (node) gesture.joint("weld", gesture.nodeEnd(node), { reference: quoted(ball.name), body: ball.index });
  return gesture.done(`add ${ball.name}`, { section: "body", name: ball.name });
}

/** Gives a body a mass. @param {Draft} draft @param {number} body @param {number | null} typed @returns {Outcome} */
function weigh(draft, body, typed) {
  const gesture = new Gesture(draft);
  const { name } = draft.mechanism.bodies[body];
  const select = { section: "body", name };
  const item = gesture.item(body);
  if (typed === null || !item) return { label: `mass of ${name}`, select, focus: "mass" };
  if (!gesture.patch.setNumber(item, "mass", typed)) return { ...refused(`The mass of ${name} is a formula: change it in its field or in the text.`), select, focus: "mass" };
  dropMassRule(gesture, item);
  return gesture.done(`mass of ${name}`, select);
}

/**
 * A named point of a body; one that nothing is fastened to leaves a trail.
 * @param {Draft} draft
 * @param {Pick} pick
 * @returns {Outcome}
 */
export function addTrail(draft, pick) {
  const node = pick.spot?.nodes.find((other) => other.body !== null);
  if (node) return refused("There is a point already; points that nothing is fastened to leave a trail by themselves.");
  if (pick.bodies.length === 0) return refused("Click a place on a link or a plate: its path will be shown.");
  const gesture = new Gesture(draft);
  const point = gesture.bodyPoint(pick.bodies[0], pick.at);
  if (!point) return isCopy(draft, pick.bodies[0]);
  return gesture.done(`trail of ${JSON.parse(point.reference)}`, { section: "body", name: draft.mechanism.bodies[pick.bodies[0]].name });
}

/** @param {Draft} draft @param {number} body @returns {Outcome} */
export function isCopy(draft, body) {
  const item = { section: "body", name: draft.mechanism.bodies[body].name };
  return { ...refused(copyWords(draft, item)), select: item };
}

/** What is said of a copy: it has no place of its own in the text. @param {Draft} draft @param {import("./sketch_spots.js").Item} item */
export function copyWords({ outline, text }, { section, name }) {
  const maker = repeated(outline, section, name);
  const line = maker ? `, line ${text.slice(0, maker.heading.from).split("\n").length}` : "";
  return `${name} is one of several copies that the text makes with \`repeat\`${line}: change it there, and all of them follow.`;
}

/**
 * The direction of a bar of a body in the body's own axes.
 * @param {Draft} draft
 * @param {number} body
 * @param {number} angle   in the world
 * @returns {Vector}
 */
export function ownAxis(draft, body, angle) {
  const own = unit(turned([1, 0], angle - draft.mechanism.bodies[body].pose[2]));
  return dot(own, [1, 0]) < 0 && Math.abs(own[1]) < 1e-9 ? [1, 0] : own;
}
