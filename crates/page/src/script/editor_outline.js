// The names that a model file brings along, read from its text alone: they are known while the file cannot be read as a model.
import { linesOf } from "./editor_tokens.js";

/**
 * One section, or one item of a section like `[[body]]`.
 * @typedef {object} Part
 * @property {string} section   without brackets; empty for what stands above the first heading
 * @property {number} line      of its heading, from 0
 * @property {string[]} keys    at its outermost level
 * @property {Record<string, string>} texts   the strings behind them, where there are some
 * @property {Record<string, string[]>} inner  the keys of inline tables behind them
 */

/**
 * @param {string} text
 * @returns {Part[]}
 */
export function partsOf(text) {
  /** @type {Part} */
  let part = emptyPart("", 0);
  const parts = [part];
  linesOf(text).forEach(({ line, scanned }, number) => {
    if (scanned.tokens.some((token) => token.kind === "section")) {
      part = emptyPart(scanned.atEnd.section, number);
      parts.push(part);
    }
    for (const { path, to } of scanned.keys) {
      const [key = "", inner] = path;
      if (inner !== undefined) {
        (part.inner[key] ??= []).push(inner);
        continue;
      }
      part.keys.push(key);
      const value = /^\s*=\s*"([^"]*)"/.exec(line.slice(to))?.[1];
      if (value !== undefined) part.texts[key] = value;
    }
  });
  return parts;
}

/**
 * @param {string} section
 * @param {number} line
 * @returns {Part}
 */
function emptyPart(section, line) {
  return { section, line, keys: [], texts: {}, inner: {} };
}

/**
 * The part in which a line stands.
 * @param {readonly Part[]} parts
 * @param {number} line   from 0
 * @returns {Part | undefined}
 */
export function partAt(parts, line) {
  return parts.findLast((part) => part.line <= line);
}

/**
 * The names of the keys of all sections of this name.
 * @param {readonly Part[]} parts
 * @param {string} section
 */
export function namesIn(parts, section) {
  return parts.filter((part) => part.section === section).flatMap((part) => part.keys);
}

/**
 * The names of the items of a section: of bodies, of joints.
 * @param {readonly Part[]} parts
 * @param {string} section
 */
export function itemNames(parts, section) {
  return parts.filter((part) => part.section === section).flatMap((part) => part.texts.name ?? []);
}

/**
 * Bodies and the ground with the points that have names. A body with a length is a rod with the ends A and B.
 * @param {readonly Part[]} parts
 * @returns {{ name: string, points: string[] }[]}
 */
export function bodiesOf(parts) {
  const bodies = [];
  for (const part of parts) {
    const name = part.section === "ground" ? "ground" : part.section === "body" ? part.texts.name : undefined;
    if (name === undefined) continue;
    const ends = part.section === "body" && part.keys.includes("length") ? ["A", "B"] : [];
    bodies.push({ name, points: [...ends, ...(part.inner.points ?? [])] });
  }
  return bodies;
}
