// What the symbols of a derivation stand for: a table, and a note at the symbol under the pointer.
import { make } from "./dom.js";
import { shortNumber } from "./prose.js";
import { partsOf, symbolElement } from "./symbol.js";

/** @typedef {{ name: string, kind: string, meaning: string }} Symbol */

/** Letters that every derivation uses, unless the model has a quantity of that name. */
const COMMON = [
  ["T", "kinetic energy"],
  ["V", "potential energy"],
  ["D", "Rayleigh's function of friction: the forces are −∂D/∂q̇"],
  ["q", "all coordinates"],
  ["M", "mass matrix"],
  ["Q", "forces: everything that is neither M q̈ nor a constraint's force"],
  ["Phi", "constraints: formulas that stay 0"],
  ["lambda", "multipliers: the sizes of the constraints' forces"],
  ["gamma", "what the accelerations have to satisfy: Φ_q q̈ = γ"],
  ["t", "time"],
];

/**
 * The symbols of a model, the common letters last.
 * @param {import("./types.js").About | undefined} about
 * @returns {Symbol[]}
 */
export function symbolsOf(about) {
  /** @type {Symbol[]} */
  const symbols = [];
  const add = (/** @type {string} */ kind, /** @type {any[] | undefined} */ list, /** @type {(entry: any) => string} */ meaning) => {
    for (const entry of list ?? []) symbols.push({ name: typeof entry === "string" ? entry : entry.name, kind, meaning: meaning(entry) });
  };
  add("coordinate", about?.coordinates, ({ text }) => text);
  add("state", about?.states, () => "first-order state");
  add("parameter", about?.parameters, ({ value }) => shortNumber(value));
  add("definition", about?.definitions, () => "named formula");
  const known = new Set(symbols.map(({ name }) => name));
  for (const [name = "", meaning = ""] of COMMON) if (!known.has(name)) symbols.push({ name, kind: "common", meaning });
  return symbols;
}

/**
 * The letters of a name as they stand in a formula, without dots and indices' places.
 * @param {string} name
 */
function lettersOf(name) {
  const { letter, below } = partsOf(name);
  return `${letter}${below}`.replace(/[\s_]/g, "");
}

/**
 * A table of what the symbols mean.
 * @param {readonly Symbol[]} symbols
 */
export function symbolTable(symbols) {
  const rows = symbols.map(({ name, kind, meaning }) =>
    make("tr", {}, make("th", { scope: "row" }, symbolElement(name)), make("td", {}, kind === "common" ? "" : kind), make("td", {}, kind === "parameter" ? `= ${meaning}` : meaning)),
  );
  return make("table", {}, make("tbody", {}, ...rows));
}

/**
 * Shows what the symbol under the pointer stands for.
 * @param {HTMLElement} element   whose formulas are looked at
 * @param {() => readonly Symbol[]} symbols
 */
export function explainSymbols(element, symbols) {
  const note = make("div", { class: "equations-note card", hidden: true, "aria-hidden": "true" });
  element.append(note);
  element.addEventListener("pointerover", (event) => {
    const symbol = event.target instanceof Element ? symbolAt(event.target) : null;
    const found = symbol && meaningOf(symbol, symbols());
    note.hidden = !found;
    if (!found || !symbol) return;
    note.textContent = found;
    const box = symbol.getBoundingClientRect();
    const frame = element.getBoundingClientRect();
    note.style.left = `${Math.max(0, Math.min(box.left - frame.left, frame.width - note.offsetWidth))}px`;
    note.style.top = `${box.bottom - frame.top + 6}px`;
  });
  element.addEventListener("pointerleave", () => (note.hidden = true));
}

/**
 * The whole symbol around an element of a formula: the letter with its dots and its index.
 * @param {Element} element
 */
function symbolAt(element) {
  if (!["mi", "mo", "mn"].includes(element.localName)) return null;
  let symbol = element;
  for (let parent = symbol.parentElement; parent && ["mover", "msub", "msubsup"].includes(parent.localName); parent = symbol.parentElement) {
    // what is raised is a power of the symbol, not a part of it
    if (parent.localName === "msubsup" && parent.lastElementChild === symbol) return null;
    symbol = parent;
  }
  return symbol;
}

/**
 * @param {Element} symbol
 * @param {readonly Symbol[]} symbols
 */
function meaningOf(symbol, symbols) {
  const base = symbol.localName === "msubsup" ? [...symbol.children].slice(0, 2) : [symbol];
  const written = base.map((part) => part.textContent).join("");
  const dots = /¨|\u0308|′′|″/.test(written) ? 2 : /˙|\u0307|′/.test(written) ? 1 : 0;
  const letters = written.normalize("NFD").replace(/[˙¨\u0307\u0308′″\s_]/g, "");
  const found = symbols.find(({ name }) => lettersOf(name) === letters);
  if (!found) return null;
  const { name, kind, meaning } = found;
  const of = ["", "rate of ", "acceleration of "][dots];
  if (kind === "parameter") return `${name} = ${meaning}`;
  return kind === "common" ? `${of}${meaning}` : `${of}${name}: ${meaning}`;
}
