// States that come from outside (links, files, storage) are read key by key: nothing else gets in, and nothing of the
// wrong type.

import { emptyState } from "./store.js";

/** @typedef {import("./types.js").State} State */

const VIEW_NAMES = ["gallery", "build", "equations", "motion", "compare", "questions"];
const THEMES = ["auto", "light", "dark"];

/** @type {(value: any) => boolean} */
const text = (value) => typeof value === "string";
/** @type {(value: any) => boolean} */
const number = (value) => typeof value === "number" && Number.isFinite(value);
/** @type {(value: any) => boolean} */
const flag = (value) => typeof value === "boolean";
/** @type {(value: any) => boolean} */
const texts = (value) => Array.isArray(value) && value.every(text);
/** @type {(value: any) => boolean} */
const option = (value) => text(value) || number(value) || flag(value) || texts(value);
/** @type {(value: any) => boolean} */
const record = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(each: (value: any) => boolean) => (value: any) => boolean} */
const map = (each) => (value) => record(value) && Object.values(value).every(each);
/** @type {(fields: Record<string, (value: any) => boolean>) => (value: any) => boolean} */
const fields = (shape) => (value) => record(value) && Object.entries(shape).every(([key, fits]) => fits(value[key])) && Object.keys(value).every((key) => key in shape);

/** @type {Record<string, (value: any) => boolean>} */
const SHAPE = {
  model: fields({ name: text, text }),
  set: map(text),
  run: map(option),
  view: (value) => VIEW_NAMES.includes(value),
  plots: texts,
  show: fields({ trails: flag, forces: flag, gaps: flag, names: flag, centres: flag, loop: flag }),
  speed: (value) => value === null || number(value),
  time: number,
  ask: fields({ question: text, options: map(option) }),
  compare: fields({ formulations: texts, integrators: texts, tolerances: text }),
  theme: (value) => THEMES.includes(value),
};

/**
 * The state with what is missing filled in; null if anything in it has the wrong type. With `partial` nothing is filled in.
 * @param {any} value
 * @param {boolean} [partial]
 * @returns {State | null}
 */
export function validState(value, partial = false) {
  if (!record(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    if (!Object.hasOwn(SHAPE, key) || !SHAPE[key](part)) return null;
  }
  return /** @type {State} */ (partial ? value : { ...emptyState(), ...value });
}
