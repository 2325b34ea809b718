// Sentences of the core as the page shows them: names in backquotes become code, numbers are short.
import { make } from "./dom.js";

/** What the core advises for a terminal, and what the page has instead. @type {[RegExp, string][]} */
const IN_THE_PAGE = [
  [/`catena new FILE` writes a model to start from|see `catena new`/, "the gallery has models to start from"],
  [/ \(see `catena list \w+`\)/, ""],
  [/, or --set \w+=\S+/, ", or move its slider"],
  [/for instance --set L2=0\.8 or --set "theta2'=12"/, "for instance 0.8, or 12 deg"],
  [/`catena check --penalty`/, "the question `penalty`"],
  [/is made by `catena sweep`/, "is made by the question `classify`"],
  [/`--certify`/, "`certify` under Methods"],
  [/`catena check`/, "the diagnosis in the build view"],
  [/(^|[\s(`])--([a-z][\w-]*)/g, "$1$2"],
];

/**
 * A text of the core with the words of the page where it has those of a terminal.
 * @param {string} text
 */
export function forPage(text) {
  return IN_THE_PAGE.reduce((said, [there, here]) => said.replace(there, here), text);
}

/**
 * The pieces of a text, with what stands in backquotes as code.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function prose(text) {
  return forPage(text).split(/`([^`]*)`/).map((piece, index) => (index % 2 ? make("code", {}, piece) : piece));
}

/**
 * A message of the core, which begins in lower case and ends without a full stop, as a sentence.
 * @param {string} text
 */
export function sentence(text) {
  // names of files and quantities stay as they are
  const begun = /^(a|[a-z]{2,}(['’-][a-z]+)*[,;:]?)( |$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?:)]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * A number with as many digits as one reads.
 * @param {number | null | undefined} value
 * @param {number} [digits]   that count
 */
export function shortNumber(value, digits = 6) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? tenPower(value, digits) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}

/**
 * @param {number} value
 * @param {number} digits
 */
function tenPower(value, digits) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  const [mantissa = "", exponent = "0"] = value.toExponential(Math.min(digits, 4) - 1).split("e");
  const raised = [...String(Number(exponent))].map((sign) => (sign === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? ""))).join("");
  return `${Number(mantissa)}×10${raised}`;
}

/**
 * A count with its noun.
 * @param {number} count
 * @param {string} noun
 * @param {string} [plural]
 */
export function counted(count, noun, plural = `${noun}s`) {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * A name or a few words as a heading.
 * @param {string} name
 */
export function titleOf(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
