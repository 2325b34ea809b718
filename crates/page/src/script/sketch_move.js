// Moving points of a drawing: lengths, points and start angles of the text follow, and so do all bodies that share a pin.
import { direction, distance, dot, frameInertia, minus, plus, principal, times, turned, across, unit } from "./sketch_geometry.js";
import { itemNamed, keyOf, numberOf, pairOf, tableOf, valueOf } from "./text_outline.js";
import { writtenAngle, writtenPair } from "./text_patch.js";
import { ownOf, placeOf, worldOf } from "./sketch_model.js";
import { copyWords, weighByLength } from "./sketch_bodies.js";
import { Gesture, refused } from "./sketch_gesture.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_spots.js").Node} Node */
/** @typedef {import("./sketch_spots.js").Spot} Spot */
/** @typedef {import("./sketch_model.js").Mechanism} Mechanism */
/** @typedef {import("./sketch_model.js").SketchBody} SketchBody */
/** @typedef {import("./text_outline.js").OutlineSection} OutlineSection */

/** Two numbers that agree to this, relatively, are the same number rounded. */
const ROUNDING = 1e-4;

/**
 * Moves spots; every one by its own way.
 * @param {Draft} draft
 * @param {readonly { spot: Spot, to: Vector }[]} moves
 * @param {string} label
 * @param {Spot | null} [onto]   where the first one was put: it is pinned to what is there
 * @returns {Outcome}
 */
export function moveSpots(draft, moves, label, onto = null) {
  const gesture = new Gesture(draft);
  /** @type {Set<string>} */
  const kept = new Set();
  /** @type {Map<number, { node: Node, to: Vector }[]>} */
  const byBody = new Map();
  for (const { spot, to } of moves) {
    for (const node of spot.nodes) {
      if (node.body === null) moveGround(gesture, node, to, kept);
      else byBody.set(node.body, [...(byBody.get(node.body) ?? []), { node, to }]);
    }
    moveGuides(gesture, spot, to, kept);
  }
  for (const [body, nodes] of byBody) moveBody(gesture, body, nodes, kept);
  if (kept.size > 0) return refused([...kept].map((why) => why.includes(":") ? why : `${why}: change it in the text.`).join(" "));
  const ends = onto && joinable(moves[0].spot, onto);
  const name = ends ? gesture.joint("revolute", gesture.nodeEnd(ends[0]), gesture.nodeEnd(ends[1])) : null;
  return name ? gesture.done(`pin ${name}`, { section: "joint", name }) : gesture.done(label);
}

/**
 * The ends of a pin that would tie two spots; null where they are on one body, or both on the ground.
 * @param {Spot} one
 * @param {Spot} other
 * @returns {[Node, Node] | null}
 */
export function joinable(one, other) {
  const bodies = new Set(one.nodes.map((node) => node.body));
  if (other.nodes.some((node) => bodies.has(node.body))) return null;
  const first = (/** @type {Spot} */ spot) => spot.nodes.find((node) => node.body === null) ?? spot.nodes[0];
  const [a, b] = [first(other), first(one)];
  // the ground comes first, so that a motor there turns the body
  return b.body === null ? [b, a] : [a, b];
}

/** @param {Gesture} gesture @param {Node} node @param {Vector} to @param {Set<string>} kept */
function moveGround(gesture, node, to, kept) {
  const { draft, patch } = gesture;
  const value = node.raw
    ? valueOf(itemNamed(draft.outline, node.raw.section, node.raw.name), "between")?.items?.[node.raw.end]
    : keyOf(valueOf(tableOf(draft.outline, "ground"), "points"), node.point ?? "")?.value;
  if (!value) kept.add("this point of the ground is one of several copies");
  else if (!patch.changePair(value, to)) kept.add(`the place of the ground point ${node.point ?? ""} is a formula`);
}

/**
 * A block that is moved across its guide takes a guide on the ground along.
 * @param {Gesture} gesture
 * @param {Spot} spot
 * @param {Vector} to
 * @param {Set<string>} kept
 */
function moveGuides(gesture, spot, to, kept) {
  const { draft } = gesture;
  const moved = new Set(spot.nodes.flatMap((node) => node.body ?? []));
  for (const joint of draft.mechanism.joints) {
    if (joint.type !== "prismatic" && joint.type !== "pin-in-slot") continue;
    const [guide, block] = joint.ends;
    if (guide.body !== null || block.body === null || !moved.has(block.body)) continue;
    if (distance(worldOf(draft.mechanism, block), spot.at) > 1e-6) continue;
    const normal = across(unit(joint.axis ?? [1, 0]));
    // the guide stands where the block began, or elsewhere on its line
    const isHere = distance(guide.own, spot.at) < 1e-6;
    const sideways = dot(minus(to, spot.at), normal);
    const place = isHere ? to : plus(guide.own, times(sideways, normal));
    if (!isHere && Math.abs(sideways) < 1e-9) continue;
    const node = { body: null, point: guide.point, at: guide.own, raw: guide.point === null ? { section: "joint", name: joint.name, end: 0 } : undefined };
    if (!spot.nodes.some((other) => other.body === null && other.point === node.point && !other.raw)) moveGround(gesture, node, place, kept);
  }
}

/**
 * @param {Gesture} gesture
 * @param {number} index
 * @param {{ node: Node, to: Vector }[]} nodes
 * @param {Set<string>} kept
 */
function moveBody(gesture, index, nodes, kept) {
  const body = gesture.mechanism.bodies[index];
  const item = gesture.item(index);
  if (!item) return void kept.add(copyWords(gesture.draft, { section: "body", name: body.name }));
  const target = (/** @type {string | null} */ point) => nodes.find(({ node }) => node.point === point)?.to;
  const apart = nodes.map(({ node, to }) => minus(to, node.at));
  const isShift = coversAllTies(gesture.mechanism, index, nodes) && apart.every((by) => distance(by, apart[0]) < 1e-9);
  const isRod = valueOf(item, "length") !== undefined && !["A", "B"].some((end) => keyOf(valueOf(item, "points"), end));
  if (isShift || target(null)) return shiftBody(gesture, item, body, apart[0]);
  if (isRod && (target("A") || target("B"))) {
    const [a, b] = ["A", "B"].map((end) => target(end) ?? placeOf(body, body.points.find((point) => point.name === end)?.at ?? [0, 0]));
    stretchRod(gesture, item, body, a, b, kept);
  }
  const others = nodes.filter(({ node }) => !isRod || (node.point !== "A" && node.point !== "B"));
  if (others.length > 0) movePoints(gesture, item, body, others, kept);
}

/** Whether all points at which a body is tied are moved. @param {Mechanism} mechanism @param {number} index @param {{ node: Node }[]} nodes */
function coversAllTies(mechanism, index, nodes) {
  const tied = [...mechanism.joints, ...mechanism.springs].flatMap(({ ends }) => ends).filter((end) => end.body === index);
  const all = new Set([...tied.map((end) => end.point), ...mechanism.bodies[index].points.map((point) => point.name)]);
  return [...all].every((point) => nodes.some(({ node }) => node.point === point));
}

/**
 * Writes where a body starts: in `[initial]`, `[guess]` or its own keys, wherever it stands already.
 * @param {Gesture} gesture
 * @param {OutlineSection} item
 * @param {SketchBody} body
 * @param {"x" | "y" | "angle"} key
 * @param {number} value
 * @param {boolean} needed   whether it is written where nothing stands
 */
function setStart(gesture, item, body, key, value, needed) {
  const { outline } = gesture.draft;
  for (const name of [`${body.name}_${key}`, `guess.${body.name}_${key}`]) gesture.patch.parameters.add(name);
  const format = key === "angle" ? writtenAngle : undefined;
  for (const table of [tableOf(outline, "initial"), tableOf(outline, "guess")]) {
    if (table && keyOf(table, `${body.name}_${key}`)) return void gesture.patch.setNumber(table, `${body.name}_${key}`, value, format);
  }
  if (needed || keyOf(item, key)) gesture.patch.setNumber(item, key, value, format);
}

/** @param {Gesture} gesture @param {OutlineSection} item @param {SketchBody} body @param {Vector} by */
function shiftBody(gesture, item, body, by) {
  setStart(gesture, item, body, "x", body.pose[0] + by[0], false);
  setStart(gesture, item, body, "y", body.pose[1] + by[1], false);
}

/**
 * @param {Gesture} gesture
 * @param {OutlineSection} item
 * @param {SketchBody} body
 * @param {Vector} a
 * @param {Vector} b
 * @param {Set<string>} kept
 */
function stretchRod(gesture, item, body, a, b, kept) {
  const length = distance(a, b);
  for (const key of ["length", "mass", "inertia"]) gesture.patch.parameters.add(`${body.name}_${key}`);
  if (length < 1e-9) return void kept.add(`${body.name} would have no length`);
  if (!gesture.patch.setNumber(item, "length", length)) return void kept.add(`the length of ${body.name} is a formula`);
  weighByLength(gesture, item, length);
  const turn = principal(direction(a, b) - body.pose[2]);
  setStart(gesture, item, body, "angle", body.pose[2] + turn, Math.abs(turn) > 1e-9);
  const centre = times(0.5, plus(a, b));
  setStart(gesture, item, body, "x", centre[0], false);
  setStart(gesture, item, body, "y", centre[1], false);
}

/**
 * @param {Gesture} gesture
 * @param {OutlineSection} item
 * @param {SketchBody} body
 * @param {{ node: Node, to: Vector }[]} nodes
 * @param {Set<string>} kept
 */
function movePoints(gesture, item, body, nodes, kept) {
  const table = valueOf(item, "points");
  const corners = (table?.keys ?? []).map(({ value }) => pairOf(value) ?? /** @type {Vector} */ ([0, 0]));
  const moved = corners.map((corner) => corner);
  for (const { node, to } of nodes) {
    const at = table?.keys?.findIndex(({ key }) => key === node.point) ?? -1;
    const point = table?.keys?.[at];
    moved[at] = ownOf(body, to);
    if (!point || !gesture.patch.changePair(point.value, moved[at])) kept.add(`the place of ${body.name}.${node.point ?? ""} is a formula`);
  }
  if (kept.size > 0 || valueOf(item, "length") || corners.length < 3) return;
  // a frame that nobody has weighed stays a frame
  const [before, after] = [frameInertia(corners), frameInertia(moved)];
  const is = (/** @type {number | undefined} */ value, /** @type {number} */ own) => value !== undefined && Math.abs(value - own) <= ROUNDING * Math.max(Math.abs(own), ROUNDING);
  const centre = pairOf(valueOf(item, "centre"));
  if (!is(numberOf(item, "mass"), before.mass) || !is(numberOf(item, "inertia"), before.inertia) || !centre || distance(centre, before.centre) > ROUNDING) return;
  gesture.patch.setNumber(item, "mass", after.mass);
  gesture.patch.setNumber(item, "inertia", after.inertia);
  gesture.patch.set(item, "centre", writtenPair(after.centre));
  const place = plus(body.pose, turned(minus(after.centre, before.centre), body.pose[2]));
  setStart(gesture, item, body, "x", place[0], false);
  setStart(gesture, item, body, "y", place[1], false);
}

/**
 * The mechanism as it looks while spots are moved: bodies at these spots follow, all others stay until the text is read again.
 * @param {Mechanism} mechanism
 * @param {readonly { spot: Spot, to: Vector }[]} moves
 * @returns {Mechanism}
 */
export function movedMechanism(mechanism, moves) {
  const bodies = mechanism.bodies.map((body) => ({ ...body, points: body.points.map((point) => ({ ...point })), centre: /** @type {Vector} */ ([...body.centre]) }));
  const ground = mechanism.ground.map((point) => ({ ...point }));
  const next = { ...mechanism, bodies, ground, joints: mechanism.joints.map((joint) => ({ ...joint, ends: copyEnds(joint.ends) })), springs: mechanism.springs.map((spring) => ({ ...spring, ends: copyEnds(spring.ends) })) };
  for (const [index, body] of bodies.entries()) {
    const nodes = moves.flatMap(({ spot, to }) => spot.nodes.filter((node) => node.body === index).map((node) => ({ node, to })));
    if (nodes.length === 0) continue;
    const by = minus(nodes[0].to, nodes[0].node.at);
    const target = (/** @type {string} */ name) => nodes.find(({ node }) => node.point === name)?.to ?? placeOf(mechanism.bodies[index], body.points.find((point) => point.name === name)?.at ?? [0, 0]);
    if (coversAllTies(mechanism, index, nodes) || nodes.some(({ node }) => node.point === null)) {
      body.pose = [body.pose[0] + by[0], body.pose[1] + by[1], body.pose[2]];
    } else if (isUniformRod(body) && nodes.some(({ node }) => node.point === "A" || node.point === "B")) {
      const [a, b] = [target("A"), target("B")];
      const length = distance(a, b);
      body.points.forEach((point) => { if (point.name === "B") point.at = [length, 0]; });
      body.centre = [length / 2, 0];
      body.pose = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, direction(a, b)];
    } else {
      for (const { node, to } of nodes) body.points.forEach((point) => { if (point.name === node.point) point.at = ownOf(mechanism.bodies[index], to); });
    }
  }
  for (const { spot, to } of moves) {
    for (const node of spot.nodes.filter((other) => other.body === null)) {
      for (const point of ground) if (!node.raw && point.name === node.point) point.at = to;
    }
  }
  refreshEnds(next, moves);
  return next;
}

/** @param {[import("./sketch_model.js").End, import("./sketch_model.js").End]} ends @returns {[import("./sketch_model.js").End, import("./sketch_model.js").End]} */
function copyEnds([first, second]) {
  return [{ ...first }, { ...second }];
}

/** @param {SketchBody} body */
function isUniformRod(body) {
  const [a, b] = ["A", "B"].map((name) => body.points.find((point) => point.name === name)?.at);
  return !!a && !!b && a[0] === 0 && a[1] === 0 && b[1] === 0 && Math.abs(body.centre[0] - b[0] / 2) < 1e-12;
}

/** @param {Mechanism} mechanism @param {readonly { spot: Spot, to: Vector }[]} moves */
function refreshEnds(mechanism, moves) {
  const all = [...mechanism.joints.map((joint) => ({ section: "joint", part: joint })), ...mechanism.springs.map((spring) => ({ section: "spring", part: spring }))];
  for (const { section, part } of all) {
    part.ends.forEach((end, at) => {
      const points = end.body === null ? mechanism.ground : mechanism.bodies[end.body].points;
      const named = points.find((point) => point.name === end.point);
      if (named) end.own = named.at;
      const raw = moves.find(({ spot }) => spot.nodes.some((node) => node.raw?.section === section && node.raw.name === part.name && node.raw.end === at));
      if (raw) end.own = raw.to;
    });
  }
}

/** All spots of a body, moved by the same way. @param {Draft} draft @param {number} body @param {Vector} by */
export function shiftedSpots(draft, body, by) {
  return draft.spots.filter((spot) => spot.nodes.some((node) => node.body === body)).map((spot) => ({ spot, to: plus(spot.at, by) }));
}

/**
 * Writes a pose of all bodies as the place where the assembly begins.
 * @param {Draft} draft
 * @param {readonly number[]} q   x, y and angle of every body
 * @returns {Outcome}
 */
export function writePose(draft, q) {
  const gesture = new Gesture(draft);
  draft.mechanism.bodies.forEach((body, index) => {
    const item = gesture.item(index);
    if (!item) return;
    const [x, y, angle] = q.slice(3 * index, 3 * index + 3);
    const turn = principal(angle - body.pose[2]);
    setStart(gesture, item, body, "angle", body.pose[2] + turn, Math.abs(turn) > 1e-6);
    setStart(gesture, item, body, "x", x, false);
    setStart(gesture, item, body, "y", y, false);
  });
  return gesture.done("start pose");
}

/**
 * The mechanism in another pose.
 * @param {Mechanism} mechanism
 * @param {readonly number[]} q
 * @returns {Mechanism}
 */
export function posed(mechanism, q) {
  const bodies = mechanism.bodies.map((body, index) => ({ ...body, pose: /** @type {import("./sketch_geometry.js").Pose} */ (q.slice(3 * index, 3 * index + 3)) }));
  return { ...mechanism, bodies };
}
