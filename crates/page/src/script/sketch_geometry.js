// Points and directions of the plane, m and rad.

/** @typedef {[number, number]} Vector */
/** @typedef {[x: number, y: number, angle: number]} Pose   of the centre of mass */

/** @param {readonly number[]} a @param {readonly number[]} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
/** @param {readonly number[]} a @param {readonly number[]} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
/** @param {number} factor @param {readonly number[]} a @returns {Vector} */
export const times = (factor, a) => [factor * a[0], factor * a[1]];
/** @param {readonly number[]} a @param {readonly number[]} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
/** @param {readonly number[]} a @param {readonly number[]} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
/** @param {readonly number[]} a @param {readonly number[]} b */
export const middle = (a, b) => times(0.5, plus(a, b));
/** A quarter turn counter-clockwise. @param {readonly number[]} a @returns {Vector} */
export const across = (a) => [-a[1], a[0]];
/** @param {readonly number[]} from @param {readonly number[]} to */
export const direction = (from, to) => Math.atan2(to[1] - from[1], to[0] - from[0]);

/** @param {readonly number[]} a @param {number} angle @returns {Vector} */
export function turned(a, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c * a[0] - s * a[1], s * a[0] + c * a[1]];
}

/** @param {readonly number[]} a @returns {Vector} */
export function unit(a) {
  const length = Math.hypot(a[0], a[1]);
  return length > 0 ? [a[0] / length, a[1] / length] : [1, 0];
}

/** From −π to π; half a turn is counter-clockwise. @param {number} angle */
export function principal(angle) {
  const turned = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return turned < 1e-9 - Math.PI ? turned + 2 * Math.PI : turned;
}

/**
 * A place without the rounding of the numbers that it was computed from: what is as good as round is round.
 * @param {readonly number[]} at
 * @param {number} size   of the drawing
 * @returns {Vector}
 */
export function tidy(at, size) {
  const quantum = 10 ** (Math.round(Math.log10(Math.max(size, 1e-6))) - 3);
  const round = (/** @type {number} */ value) => {
    const near = Math.round(value / quantum) * quantum;
    return Math.abs(near - value) < 5e-6 * size ? Number(near.toPrecision(12)) : value;
  };
  return [round(at[0]), round(at[1])];
}

/**
 * The point of a segment that is nearest to a point.
 * @param {readonly number[]} at
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 * @returns {Vector}
 */
export function nearestOn(at, a, b) {
  const along = minus(b, a);
  const length = dot(along, along);
  const part = length > 0 ? Math.min(1, Math.max(0, dot(minus(at, a), along) / length)) : 0;
  return plus(a, times(part, along));
}

/** Points that deviate less than this from a line, relatively, are on it: they come from rounded numbers. */
const STRAIGHT = 1e-4;

/** @param {Vector} a @param {Vector} b @param {Vector} c */
function turnsLeft(a, b, c) {
  const [one, other] = [minus(b, a), minus(c, b)];
  return dot(across(one), other) > STRAIGHT * Math.hypot(...one) * Math.hypot(...other);
}

/**
 * The convex hull of points, counter-clockwise (Andrew 1979).
 * @param {readonly Vector[]} points
 * @returns {Vector[]}
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @param {Vector[]} list */
  const half = (list) => {
    /** @type {Vector[]} */
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && !turnsLeft(chain[chain.length - 2], chain[chain.length - 1], point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half([...sorted].reverse())];
}

/**
 * @param {readonly number[]} at
 * @param {readonly Vector[]} polygon   convex, counter-clockwise
 */
export function isInside(at, polygon) {
  return polygon.length > 2 && polygon.every((corner, i) => dot(across(minus(polygon[(i + 1) % polygon.length], corner)), minus(at, corner)) >= 0);
}

/** Rods have 1 kg/m unless the file says otherwise. */
export const MASS_PER_LENGTH = 1;

/**
 * Mass, centre and inertia of uniform rods along the edges of a polygon.
 * @param {readonly (readonly number[])[]} corners   in their order; two are one rod
 * @returns {{ mass: number, centre: Vector, inertia: number }}
 */
export function frameInertia(corners) {
  const edges = corners.length === 2 ? [[corners[0], corners[1]]] : corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]]);
  const masses = edges.map(([a, b]) => MASS_PER_LENGTH * distance(a, b));
  const mass = masses.reduce((sum, part) => sum + part, 0);
  const moment = edges.reduce((sum, [a, b], i) => plus(sum, times(masses[i], middle(a, b))), /** @type {Vector} */ ([0, 0]));
  const centre = mass > 0 ? times(1 / mass, moment) : /** @type {Vector} */ ([0, 0]);
  const inertia = edges.reduce((sum, [a, b], i) => sum + masses[i] * (distance(a, b) ** 2 / 12 + distance(middle(a, b), centre) ** 2), 0);
  return { mass, centre, inertia };
}
