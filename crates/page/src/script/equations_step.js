// One step of a derivation: its title, what it does in words, its formulas, and how much of them is shown.
import { copyButton } from "./clipboard.js";
import { make, parsed } from "./dom.js";
import { prose } from "./prose.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").DeriveStep} DeriveStep */
/** @typedef {import("./types.js").Statement} Statement */

/** Formulas are set as far as their markup stays below this, characters; the rest is set when it is asked for. */
export const READABLE = 60_000;

/**
 * The markup of a step's formulas, characters.
 * @param {DeriveStep} step
 */
export function sizeOf({ statements }) {
  return statements.reduce((sum, { mathml }) => sum + mathml.length, 0);
}

/**
 * The formulas of a step as LaTeX, to be put into a document.
 * @param {DeriveStep} step
 */
export function stepLatex({ title, statements }) {
  const lines = statements.map(({ intro, latex }) => `${intro ? `${intro}\n` : ""}\\[ ${latex} \\]`);
  return [`% ${title}`, ...lines].join("\n");
}

/**
 * A step that can be folded. Its formulas are set when it is first opened.
 * @param {App} app
 * @param {DeriveStep} step
 * @param {boolean} isOpen
 */
export function stepElement(app, step, isOpen) {
  const body = make("div", { class: "equations-body" });
  const element = make(
    "details",
    { class: "equations-step card" },
    make("summary", {}, make("h3", {}, `${step.number}. ${step.title}`), make("span", { class: "quiet" }, sizeNote(step))),
    body,
  );
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    const copy = copyButton(app, "Copy LaTeX", `step ${step.number}`, () => stepLatex(step));
    body.append(make("div", { class: "equations-intro" }, make("p", { class: "equations-words" }, ...prose(step.explanation)), copy), ...some(app, step.statements));
  };
  // before the event that reports it, so that a fold does not open empty
  element.addEventListener("toggle", () => element.open && fill());
  if (isOpen) {
    fill();
    element.open = true;
  }
  return { element, fill };
}

/** @param {DeriveStep} step */
function sizeNote({ statements }) {
  return statements.length > 1 ? `${statements.length} formulas` : "";
}

/**
 * As many formulas as are readable, and a button for as many more.
 * @param {App} app
 * @param {readonly Statement[]} statements
 * @returns {HTMLElement[]}
 */
function some(app, statements) {
  let size = 0;
  const count = statements.findIndex((statement, index) => (size += statement.mathml.length) > READABLE && index > 0);
  if (count < 0) return statements.map((statement) => statementElement(app, statement));
  const rest = statements.slice(count);
  const more = make("button", { type: "button", class: "button small" }, rest.length === 1 ? "Show the last formula" : `Show more of the ${rest.length} formulas that are left`);
  const box = make("p", {}, more);
  more.addEventListener("click", () => {
    const made = some(app, rest);
    box.replaceWith(...made);
    made[0]?.querySelector("button")?.focus({ preventScroll: true });
  });
  return [...statements.slice(0, count).map((statement) => statementElement(app, statement)), box];
}

/**
 * @param {App} app
 * @param {Statement} statement
 */
function statementElement(app, { intro, text, latex, mathml }) {
  const formula = formulaElement(mathml, text);
  const copy = copyButton(app, "LaTeX", `the formula ${text.split("=")[0]?.trim().slice(0, 40) ?? ""}`, () => latex);
  return make(
    "div",
    { class: "equations-statement" },
    intro ? make("p", { class: "equations-words quiet" }, ...prose(intro)) : null,
    make("div", { class: "equations-line" }, make("div", { class: "equations-formula", role: "group", "aria-label": "Formula" }, formula), copy),
  );
}

/**
 * Mathematics as the browser sets it, or as text where it cannot.
 * @param {string} mathml
 * @param {string} text
 */
function formulaElement(mathml, text) {
  // outside of a page of HTML the namespace has to be said; how lines are set is said by the page's own style
  const markup = mathml.replace(/^<math\b(?![^>]*\bxmlns=)/, '<math xmlns="http://www.w3.org/1998/Math/MathML"').replaceAll(/ style="[^"]*"/g, "");
  const root = parsed(markup, "application/xml");
  return root ?? make("pre", {}, text);
}
