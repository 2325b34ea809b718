// Fields for what is varied: a name of the model, from where to where, and how many values; one line for each range.
import { make } from "./dom.js";
import { prose } from "./prose.js";
import { NO_RANGE, readRange, writeRange } from "./range_text.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OptionValue} OptionValue */
/** @typedef {import("./range_text.js").Range} Range */

/**
 * @typedef {object} RangeField
 * @property {HTMLElement} element
 * @property {Row} row
 * @property {() => OptionValue | undefined} get
 * @property {(value: OptionValue | undefined) => void} set
 * @property {(names: readonly string[]) => void} name   what can be varied
 * @property {(text: string | null) => void} fail
 */

let made = 0;

/**
 * @param {Row} row   whose values are NAME=RANGE
 * @param {() => void} changed
 * @returns {RangeField}
 */
export function rangeField(row, changed) {
  const id = `range-${++made}`;
  const hasCount = !/FROM:TO$/.test(row.valueName);
  const names = make("datalist", { id: `${id}-names` });
  const lines = make("div", { class: "range-lines" });
  const problem = make("p", { class: "option-problem", id: `${id}-problem`, role: "status" });
  const more = make("button", { type: "button", class: "button small", onclick: () => add(NO_RANGE).focus() }, "Vary another one");
  more.hidden = row.kind !== "repeated";
  const element = make("fieldset", { class: "range-field" }, make("legend", {}, ...label(row)), lines, more, problem, names);
  /** @type {(() => string)[]} */
  let readers = [];

  /** @param {Range} range */
  function add(range) {
    const line = rangeLine(range, { names: names.id, hasCount, problem: problem.id, changed });
    readers.push(line.read);
    const drop = make("button", { type: "button", class: "button small plain", "aria-label": "Do not vary this", title: "Do not vary this" }, "×");
    drop.addEventListener("click", () => {
      readers = readers.filter((reader) => reader !== line.read);
      line.element.remove();
      if (!readers.length) add(NO_RANGE);
      changed();
    });
    line.element.append(drop);
    lines.append(line.element);
    return line.first;
  }

  add(NO_RANGE);
  return {
    element,
    row,
    get() {
      const texts = readers.map((read) => read()).filter(Boolean);
      if (!texts.length) return undefined;
      return row.kind === "repeated" ? texts : texts[0];
    },
    set(value) {
      if (element.contains(document.activeElement)) return;
      const texts = value === undefined ? [] : [value].flat().map(String);
      readers = [];
      lines.replaceChildren();
      for (const text of texts.length ? texts : [""]) add(readRange(text));
    },
    name: (list) => names.replaceChildren(...list.map((value) => make("option", { value }))),
    fail(text) {
      problem.replaceChildren(...prose(text ?? ""));
      element.classList.toggle("is-wrong", text !== null);
    },
  };
}

/**
 * The help of the row without how it is typed, which these fields do instead.
 * @param {Row} row
 */
function label(row) {
  const text = row.help.split(/: ?NAME=/)[0] ?? row.help;
  return [text, " ", make("code", { class: "quiet" }, row.key)];
}

/**
 * @param {Range} range
 * @param {{ names: string, hasCount: boolean, problem: string, changed: () => void }} around
 */
function rangeLine(range, { names, hasCount, problem, changed }) {
  /**
   * @param {string} value
   * @param {Record<string, any>} [more]
   */
  const input = (value, more = {}) => make("input", { class: "field", type: "text", value, "aria-describedby": problem, autocomplete: "off", spellcheck: "false", onchange: changed, ...more });
  const labelled = (/** @type {string} */ text, /** @type {HTMLElement} */ field) => make("label", {}, text, field);
  const name = input(range.name, { list: names });
  const from = input(range.from);
  const to = input(range.to);
  const count = input(range.count, { inputmode: "numeric" });
  const values = input(range.values, { placeholder: "0.5, 1, 2" });
  const way = make("select", { class: "field" }, ...[["steps", "in equal steps"], ["log", "in equal ratios"], ["values", "these values"]].map(([value = "", text = ""]) => make("option", { value }, text)));
  way.value = range.way;
  const show = () => {
    const isList = way.value === "values";
    for (const field of [fields.from, fields.to]) field.hidden = isList;
    fields.count.hidden = isList || !hasCount;
    fields.values.hidden = !isList;
  };
  const fields = {
    name: labelled("vary", name),
    from: labelled("from", from),
    to: labelled("to", to),
    count: labelled("number of values", count),
    values: labelled("values, with commas", values),
    way: labelled("spaced", way),
  };
  fields.way.hidden = !hasCount;
  way.addEventListener("change", () => {
    show();
    changed();
  });
  show();
  const read = () => writeRange({ name: name.value.trim(), way: /** @type {Range["way"]} */ (way.value), from: from.value, to: to.value, count: count.value, values: values.value });
  return { element: make("div", { class: "range-line" }, ...Object.values(fields)), read, first: name };
}
