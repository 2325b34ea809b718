// Snapping: to spots, to the grid, to round angles, to lengths that are there already.
import { direction, distance, plus, times } from "./sketch_geometry.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */

/**
 * @typedef {object} Snapped
 * @property {Vector} at
 * @property {"spot" | "grid" | "angle" | "length" | "free"} kind
 * @property {string} hint   what a person may want to know about it
 */

/** Round angles are multiples of this, rad. */
const ROUND_ANGLE = Math.PI / 12;

/** Nearer than twice this part of the reach a place of the grid is meant. */
const AIM = 0.2;

/** Lines of a grid are at least so far apart, px. */
const LEAST_SPACING = 22;

/**
 * The distance of the lines of the grid, m: 1, 2 or 5 times a power of ten.
 * @param {number} scale   px per m
 */
export function gridStep(scale) {
  const least = LEAST_SPACING / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** A number without the noise of additions. @param {number} value */
export const clean = (value) => Number(value.toPrecision(12));

/**
 * @param {Vector} at
 * @param {number} step
 * @returns {Vector}
 */
export function toGrid(at, step) {
  return [clean(Math.round(at[0] / step) * step), clean(Math.round(at[1] / step) * step)];
}

/**
 * @param {Vector} at   where the pointer is
 * @param {object} around
 * @param {readonly Vector[]} around.spots
 * @param {number} around.step      of the grid, m
 * @param {number} around.reach     m
 * @param {Vector | null} [around.from]   where what is drawn begins
 * @param {readonly { name: string, length: number }[]} [around.lengths]   of other links
 * @param {boolean} [around.off]    no snapping but to spots
 * @returns {Snapped}
 */
export function snap(at, { spots, step, reach, from = null, lengths = [], off = false }) {
  const spot = nearest(spots.filter((other) => !from || distance(other, from) > 1e-9), at);
  if (spot && distance(spot, at) <= reach) return { at: spot, kind: "spot", hint: from ? lengthHint(distance(from, spot), lengths) : "" };
  if (off) return { at, kind: "free", hint: "" };
  const grid = toGrid(at, step);
  if (!from) return { at: grid, kind: "grid", hint: "" };
  const candidates = [{ at: grid, kind: /** @type {const} */ ("grid"), far: distance(grid, at) }, ...onLines(at, from, step, reach, lengths)];
  // a place of the grid is taken unless another one is clearly nearer
  const best = candidates.reduce((one, other) => other.far < 0.5 * one.far ? other : one);
  return { at: best.at, kind: best.kind, hint: lengthHint(distance(from, best.at), lengths) };
}

/**
 * Places at a round angle with a round length, and at the length of another link.
 * @param {Vector} at
 * @param {Vector} from
 * @param {number} step
 * @param {number} reach
 * @param {readonly { name: string, length: number }[]} lengths
 */
function onLines(at, from, step, reach, lengths) {
  const angle = direction(from, at), length = distance(from, at);
  const round = Math.round(angle / ROUND_ANGLE) * ROUND_ANGLE;
  /** @param {number} far @param {number} way @returns {Vector} */
  const place = (far, way) => plus(from, times(far, [Math.cos(way), Math.sin(way)]));
  const found = [];
  const roundLength = clean(Math.round(length / step) * step);
  const sideways = length * Math.abs(Math.sin(angle - round));
  if (sideways < 0.4 * reach && roundLength > 0) {
    const on = place(roundLength, round);
    found.push({ at: on, kind: /** @type {const} */ ("angle"), far: distance(on, at) });
  }
  for (const other of lengths) {
    if (Math.abs(other.length - length) > 0.4 * reach) continue;
    const isRound = sideways < 0.4 * reach;
    const on = place(other.length, isRound ? round : angle);
    // a length alone lets every angle be: it is near everywhere, and must not draw away from a place that was aimed at
    found.push({ at: on, kind: /** @type {const} */ ("length"), far: Math.max(distance(on, at), isRound ? 0 : AIM * reach) });
  }
  return found;
}

/** @param {number} length @param {readonly { name: string, length: number }[]} lengths */
function lengthHint(length, lengths) {
  const same = lengths.find((other) => Math.abs(other.length - length) < 1e-6 * Math.max(1, length));
  return same ? `as long as ${same.name}` : "";
}

/** @param {readonly Vector[]} places @param {Vector} at @returns {Vector | null} */
function nearest(places, at) {
  return places.reduce((/** @type {Vector | null} */ best, place) => !best || distance(place, at) < distance(best, at) ? place : best, null);
}

/**
 * What was typed while drawing: a length, a length and an angle in degrees, or only an angle behind `@` or `<`.
 * @param {string} text
 * @returns {{ length: number | null, angle: number | null } | null}
 */
export function typedSize(text) {
  const match = /^\s*(-?[\d.]+(?:e-?\d+)?)?\s*(mm|cm|m)?\s*(?:[,;@<\s]\s*(-?[\d.]+)\s*(?:deg|°)?)?\s*$/.exec(text);
  if (!match || (match[1] === undefined && match[3] === undefined)) return null;
  const factor = match[2] === "mm" ? 0.001 : match[2] === "cm" ? 0.01 : 1;
  const length = match[1] === undefined ? null : Number(match[1]) * factor;
  const angle = match[3] === undefined ? null : Number(match[3]) * Math.PI / 180;
  if ([length, angle].some((value) => value !== null && !Number.isFinite(value)) || (length !== null && !(length > 0))) return null;
  return { length, angle };
}
