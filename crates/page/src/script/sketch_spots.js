// Spots: places of the drawing that a tool can take hold of. Points that pins tie together are one spot.
import { distance, direction, hull, isInside, nearestOn } from "./sketch_geometry.js";
import { placeOf, worldOf } from "./sketch_model.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_model.js").Mechanism} Mechanism */

/**
 * One end of something: a point of a body, its centre (`point` is null), a named point of the ground, or a place of the ground
 * that stands in the list of a joint or a spring.
 * @typedef {object} Node
 * @property {number | null} body
 * @property {string | null} point
 * @property {Vector} at   in the world
 * @property {{ section: string, name: string, end: number }} [raw]
 *
 * @typedef {{ at: Vector, nodes: Node[], joints: number[] }} Spot
 *
 * @typedef {{ section: string, name: string }} Item   what can be selected; a point of the ground has the section `ground`
 *
 * @typedef {object} Hit
 * @property {Vector} at
 * @property {Spot | null} spot
 * @property {number[]} bodies   under the place, the topmost first
 * @property {Item | null} item  a spring, a rod or a force under it
 */

/**
 * @param {Mechanism} mechanism
 * @returns {Spot[]}
 */
export function spotsOf(mechanism) {
  /** @type {Map<string, Node>} */
  const nodes = new Map();
  /** @type {Map<string, string>} */
  const group = new Map();
  /** @param {string} key @param {Node} node */
  const enter = (key, node) => {
    if (!nodes.has(key)) { nodes.set(key, node); group.set(key, key); }
    return key;
  };
  for (const { name, at } of mechanism.ground) enter(`ground.${name}`, { body: null, point: name, at });
  mechanism.bodies.forEach((body, index) => {
    for (const { name, at } of body.points) enter(`${index}.${name}`, { body: index, point: name, at: placeOf(body, at) });
    if (body.points.length === 0) enter(`${index}`, { body: index, point: null, at: placeOf(body, body.centre) });
  });
  /** @param {import("./sketch_model.js").End} end @param {{ section: string, name: string, end: number }} raw */
  const nodeOf = (end, raw) => {
    const at = worldOf(mechanism, end);
    if (end.body !== null) return enter(end.point === null ? `${end.body}` : `${end.body}.${end.point}`, { body: end.body, point: end.point, at });
    if (end.point !== null) return enter(`ground.${end.point}`, { body: null, point: end.point, at });
    return enter(`${raw.section} ${raw.name} ${raw.end}`, { body: null, point: null, at, raw });
  };
  const jointKeys = mechanism.joints.map((joint) => joint.ends.map((end, i) => nodeOf(end, { section: "joint", name: joint.name, end: i })));
  for (const spring of mechanism.springs) spring.ends.forEach((end, i) => nodeOf(end, { section: "spring", name: spring.name, end: i }));
  mechanism.joints.forEach(({ type }, at) => {
    if (type !== "revolute" && type !== "weld") return;
    const [a, b] = jointKeys[at].map((key) => group.get(key) ?? key);
    group.forEach((its, key) => { if (its === b) group.set(key, a); });
  });
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  for (const [key, node] of nodes) {
    const its = group.get(key) ?? key;
    const spot = spots.get(its) ?? { at: node.at, nodes: [], joints: [] };
    spot.nodes.push(node);
    spots.set(its, spot);
  }
  mechanism.joints.forEach((_, at) => {
    const touched = new Set(jointKeys[at].map((key) => spots.get(group.get(key) ?? key)));
    for (const spot of touched) spot?.joints.push(at);
  });
  return [...spots.values()];
}

/**
 * The points that a body is drawn through: its own and those where something is fastened; in the world.
 * @param {Mechanism} mechanism
 * @param {number} index
 * @returns {Vector[]}
 */
export function outlineOf(mechanism, index) {
  const body = mechanism.bodies[index];
  const ends = [...mechanism.joints, ...mechanism.springs].flatMap(({ ends }) => ends).filter((end) => end.body === index);
  const all = [...body.points.map((point) => point.at), ...ends.map((end) => end.own)];
  const single = all.filter((at, i) => all.findIndex((other) => distance(other, at) < 1e-9) === i);
  const points = single.length === 1 && distance(single[0], body.centre) > 1e-9 ? [body.centre, single[0]] : single;
  return (points.length ? points : [body.centre]).map((own) => placeOf(body, own));
}

/**
 * The radii of the wheels of a gear, from the distance of the axles and the ratio.
 * @param {Mechanism} mechanism
 * @param {import("./sketch_model.js").SketchJoint} joint
 * @returns {[number, number]}
 */
function pitchRadii(mechanism, joint) {
  const apart = distance(worldOf(mechanism, joint.ends[0]), worldOf(mechanism, joint.ends[1]));
  const ratio = joint.values.ratio || -1;
  // r₁ ω₁ = ∓ r₂ ω₂ and ratio = ω₂/ω₁; inside each other the radii differ by the distance
  if (ratio < 0) return [apart * -ratio / (1 - ratio), apart / (1 - ratio)];
  const second = ratio === 1 ? apart : apart / Math.abs(1 - ratio);
  return [second * ratio, second];
}

/**
 * Wheels of a mechanism: bodies that gears and racks show as circles.
 * @param {Mechanism} mechanism
 * @returns {{ body: number | null, at: Vector, radius: number, angle: number, joint: number }[]}
 */
export function wheelsOf(mechanism) {
  return mechanism.joints.flatMap((joint, at) => {
    const ends = joint.ends.map((end) => ({ body: end.body, at: worldOf(mechanism, end), angle: end.body === null ? 0 : mechanism.bodies[end.body].pose[2], joint: at }));
    if (joint.type === "gear") return pitchRadii(mechanism, joint).map((radius, i) => ({ ...ends[i], radius }));
    return joint.type === "rack" ? [{ ...ends[0], radius: Math.abs(joint.values.radius ?? 0) }] : [];
  });
}

/** Whether a spot is but the point of the ground that a guide or a slot goes through. @param {Mechanism} mechanism @param {Spot} spot */
export function isGuide(mechanism, { nodes, joints }) {
  return joints.length > 0 && nodes.every((node) => node.body === null) && joints.every((at) => ["prismatic", "pin-in-slot"].includes(mechanism.joints[at].type));
}

/**
 * What lies under a place.
 * @param {Mechanism} mechanism
 * @param {readonly Spot[]} spots
 * @param {Vector} at
 * @param {number} reach   m
 * @returns {Hit}
 */
export function hitAt(mechanism, spots, at, reach) {
  const near = spots.map((spot) => ({ spot, far: distance(spot.at, at) })).filter(({ far }) => far <= reach).sort((a, b) => a.far - b.far);
  // a guide is not seen at its own point: what slides there is meant
  const spot = (near.find((other) => !isGuide(mechanism, other.spot)) ?? near[0])?.spot ?? null;
  const within = mechanism.bodies.map((_, index) => index).filter((index) => farFromBody(mechanism, index, at) <= 0.7 * reach).reverse();
  const wheels = wheelsOf(mechanism).filter((wheel) => distance(wheel.at, at) <= wheel.radius).sort((a, b) => a.radius - b.radius);
  const bodies = [...new Set([...within, ...wheels.flatMap((wheel) => wheel.body ?? [])])];
  return { at, spot, bodies, item: elementAt(mechanism, at, reach) };
}

/** How far a place is from the bar or plate of a body. @param {Mechanism} mechanism @param {number} index @param {Vector} at */
function farFromBody(mechanism, index, at) {
  const points = outlineOf(mechanism, index);
  if (points.length === 1) return distance(points[0], at);
  const corners = hull(points);
  if (isInside(at, corners)) return 0;
  return Math.min(...corners.map((corner, i) => distance(at, nearestOn(at, corner, corners[(i + 1) % corners.length]))));
}

/** @param {Mechanism} mechanism @param {Vector} at @param {number} reach @returns {Item | null} */
function elementAt(mechanism, at, reach) {
  /** @param {[import("./sketch_model.js").End, import("./sketch_model.js").End]} ends */
  const far = ([a, b]) => distance(at, nearestOn(at, worldOf(mechanism, a), worldOf(mechanism, b)));
  const spring = mechanism.springs.find(({ ends }) => far(ends) <= reach);
  if (spring) return { section: "spring", name: spring.name };
  const rod = mechanism.joints.find(({ type, ends }) => type === "distance" && far(ends) <= 0.7 * reach);
  return rod ? { section: "joint", name: rod.name } : null;
}

/**
 * The bar of a body through a place: its direction in the world; null for plates and single points.
 * @param {Mechanism} mechanism
 * @param {number} index
 */
export function barAngle(mechanism, index) {
  const corners = hull(outlineOf(mechanism, index));
  return corners.length === 2 ? direction(corners[0], corners[1]) : null;
}
