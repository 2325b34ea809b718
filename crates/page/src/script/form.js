// A form made from rows of an option table: one field a row, with its label, its default and what is wrong with it.

import { make } from "./dom.js";
import { forPage, prose } from "./prose.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OptionValue} OptionValue */
/** @typedef {Record<string, OptionValue>} OptionValues */

/** What the functions below need of a row. @typedef {Pick<Row, "key" | "kind"> & Partial<Row>} RowLike */

/**
 * What the page knows of a field beyond its row.
 * @typedef {object} Hints
 * @property {Record<string, string[]>} [choices]      a list to choose one from, for rows of a kind that would take any word
 * @property {Record<string, string[]>} [suggestions]  names that are offered while typing, for words and numbers
 * @property {Record<string, string>} [placeholders]   what holds where nothing is written, if it is not the row's default
 */

/**
 * @typedef {object} OptionForm
 * @property {HTMLElement} element
 * @property {(values: OptionValues) => void} set       shows these values
 * @property {() => OptionValues} values                the fields that are not empty
 * @property {(error: {message: string, help?: string} | null) => boolean} fail
 *   shows an error at the field that it names in backquotes, and says whether there is one; null removes all errors
 * @property {(hints: Hints) => void} hint              other lists and placeholders, without losing what was written
 */

/**
 * @typedef {object} Field
 * @property {Row} row
 * @property {HTMLElement} element
 * @property {HTMLElement} control
 * @property {HTMLElement} problem
 * @property {() => OptionValue | undefined} get
 * @property {(value: OptionValue | undefined) => void} set
 * @property {(hints: Hints) => void} hint
 */

let idCount = 0;

/**
 * An id that no other element has, for labels and descriptions.
 * @param {string} stem
 */
export function freshId(stem) {
  idCount += 1;
  return `${stem}-${idCount}`;
}

/**
 * The label of a row: its line of help, without what only the command line has.
 * @param {RowLike} row
 */
export function labelOf(row) {
  const text = forPage(row.help || row.key);
  return row.unit && !text.endsWith(`, ${row.unit}`) ? `${text}, ${row.unit}` : text;
}

/**
 * The key of the row that a message is about: the first that it names in backquotes.
 * @param {Row[]} rows
 * @param {string} message
 */
export function keyNamed(rows, message) {
  for (const [, name] of message.matchAll(/`(?:--)?([\w-]+)[^`]*`/g)) {
    const found = rows.find((row) => row.key === name || row.flag === name);
    if (found) return found.key;
  }
  return null;
}

/**
 * @param {Row[]} rows
 * @param {OptionValues} values
 * @param {(values: OptionValues, key: string) => void} onChange  when a field was left, or something was chosen
 * @param {Hints} [hints]
 * @returns {OptionForm}
 */
export function optionForm(rows, values, onChange, hints = {}) {
  const element = make("div", { class: "option-form" });
  const read = () => {
    /** @type {OptionValues} */
    const given = {};
    for (const field of fields) {
      const value = field.get();
      if (value !== undefined) given[field.row.key] = value;
    }
    return given;
  };
  /** @param {Field} field */
  const changed = (field) => {
    show(field, null);
    onChange(read(), field.row.key);
  };
  const fields = rows.map((row) => fieldOf(row, hints, changed));
  element.append(...fields.map((field) => field.element));
  /** @param {OptionValues} given */
  const set = (given) => {
    for (const field of fields) {
      if (!field.control.contains(document.activeElement)) field.set(given[field.row.key]);
    }
  };
  set(values);
  return {
    element,
    set,
    values: read,
    hint: (more) => fields.forEach((field) => field.hint(more)),
    fail: (error) => {
      for (const field of fields) show(field, null);
      if (!error) return false;
      const key = keyNamed(rows, `${error.message} ${error.help ?? ""}`);
      const field = fields.find((candidate) => candidate.row.key === key);
      if (!field) return false;
      show(field, error.help ? `${error.message}: ${error.help}` : error.message);
      return true;
    },
  };
}

/**
 * @param {Field} field
 * @param {string | null} problem
 */
function show(field, problem) {
  field.problem.replaceChildren(...prose(problem ?? ""));
  field.element.classList.toggle("is-wrong", problem !== null);
  const input = field.control.matches("input, select, textarea") ? field.control : field.control.querySelector("input, select, textarea");
  if (problem === null) input?.removeAttribute("aria-invalid");
  else input?.setAttribute("aria-invalid", "true");
}

/**
 * @param {Row} row
 * @param {Hints} hints
 * @param {(field: Field) => void} changed
 * @returns {Field}
 */
function fieldOf(row, hints, changed) {
  const id = freshId("option");
  const problem = make("span", { class: "option-problem", id: `${id}-problem`, role: "status" });
  const tell = () => changed(field);
  const choices = row.choices ?? hints.choices?.[row.key];
  const inner =
    row.kind === "switch" ? switchControl(id, tell)
    : choices ? choiceControl(id, row, choices, tell)
    : textControl(id, row, tell);
  for (const input of inner.control.matches("input, select") ? [inner.control] : inner.control.querySelectorAll("input, select")) {
    input.setAttribute("aria-describedby", problem.id);
  }
  const label = make("label", { class: "option-label", for: id }, labelOf(row), " ", make("code", { class: "quiet" }, row.key));
  const element = make("div", { class: `option option-${row.kind}` }, label, inner.control, problem);
  /** @type {Field} */
  const field = { row, element, problem, ...inner };
  field.hint(hints);
  return field;
}

/** @typedef {Pick<Field, "control" | "get" | "set" | "hint">} Control */

/**
 * @param {string} id
 * @param {() => void} tell
 * @returns {Control}
 */
function switchControl(id, tell) {
  const control = make("input", { type: "checkbox", id, onchange: tell });
  return {
    control,
    get: () => control.checked || undefined,
    set: (value) => { control.checked = value === true || value === "true"; },
    hint: () => {},
  };
}

/**
 * @param {string} id
 * @param {Row} row
 * @param {string[]} first
 * @param {() => void} tell
 * @returns {Control}
 */
function choiceControl(id, row, first, tell) {
  const control = make("select", { class: "field", id, onchange: tell });
  let shown = "";
  /** @param {string[]} choices */
  const fill = (choices) => {
    if (choices.join("\n") === shown) return;
    shown = choices.join("\n");
    const value = control.value;
    const empty = row.default && !choices.includes(row.default) ? `(${row.default})` : row.default || "(none)";
    const rest = choices.filter((choice) => choice !== row.default);
    control.replaceChildren(make("option", { value: "" }, empty), ...rest.map((choice) => make("option", { value: choice }, choice)));
    control.value = rest.includes(value) ? value : "";
  };
  fill(first);
  return {
    control,
    get: () => control.value || undefined,
    set: (value) => {
      const text = value === undefined ? "" : String(value);
      const wanted = text === row.default ? "" : text;
      // what the core knows and the list does not is shown all the same
      if (wanted && ![...control.options].some((option) => option.value === wanted)) control.append(make("option", { value: wanted }, wanted));
      control.value = wanted;
    },
    hint: (hints) => { if (hints.choices?.[row.key]) fill(hints.choices[row.key]); },
  };
}

/**
 * @param {string} id
 * @param {Row} row
 * @param {() => void} tell
 * @returns {Control}
 */
function textControl(id, row, tell) {
  const names = make("datalist", { id: `${id}-names` });
  const input = make("input", { class: "field", type: "text", id, list: names.id, autocomplete: "off", spellcheck: "false", onchange: tell });
  return {
    control: make("span", { class: "option-text" }, input, names),
    get: () => {
      const text = input.value.trim();
      return text === "" ? undefined : row.kind === "repeated" ? text.split(/\s*,\s*/).filter(Boolean) : text;
    },
    set: (value) => { input.value = value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value); },
    hint: (hints) => {
      const suggestions = hints.suggestions?.[row.key];
      if (suggestions) names.replaceChildren(...suggestions.map((name) => make("option", { value: name })));
      input.placeholder = hints.placeholders?.[row.key] ?? (row.default || (row.kind === "repeated" ? `${row.valueName}, …` : ""));
    },
  };
}
