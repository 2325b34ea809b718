// Views as files: NAME.catena.json reopens exactly what was on the screen.

import { STATE_VERSION } from "./types.js";
import { validState } from "./valid.js";

/** @typedef {import("./types.js").State} State */

/** Of model files and views, in characters. */
export const MAX_FILE_LENGTH = 2_000_000;

/**
 * @param {State} state
 * @returns {string}
 */
export function viewFile(state) {
  const { theme, ...rest } = state;
  return `${JSON.stringify({ catena: "view", version: STATE_VERSION, state: rest }, null, 2)}\n`;
}

/**
 * What a file is: a view, or else the text of a model; an error in words if it is neither.
 * @param {string} name
 * @param {string} text
 * @returns {{ state: Omit<State, "theme"> } | { model: { name: string, text: string } } | { error: { message: string, help: string } }}
 */
export function readFile(name, text) {
  if (text.length > MAX_FILE_LENGTH) {
    return { error: { message: `${name} has ${(text.length / 1e6).toFixed(1)} million characters`, help: `Model files and views have at most ${MAX_FILE_LENGTH / 1e6} million.` } };
  }
  if (/[\0\uFFFD]/.test(text)) {
    return { error: { message: `${name} is no text`, help: "Open a model file (.toml) or a view that was saved here (.catena.json)." } };
  }
  if (!/^\s*\{/.test(text)) return { model: { name: name.replace(/\.[^.]*$/, ""), text } };
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: { message: `${name} is no JSON that can be read`, help: "Was it saved completely? Views that are saved here end in .catena.json." } };
  }
  if (value.catena !== "view") {
    return { error: { message: `${name} is JSON, but no view of Catena`, help: "Open a model file (.toml) or a view that was saved here (.catena.json)." } };
  }
  if (value.version > STATE_VERSION) {
    return { error: { message: `${name} was saved by a newer Catena`, help: "Take the newer program to open it." } };
  }
  const state = validState(value.state);
  if (!state) return { error: { message: `${name} is damaged: it is no complete view`, help: "Was it edited by hand? Save it again from the page." } };
  const { theme, ...rest } = state;
  return { state: rest };
}
