// The same in a terminal: a command line with a button that copies it.
import { copyButton } from "./clipboard.js";
import { commandLine, modelWord } from "./command_line.js";
import { make } from "./dom.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Row} Row */

/**
 * @typedef {object} Terminal
 * @property {HTMLElement} element
 * @property {(asked: { command: readonly string[], rows?: readonly Row[], options?: Readonly<Record<string, import("./types.js").OptionValue>> }) => void} show
 */

/**
 * A foldable line that shows how the same is asked for in a terminal, about the model of the page as it is.
 * @param {App} app
 * @returns {Terminal}
 */
export function terminalLine(app) {
  const code = make("code", {});
  const note = make("p", { class: "quiet" });
  const copy = copyButton(app, "Copy", "the command", () => code.textContent ?? "");
  const element = make("details", { class: "terminal" }, make("summary", {}, "The same in a terminal"), make("div", { class: "terminal-line" }, make("pre", {}, code), copy), note);
  return {
    element,
    show({ command, rows, options }) {
      const { model, set } = app.state;
      const { word, isFile } = modelWord(model, app.catalogue.systems);
      code.textContent = commandLine({ command, model: word, set, rows, options });
      note.textContent = isFile ? `Save the model file as ${word} first.` : "";
      note.hidden = !isFile;
    },
  };
}

/**
 * The line of the run that the page would make now; it follows the state.
 * @param {App} app
 */
export function runTerminal(app) {
  const line = terminalLine(app);
  const show = () => line.show({ command: ["run"], rows: app.catalogue.runOptions, options: app.state.run });
  app.subscribe((state, before) => {
    if (state.model !== before.model || state.set !== before.set || state.run !== before.run) show();
  });
  show();
  return line.element;
}
