// Gestures that tie bodies: pins, guides, slots, welds, rods, gears and racks.
import { across, direction, distance, dot, minus, principal, turned, unit } from "./sketch_geometry.js";
import { itemNamed } from "./text_outline.js";
import { quoted, written, writtenAngle, writtenPair } from "./text_patch.js";
import { angleOf, placeOf } from "./sketch_model.js";
import { barAngle } from "./sketch_spots.js";
import { copyWords, isCopy, ownAxis } from "./sketch_bodies.js";
import { Gesture, refused } from "./sketch_gesture.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */
/** @typedef {import("./sketch_gesture.js").Attachment} Attachment */
/** @typedef {import("./text_patch.js").Line} Line */

/** A block in a guide. */
const BLOCK = { mass: 1, inertia: 0.01 };

/**
 * Bodies at a place that no pin ties together there: those of the spot count as one.
 * @param {Pick} pick
 * @returns {number[]}
 */
function others(pick) {
  const tied = new Set(pick.spot?.nodes.map((node) => node.body) ?? []);
  return pick.bodies.filter((body) => !tied.has(body));
}

/**
 * A pin: between two bodies that lie on each other, between a body and the ground, or a support on the ground.
 * @param {Draft} draft
 * @param {Pick} pick
 * @returns {Outcome}
 */
export function dropPin(draft, pick) {
  const gesture = new Gesture(draft);
  const rest = others(pick);
  const isGround = pick.spot?.nodes.some((node) => node.body === null) ?? false;
  const crossing = pick.spot ? rest[0] : rest[1];
  if (crossing !== undefined && !isGround) {
    const [first, second] = [gesture.attach(pick), gesture.bodyPoint(crossing, pick.at)];
    if (!first || !second) return isCopy(draft, crossing);
    const name = gesture.joint("revolute", first, second);
    return gesture.done(`pin ${name}`, { section: "joint", name });
  }
  const body = isGround ? null : gesture.attachBody(pick);
  if (body) {
    const name = gesture.letter();
    gesture.joint("revolute", gesture.groundPoint(pick.at, name), body, [], name);
    return gesture.done(`pin ${name} to the ground`, { section: "joint", name });
  }
  if (isGround && rest.length > 0 && pick.spot) {
    const point = gesture.bodyPoint(rest[0], pick.at);
    if (!point) return isCopy(draft, rest[0]);
    const name = gesture.joint("revolute", gesture.spotEnd(pick.spot), point);
    return gesture.done(`pin ${name} to the ground`, { section: "joint", name });
  }
  if (isGround) return refused("This point is fixed to the ground already.");
  const name = gesture.letter();
  gesture.groundPoint(pick.at, name);
  return gesture.done(`ground point ${name}`, { section: "ground", name });
}

/**
 * The body on whose bar a place lies, if it is another one than that of the point there: then the bar is the guide.
 * @param {Draft} draft
 * @param {Pick} pick
 * @returns {number | null}
 */
export function guideBody(draft, pick) {
  const rest = others(pick).filter((body) => barAngle(draft.mechanism, body) !== null);
  return (pick.spot || rest.length > 1 ? rest[0] : undefined) ?? null;
}

/**
 * The line of a guide: on the bar of a body, or on the ground in the direction of a second place.
 * @param {Gesture} gesture
 * @param {Pick} pick
 * @param {Vector | null} towards
 * @returns {{ end: Attachment, axis: Vector }}
 */
function guide(gesture, pick, towards) {
  const { draft } = gesture;
  const body = guideBody(draft, pick);
  if (body !== null) {
    const angle = barAngle(draft.mechanism, body) ?? 0;
    const { name, points } = draft.mechanism.bodies[body];
    const end = { reference: quoted(points.length ? `${name}.${points[0].name}` : name), body };
    return { end, axis: ownAxis(draft, body, angle) };
  }
  const angle = towards && distance(towards, pick.at) > 1e-9 ? direction(pick.at, towards) : 0;
  const ground = pick.spot?.nodes.find((node) => node.body === null);
  return { end: ground ? gesture.nodeEnd(ground) : gesture.groundPoint(pick.at), axis: turned([1, 0], angle) };
}

/**
 * What runs along a guide: the point of a body, a new one of the body below, or a point of the ground where a bar is the guide.
 * @param {Gesture} gesture
 * @param {Pick} pick
 * @param {number | null} onBar
 * @returns {Attachment | null}
 */
function slidingPoint(gesture, pick, onBar) {
  const node = pick.spot?.nodes.find((other) => other.body !== null);
  if (node) return gesture.nodeEnd(node);
  if (pick.spot) return onBar === null ? null : gesture.spotEnd(pick.spot);
  const body = pick.bodies.find((other) => other !== onBar);
  return body === undefined ? null : gesture.bodyPoint(body, pick.at);
}

/**
 * A block that slides on the ground or along a bar, pinned to the point that was clicked.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {Vector | null} towards
 * @returns {Outcome}
 */
export function addSlider(draft, pick, towards) {
  const gesture = new Gesture(draft);
  const onBar = guideBody(draft, pick);
  const { end, axis } = guide(gesture, pick, towards);
  const angle = onBar === null ? [] : [gesture.angleLine(angleOf(draft.mechanism, onBar))];
  const block = gesture.body("slider", [["mass", written(BLOCK.mass)], ["inertia", written(BLOCK.inertia)], ...angle], pick.at);
  const its = { reference: quoted(block.name), body: block.index };
  gesture.joint("prismatic", end, its, [["axis", writtenPair(axis)]], gesture.name("guide"));
  const pinned = slidingPoint(gesture, pick, onBar);
  if (pinned) gesture.joint("revolute", pinned, its);
  return gesture.done(`add ${block.name}`, { section: "body", name: block.name });
}

/**
 * A point that runs in a slot of the ground or of another body.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {Vector | null} towards
 * @returns {Outcome}
 */
export function addSlot(draft, pick, towards) {
  const gesture = new Gesture(draft);
  const point = slidingPoint(gesture, pick, guideBody(draft, pick));
  if (!point) return refused("Click the point of a link that is to run in the slot.");
  const { end, axis } = guide(gesture, pick, towards);
  const name = gesture.joint("pin-in-slot", end, point, [["axis", writtenPair(axis)]], gesture.name("slot"));
  return gesture.done(`add ${name}`, { section: "joint", name });
}

/**
 * Makes a pin stiff and a weld a pin, or welds bodies that lie on each other.
 * @param {Draft} draft
 * @param {Pick} pick
 * @returns {Outcome}
 */
export function addWeld(draft, pick) {
  const gesture = new Gesture(draft);
  const { mechanism } = draft;
  const pin = pick.spot?.joints.map((at) => mechanism.joints[at]).find((joint) => joint.type === "revolute");
  if (pin) {
    const item = itemNamed(draft.outline, "joint", pin.name);
    if (!item) return refused(copyWords(draft, { section: "joint", name: pin.name }));
    const held = principal(angleOf(mechanism, pin.ends[1].body) - angleOf(mechanism, pin.ends[0].body));
    gesture.patch.set(item, "type", quoted("weld"));
    gesture.patch.set(item, "angle", writtenAngle(held));
    gesture.patch.unset(item, "friction");
    for (const motor of mechanism.motors.filter((other) => mechanism.joints[other.joint] === pin)) {
      const driven = itemNamed(draft.outline, "motor", motor.name);
      if (driven) gesture.patch.remove(driven);
    }
    return gesture.done(`weld ${pin.name}`, { section: "joint", name: pin.name });
  }
  const weld = pick.spot?.joints.map((at) => mechanism.joints[at]).find((joint) => joint.type === "weld");
  const welded = weld && itemNamed(draft.outline, "joint", weld.name);
  if (weld && welded) {
    gesture.patch.set(welded, "type", quoted("revolute"));
    gesture.patch.unset(welded, "angle");
    return gesture.done(`make ${weld.name} a pin`, { section: "joint", name: weld.name });
  }
  const rest = others(pick);
  const [first, second] = pick.spot ? [gesture.spotEnd(pick.spot), rest.length ? gesture.bodyPoint(rest[0], pick.at) : null]
    : rest.slice(0, 2).map((body) => gesture.bodyPoint(body, pick.at));
  if (!first) return refused("Click a pin to make it stiff, or a place where two bodies lie on each other.");
  const [a, b] = second ? [first, second] : [gesture.groundPoint(pick.at), first];
  if (b.body === null) return refused("This point of the ground has nothing to be welded to.");
  const held = principal(angleOf(mechanism, b.body) - angleOf(mechanism, a.body));
  const name = gesture.joint("weld", a, b, [["angle", writtenAngle(held)]]);
  return gesture.done(`weld ${name}`, { section: "joint", name });
}

/**
 * A rod without mass between two points.
 * @param {Draft} draft
 * @param {Pick} from
 * @param {Pick} to
 * @returns {Outcome}
 */
export function addRod(draft, from, to) {
  const length = distance(from.at, to.at);
  if (length < 1e-9) return refused("A rod needs two different ends.");
  const gesture = new Gesture(draft);
  const [first, second] = [gesture.attachOrGround(from), gesture.attachOrGround(to)];
  if (first.body === second.body) return refused(`Both ends of the rod are on ${first.body === null ? "the ground" : "the same body"}: it would hold nothing.`);
  const name = gesture.joint("distance", first, second, [["length", written(length)]], gesture.name("rod"));
  return gesture.done(`add ${name}`, { section: "joint", name });
}

/**
 * A wheel at a place: the body that is pinned there, or a new one with a pin on the ground.
 * @param {Gesture} gesture
 * @param {Pick} pick
 * @param {number} radius
 * @returns {{ end: Attachment, angle: number } | null}
 */
function wheel(gesture, pick, radius) {
  const known = gesture.attachBody(pick);
  if (known && known.body !== null) return { end: known, angle: angleOf(gesture.mechanism, known.body) };
  const axle = pick.spot ? gesture.spotEnd(pick.spot) : gesture.groundPoint(pick.at);
  const mass = Math.PI * radius ** 2 * 10;
  const body = gesture.body("wheel", [
    ["mass", written(mass), "kg, a disc of 10 kg/m^2"],
    ["inertia", written(mass * radius ** 2 / 2)],
    ["angle", "0"],
  ], pick.at);
  const end = { reference: quoted(body.name), body: body.index };
  gesture.joint("revolute", axle, end);
  return { end, angle: 0 };
}

/**
 * Two wheels that mesh.
 * @param {Draft} draft
 * @param {Pick} from
 * @param {Pick} to
 * @param {number | null} typed   how many times as large the second is
 * @returns {Outcome}
 */
export function addGears(draft, from, to, typed) {
  const apart = distance(from.at, to.at);
  if (apart < 1e-9) return refused("The axles of two gears are in different places.");
  const size = typed ?? 1;
  const gesture = new Gesture(draft);
  const [first, second] = [wheel(gesture, from, apart / (1 + size)), wheel(gesture, to, apart * size / (1 + size))];
  if (!first || !second || first.end.body === second.end.body) return refused("Both axles are on the same body: gears need two.");
  const ratio = -1 / size;
  const offset = second.angle - ratio * first.angle;
  const lines = /** @type {Line[]} */ ([["ratio", written(ratio), "turns of the second for one of the first"]]);
  if (Math.abs(offset) > 1e-9) lines.push(["offset", written(offset)]);
  const name = gesture.joint("gear", first.end, second.end, lines, gesture.name("mesh"));
  return gesture.done(`add ${name}`, { section: "joint", name });
}

/**
 * A rack that meshes with a wheel, guided on the ground.
 * @param {Draft} draft
 * @param {Pick} from   the axle of the pinion
 * @param {Pick} to     where the rack runs
 * @returns {Outcome}
 */
export function addRack(draft, from, to) {
  const radius = distance(from.at, to.at);
  if (radius < 1e-9) return refused("Click the axle of the pinion, then a place where the rack runs.");
  const gesture = new Gesture(draft);
  const pinion = wheel(gesture, from, radius);
  if (!pinion) return refused("Click the axle of the pinion, then a place where the rack runs.");
  const axis = across(unit(minus(to.at, from.at)));
  const rack = gesture.body("rack", [["mass", written(BLOCK.mass)], ["inertia", written(BLOCK.inertia)]], to.at);
  const end = { reference: quoted(rack.name), body: rack.index };
  gesture.joint("prismatic", gesture.groundPoint(to.at), end, [["axis", writtenPair(axis)]], gesture.name("guide"));
  const offset = -radius * pinion.angle;
  const lines = /** @type {Line[]} */ ([["axis", writtenPair(axis)], ["radius", written(radius)]]);
  if (Math.abs(offset) > 1e-9) lines.push(["offset", written(offset)]);
  const name = gesture.joint("rack", pinion.end, end, lines, gesture.name("mesh"));
  return gesture.done(`add ${name}`, { section: "joint", name });
}

/** How far a joint that slides is out at the start, m. @param {Draft} draft @param {import("./sketch_model.js").SketchJoint} joint */
export function slidBy(draft, joint) {
  const [first, second] = joint.ends;
  const place = (/** @type {import("./sketch_model.js").End} */ end) => end.body === null ? end.own : placeOf(draft.mechanism.bodies[end.body], end.own);
  const axis = turned(unit(joint.axis ?? [1, 0]), angleOf(draft.mechanism, first.body));
  const apart = minus(place(second), place(first));
  return dot(axis, apart);
}
