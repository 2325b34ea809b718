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
 * @property {readonly { name: string }[]} coordinates
 * @property {readonly string[]} angles    coordinates that are angles
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
  if (example.model === model.name) return modest(question, example.options);
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
 * The example itself, with no more points than a first look needs.
 * @param {QuestionRow} question
 * @param {Readonly<Record<string, OptionValue>>} options
 */
function modest(question, options) {
  const given = { ...options };
  for (const { key, kind, valueName } of question.options) {
    const value = given[key];
    if (value === undefined || !valueName.startsWith("NAME=")) continue;
    const texts = [value].flat().map(String);
    const fewer = texts.map((text) => {
      const range = readRange(text);
      return writeRange({ ...range, count: fewerOf(range.count, texts.length) });
    });
    given[key] = kind === "repeated" ? fewer : fewer[0] ?? "";
  }
  return given;
}

/**
 * @param {string} count
 * @param {number} ranges   how many there are
 */
function fewerOf(count, ranges) {
  const most = ranges > 1 ? MAX_MAP_POINTS : MAX_POINTS;
  return count && String(Math.min(most, Number(count) || most));
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
  /** @type {Set<string>} */
  const used = new Set();
  const ranges = [];
  for (const text of texts) {
    const range = readRange(text);
    const count = fewerOf(range.count, texts.length);
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
  const isAngle = /\bdeg\b|\bpi\b/.test(`${range.from} ${range.to} ${range.values}`);
  // an angle's range means nothing to a length
  const name = moving.find((candidate) => !used.has(`${candidate}${mark}`) && (!isAngle || model.angles.includes(candidate)));
  return name ? { ...range, name: `${name}${mark}` } : null;
}
