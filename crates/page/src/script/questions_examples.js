// What to fill into the form of a question about a model that nobody has asked about yet: the example of the question, carried
// over to the names and values of the model.
import { readExample } from "./command_line.js";
import { namesIn, partsOf } from "./editor_outline.js";
import { readRange, writeRange } from "./range_text.js";

/** @typedef {import("./types.js").QuestionRow} QuestionRow */
/** @typedef {import("./types.js").OptionValue} OptionValue */

/**
 * What is known of a model.
 * @typedef {object} Known
 * @property {string} name
 * @property {readonly { name: string, value: number }[]} parameters
 * @property {readonly { name: string, angle?: boolean | null }[]} coordinates
 * @property {readonly string[]} states
 * @property {readonly string[]} given     coordinates with a value at the start, of which a drive may be one
 * @property {number | null} freedom       degrees of freedom, if they are known
 */

/** A first look needs no more points than these along one range, and along each of two. */
const MAX_POINTS = 60;
const MAX_MAP_POINTS = 40;
const FREQUENCY = /^(f|freq\w*|frequency|omega|Omega|w|nu|tune)\d*$/;

/**
 * @param {QuestionRow} question
 * @param {Known} model
 * @param {readonly { name: string, text: string }[]} systems
 * @returns {Record<string, OptionValue>}
 */
export function suggestedOptions(question, model, systems) {
  const rows = [...question.options, ...question.runOptions];
  const example = readExample(question.example, rows);
  if (example.model === model.name) return example.options;
  const text = systems.find(({ name }) => name === example.model)?.text ?? "";
  /** @type {Record<string, OptionValue>} */
  const options = {};
  for (const row of question.options) {
    const value = example.options[row.key];
    if (value === undefined) continue;
    if (row.valueName.startsWith("NAME=")) {
      const texts = [value].flat().map(String);
      const carried = carriedOver(texts, model, text);
      if (carried.length) options[row.key] = row.kind === "repeated" ? carried : carried[0] ?? "";
    } else if (row.valueName === "COORDINATE" && model.freedom !== 0) {
      const drive = model.given[0] ?? model.coordinates[0]?.name;
      if (drive) options[row.key] = drive;
    }
  }
  return options;
}

/**
 * Ranges of the example for the model: each name is exchanged for one of its kind that is not varied yet.
 * @param {readonly string[]} texts
 * @param {Known} model
 * @param {string} exampleText
 * @returns {string[]}
 */
function carriedOver(texts, model, exampleText) {
  const parts = partsOf(exampleText);
  const itsParameters = new Set(namesIn(parts, "parameters"));
  const most = texts.length > 1 ? MAX_MAP_POINTS : MAX_POINTS;
  /** @type {Set<string>} */
  const used = new Set();
  const ranges = [];
  for (const text of texts) {
    const range = readRange(text);
    const count = range.count && String(Math.min(most, Number(range.count) || most));
    const carried = itsParameters.has(range.name) ? overParameter(range, model, exampleText, used) : overStart(range, model, used);
    if (!carried) return [];
    used.add(carried.name);
    ranges.push(writeRange({ ...carried, count }));
  }
  return ranges;
}

/**
 * @param {import("./range_text.js").Range} range
 * @param {Known} model
 * @param {string} exampleText
 * @param {ReadonlySet<string>} used
 */
function overParameter(range, model, exampleText, used) {
  const free = model.parameters.filter(({ name, value }) => !used.has(name) && value !== 0);
  const isFrequency = FREQUENCY.test(range.name);
  const same = free.find(({ name }) => name === range.name);
  const alike = isFrequency ? free.find(({ name }) => FREQUENCY.test(name)) : free.find(({ name }) => name !== "g" && !FREQUENCY.test(name));
  const chosen = same ?? alike;
  if (!chosen) return null;
  const base = Number(new RegExp(`^${range.name}\\s*=\\s*"?([-+.\\deE]+)`, "m").exec(exampleText)?.[1] ?? NaN);
  const scaled = (/** @type {string} */ value) => {
    const number = (Number(value) / base) * chosen.value;
    return Number.isFinite(number) ? String(Number(number.toPrecision(3))) : value;
  };
  const values = range.values.split(",").map((value) => scaled(value.trim())).join(",");
  return { ...range, name: chosen.name, from: scaled(range.from), to: scaled(range.to), values: range.values && values };
}

/**
 * A value at the start: a coordinate for a coordinate, a rate for a rate.
 * @param {import("./range_text.js").Range} range
 * @param {Known} model
 * @param {ReadonlySet<string>} used
 */
function overStart(range, model, used) {
  const mark = range.name.endsWith("'") ? "'" : "";
  const moving = [...model.given, ...model.coordinates.map(({ name }) => name), ...(mark ? [] : model.states)];
  const name = moving.find((candidate) => !used.has(`${candidate}${mark}`));
  return name ? { ...range, name: `${name}${mark}` } : null;
}
