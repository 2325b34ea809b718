// The derivation of the equations of motion, step by step, with the model's text beside it.
import { copyButton } from "./clipboard.js";
import { make } from "./dom.js";
import { mountEditor } from "./editor.js";
import { READABLE, sizeOf, stepElement } from "./equations_step.js";
import { explainSymbols, symbolTable, symbolsOf } from "./equations_symbols.js";
import { prose, sentence, shortNumber } from "./prose.js";
import { terminalLine } from "./terminal.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").DeriveReply} DeriveReply */
/** @typedef {"" | "joint" | "absolute"} CoordinateSet */

/**
 * @param {App} app
 * @returns {import("./types.js").View}
 */
export function equationsView(app) {
  const view = new EquationsView(app);
  return { element: view.element, show: () => view.show(), hide: () => view.hide(), run: () => view.derive(true), request: () => null };
}

class EquationsView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isShown = false;
    /** @type {CoordinateSet} */
    this.set = "";
    /** What was derived last, as a text to compare. */
    this.derived = "";
    /** @type {AbortController | null} */
    this.asked = null;
    /** @type {Map<number, boolean>} steps that the reader has opened or folded */
    this.folds = new Map();
    this.terminal = terminalLine(app);
    this.tools = make("div", { class: "row equations-top" });
    this.state = make("p", { class: "quiet", role: "status" });
    this.steps = make("div", { class: "stack equations-steps", "data-tour": "derivation" });
    const page = make("div", { class: "stack equations-page" }, this.tools, this.state, this.steps);
    new ResizeObserver(() => letScroll(this.steps)).observe(this.steps);
    explainSymbols(page, () => symbolsOf(app.checked?.reply.about));
    const editor = make("details", { class: "equations-model", open: matchMedia("(min-width: 1100px)").matches }, make("summary", {}, make("h2", {}, "Model file")));
    this.element = make("section", { class: "view-equations", "aria-label": "Equations" }, editor, page);
    mountEditor(editor, app);
    app.onChecked(() => this.isShown && this.derive(false));
    app.onTrusted(() => this.isShown && this.derive(false));
  }

  show() {
    this.isShown = true;
    this.derive(false);
  }

  hide() {
    this.isShown = false;
    this.asked?.abort();
  }

  /**
   * Derives the model as it is now, unless that is what is shown.
   * @param {boolean} isAsked   by the reader, and not because something has changed
   */
  async derive(isAsked) {
    const { app } = this;
    const { checked } = app;
    if (!checked) return;
    if (isAsked) app.trust();
    const { reply } = checked;
    if (reply.problems.length) return this.tell("The derivation follows as soon as the text can be read.");
    if (!app.mayRun()) return this.offer();
    const sets = /** @type {any} */ (reply.about)?.coordinateSets ?? {};
    const choice = this.set && sets[this.set] ? this.set : "";
    const { model, set } = checked.request;
    const request = { do: "derive", model, set, ...(choice ? { coordinates: choice } : {}) };
    const key = JSON.stringify(request);
    if (key === this.derived) return;
    this.asked?.abort();
    const control = new AbortController();
    this.asked = control;
    const bar = app.busy("Deriving the equations", control);
    try {
      const answer = await app.core.ask(request, { signal: control.signal, progress: bar.progress });
      if (control.signal.aborted) return;
      if (answer.error) return this.refuse(answer.error);
      this.derived = key;
      this.fill(answer, sets, choice);
    } catch {
      if (this.asked === control && this.isShown) this.tell("The derivation was cancelled; Ctrl+Enter begins it again.");
    } finally {
      bar.done();
    }
  }

  /** @param {string} text */
  tell(text) {
    this.state.textContent = text;
    this.state.className = "quiet";
  }

  /** A model that came by a link waits until the reader says so. */
  offer() {
    const button = make("button", { type: "button", class: "button primary", onclick: () => this.derive(true) }, "Derive the equations");
    this.state.replaceChildren("This model came from elsewhere, and nothing is computed before you say so. ", button);
  }

  /** @param {import("./types.js").Failure} error */
  refuse(error) {
    this.derived = "";
    this.tools.replaceChildren();
    this.steps.replaceChildren();
    this.state.className = "wrong";
    this.state.replaceChildren(...prose(sentence(error.message)), " ", ...prose(error.help ? sentence(error.help) : ""));
  }

  /**
   * @param {DeriveReply} reply
   * @param {{ joint?: boolean, absolute?: boolean }} sets
   * @param {CoordinateSet} choice
   */
  fill(reply, sets, choice) {
    const { app } = this;
    this.tell("");
    let size = 0;
    const steps = reply.steps.map((step) => {
      size += sizeOf(step);
      const isOpen = this.folds.get(step.number) ?? size < READABLE;
      const made = stepElement(app, step, isOpen);
      made.element.addEventListener("toggle", () => this.folds.set(step.number, made.element.open));
      return made;
    });
    this.tools.replaceChildren(...this.toolsOf(reply, steps, sets, choice));
    const symbols = make("details", { class: "equations-step card" }, make("summary", {}, make("h3", {}, "What the symbols mean")), symbolTable(symbolsOf(app.checked?.reply.about)));
    this.terminal.show({ command: ["derive"], rows: [COORDINATES], options: { coordinates: choice } });
    this.steps.replaceChildren(checkElement(reply.check), ...steps.map(({ element }) => element), symbols, this.terminal.element);
    const folded = steps.filter(({ element }) => !element.open).length;
    if (folded && size > READABLE) this.tell(`This is a large system: ${folded} of its steps are folded, and long ones are shown piece by piece.`);
  }

  /**
   * @param {DeriveReply} reply
   * @param {{ element: HTMLDetailsElement, fill: () => void }[]} steps
   * @param {{ joint?: boolean, absolute?: boolean }} sets
   * @param {CoordinateSet} choice
   */
  toolsOf(reply, steps, sets, choice) {
    const { app } = this;
    const foldAll = (/** @type {boolean} */ isOpen) => {
      for (const { element, fill } of steps) {
        if (isOpen) fill();
        element.open = isOpen;
      }
    };
    return [
      make("h2", {}, "Equations of motion"),
      sets.joint && sets.absolute ? this.choiceOf(choice) : null,
      make("button", { type: "button", class: "button small", onclick: () => foldAll(true) }, "Open all"),
      make("button", { type: "button", class: "button small", onclick: () => foldAll(false) }, "Fold all"),
      copyButton(app, "Copy all as LaTeX", "the whole derivation", () => reply.latex),
    ].filter((child) => child !== null);
  }

  /** @param {CoordinateSet} choice */
  choiceOf(choice) {
    const select = make(
      "select",
      { class: "field", "aria-label": "Coordinates" },
      make("option", { value: "" }, "usual coordinates"),
      make("option", { value: "joint" }, "what the joints leave free"),
      make("option", { value: "absolute" }, "position and angle of every body"),
    );
    select.value = choice;
    select.addEventListener("change", () => {
      this.set = /** @type {CoordinateSet} */ (select.value);
      this.derive(false);
    });
    return select;
  }
}

/**
 * Formulas that are wider than their box can be reached and scrolled by keys; the others are no stops on the way.
 * @param {HTMLElement} steps
 */
function letScroll(steps) {
  const boxes = [...steps.querySelectorAll(".equations-formula")].map((box) => ({ box, isWide: box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight }));
  for (const { box, isWide } of boxes) {
    if (isWide === box.hasAttribute("tabindex")) continue;
    if (isWide) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
}

/** @type {import("./types.js").Row} */
const COORDINATES = { key: "coordinates", flag: "coordinates", valueName: "", unit: "", kind: "word", default: "", help: "" };

/**
 * The comparison with an independent route, in words.
 * @param {{ states: number, figures: { name: string, difference: number }[] } | null} check
 */
function checkElement(check) {
  if (!check) return make("p", { class: "quiet" }, "This derivation was not checked by numbers.");
  const worst = Math.max(...check.figures.map(({ difference }) => difference));
  const figures = check.figures.map(({ name, difference }) => `${name} ${shortNumber(difference, 2)}`).join(", ");
  return make(
    "details",
    { class: "equations-check card" },
    make("summary", {}, make("span", { class: "good" }, "✓ Checked by numbers: "), `the largest difference is ${shortNumber(worst, 2)}`),
    make(
      "p",
      {},
      `At ${check.states} random states, with parameters changed at random too, the derived functions were compared with numerical differentiation of the energies and constraints in twice the usual precision, which shares no rule with the derivation; the formulas shown here were compared with the derived ones. Largest difference, relative to the largest entry: ${figures}.`,
    ),
  );
}
