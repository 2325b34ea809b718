// Keys of the whole page, and what help says about them.

import { make } from "./dom.js";
import { showDialog } from "./dialog.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ViewName} ViewName */

/**
 * @typedef {object} Actions
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} save
 * @property {() => void} open
 * @property {() => void} run
 * @property {() => void} tour
 * @property {(at: number) => void} view counted from 0
 * @property {() => View | null} shown
 */

/** @type {[string[], string][]} */
const KEYS = [
  [["1 … 6"], "show a view"],
  [["Ctrl+Enter"], "run"],
  [["space"], "play or pause"],
  [["←", "→"], "one frame back, forward; with shift ten"],
  [[",", "."], "slower, faster"],
  [["+", "−", "0"], "zoom in, zoom out, show everything"],
  [["Enter"], "on the mechanism: take a point; arrows move it, Enter accepts, Esc gives up"],
  [["M", "V"], "in the motion view: to the mechanism, to the values"],
  [["Ctrl+Z"], "undo"],
  [["Ctrl+Shift+Z", "Ctrl+Y"], "redo"],
  [["Ctrl+S"], "save"],
  [["Ctrl+O"], "open a file"],
  [["Esc"], "close a dialog, leave the tour"],
  [["?"], "this help"],
];

/**
 * @param {Actions} actions
 */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    if (act(event, actions)) event.preventDefault();
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {Actions} actions
 * @returns {boolean} whether the key meant something
 */
function act(event, actions) {
  const target = event.target instanceof Element ? event.target : document.body;
  if ((event.ctrlKey || event.metaKey) && !event.altKey) return withControl(event, target, actions);
  if (event.altKey || isTyping(target)) return false;
  if (/^[1-6]$/.test(event.key)) {
    actions.view(Number(event.key) - 1);
    return true;
  }
  if (event.key === "?") {
    showHelp(actions);
    return true;
  }
  return actions.shown()?.key?.(event) ?? false;
}

/**
 * @param {KeyboardEvent} event
 * @param {Element} target
 * @param {Actions} actions
 */
function withControl(event, target, actions) {
  const key = event.key.toLowerCase();
  // a field of one line takes back its own letters
  if ((key === "z" || key === "y") && target.matches("input:not([type=range], [type=checkbox], [type=radio])")) return false;
  if (key === "z" && !event.shiftKey) actions.undo();
  else if (key === "z" || key === "y") actions.redo();
  else if (key === "s") actions.save();
  else if (key === "o") actions.open();
  else if (key === "enter") actions.run();
  else return false;
  return true;
}

/** @param {Element} target */
function isTyping(target) {
  return target.closest("input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null;
}

/**
 * @param {Pick<Actions, "tour">} actions
 */
export function showHelp(actions) {
  const rows = KEYS.map(([keys, meaning]) => make("tr", {},
    make("th", { scope: "row" }, ...keys.flatMap((key, at) => [at > 0 ? " or " : "", make("kbd", {}, key)])),
    make("td", {}, meaning)));
  const dialog = showDialog("Help", [
    make("p", {}, "Catena moves mechanisms. Pick one from the gallery, build one by hand or write one as text; it derives the equations of motion, solves them, and says how far the result can be trusted."),
    make("p", {}, make("button", { class: "button primary", type: "button", onclick: () => { dialog.close(); actions.tour(); } }, "Take the tour (three minutes)")),
    make("h3", {}, "Where things are"),
    make("dl", { class: "help-views" },
      ...[
        ["Gallery", "ready systems, moving, and ways to begin with nothing"],
        ["Build", "draw a mechanism; its model file is written along"],
        ["Equations", "the model as text, and the derivation step by step"],
        ["Motion", "run it: sliders, the moving mechanism, plots, how exact it is"],
        ["Compare", "several methods side by side, in time and in error"],
        ["Questions", "vibrations, stability, chaos, kinematics and more"],
      ].flatMap(([name, about]) => [make("dt", {}, name), make("dd", {}, about)])),
    make("h3", {}, "Keys"),
    make("table", { class: "help-keys" }, make("tbody", {}, ...rows)),
    make("p", { class: "quiet" }, "A file that is dropped on the page is opened. Everything stays on this computer and survives a reload."),
  ]);
}
