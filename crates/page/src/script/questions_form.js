// The form of one question: what it answers, what it needs, its options, and how the same is asked in a terminal.
import { readExample } from "./command_line.js";
import { make } from "./dom.js";
import { optionForm } from "./form.js";
import { prose, sentence, titleOf } from "./prose.js";
import { rangeField } from "./range_field.js";
import { cellsOf } from "./range_text.js";
import { terminalLine } from "./terminal.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").QuestionRow} QuestionRow */
/** @typedef {import("./types.js").OptionValue} OptionValue */
/** @typedef {Record<string, OptionValue>} OptionValues */

/** As many options are seen at once. */
const FEW_OPTIONS = 3;
/** More motions than this are worth a warning. */
const MANY_CELLS = 2000;

/**
 * @param {App} app
 * @param {QuestionRow} question
 * @param {{ changed: (options: OptionValues) => void, ask: () => void, suggest: () => void, example: () => void }} actions
 */
export function createQuestionForm(app, question, actions) {
  const isRange = (/** @type {Row} */ row) => row.valueName.startsWith("NAME=");
  const ranges = question.options.filter(isRange).map((row) => rangeField(row, () => tell()));
  const { first, others } = sorted(question, isRange);
  const main = optionForm(first, {}, () => tell(), hintsOf(app, first));
  const more = optionForm(others, {}, () => tell(), hintsOf(app, others));
  const run = optionForm(question.runOptions, {}, () => tell(), hintsOf(app, question.runOptions));
  const terminal = terminalLine(app);
  /** What stood in the way last. */
  let blocked = "";
  const size = make("span", { class: "quiet" });
  const ask = make("button", { type: "submit", class: "button primary" }, "Ask");
  const problem = make("p", { class: "wrong", role: "status" });
  const moreFold = fold("More options", more.element);
  const runFold = fold("How motions are computed", run.element);
  /** Forms with what hides them. @type {{ form: import("./form.js").OptionForm, fold: HTMLDetailsElement | null }[]} */
  const forms = [{ form: main, fold: null }, { form: more, fold: moreFold }, { form: run, fold: runFold }];
  const element = make(
    "form",
    { class: "question-form stack", novalidate: true },
    make("header", {}, make("h2", {}, titleOf(question.name)), make("p", {}, sentence(question.summary)), question.needs ? make("p", { class: "quiet" }, `Needs ${question.needs}.`) : null),
    ...ranges.map((field) => field.element),
    first.length > 0 && main.element,
    others.length > 0 && moreFold,
    question.runOptions.length > 0 && runFold,
    make("div", { class: "row" }, ask, size, question.example && question.options.length > 0 && make("button", { type: "button", class: "button small", onclick: actions.suggest }, "Suggest values"), exampleButton(question, actions.example)),
    problem,
    terminal.element,
  );
  // at the first letter, and not when the field is left: the button that is being pressed would move away
  element.addEventListener("input", () => fail(null));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.ask();
  });

  /** @returns {OptionValues} */
  function values() {
    /** @type {OptionValues} */
    const given = Object.assign({}, ...forms.map(({ form }) => form.values()));
    for (const field of ranges) {
      const value = field.get();
      if (value !== undefined) given[field.row.key] = value;
    }
    return given;
  }

  function tell() {
    const given = values();
    describe(given);
    actions.changed(given);
  }

  /** @param {OptionValues} given */
  function describe(given) {
    terminal.show({ command: ["analyze", question.name], rows: [...question.options, ...question.runOptions], options: given });
    const varied = ranges.flatMap((field) => [given[field.row.key] ?? []].flat().map(String));
    const cells = varied.length ? cellsOf(varied) : null;
    size.textContent = cells === null || cells < 2 ? "" : cells > MANY_CELLS ? `${cells} motions: this takes a while` : `${cells} motions`;
  }

  /**
   * Shows what was refused at the field that it names; the answer shows it in any case.
   * @param {import("./types.js").Failure | null} error
   */
  function fail(error) {
    for (const field of ranges) field.fail(null);
    for (const { form } of forms) form.fail(null);
    problem.replaceChildren(...prose(blocked));
    if (error) shownAtField(error);
  }

  /**
   * @param {import("./types.js").Failure} error
   * @returns {boolean} whether a field shows it
   */
  function shownAtField({ message, help = "" }) {
    const named = [...`${message} ${help}`.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? "");
    const range = ranges.find((field) => named.includes(field.row.key) || [field.get() ?? []].flat().some((text) => named.some((name) => String(text).includes(name))));
    if (range) {
      range.fail([message, help].filter(Boolean).join(": "));
      return true;
    }
    const holder = Object.entries(values()).find(([, value]) => named.some((name) => [value].flat().map(String).includes(name)))?.[0];
    // a value that is refused by itself belongs to the field that holds it
    const tries = [{ message, help }, ...(holder ? [{ message: `\`${holder}\`: ${message}`, help }] : [])];
    for (const told of tries) {
      const refused = forms.find(({ form }) => form.fail(told));
      if (refused?.fold) refused.fold.open = true;
      if (refused) return true;
    }
    return false;
  }

  return {
    element,
    values,
    fail,
    /** @param {OptionValues} given */
    set(given) {
      describe(given);
      // what is already there is left alone, and with it the field that is just being entered
      if (isSame(given, values())) return;
      for (const { form } of forms) form.set(given);
      if (others.some(({ key }) => given[key] !== undefined)) moreFold.open = true;
      for (const field of ranges) field.set(given[field.row.key]);
    },
    /** The model has become another one: names are offered anew. */
    refresh() {
      main.hint(hintsOf(app, first));
      more.hint(hintsOf(app, others));
      run.hint(hintsOf(app, question.runOptions));
      for (const field of ranges) field.name(variedNames(app));
      describe(values());
    },
    /** @param {string} reason   why nothing can be asked now; empty if it can */
    block(reason) {
      ask.disabled = reason !== "";
      blocked = reason;
      problem.replaceChildren(...prose(reason));
    },
  };
}

/**
 * @param {OptionValues} one
 * @param {OptionValues} other
 */
function isSame(one, other) {
  const written = (/** @type {OptionValues} */ values) => JSON.stringify(Object.entries(values).map(([key, value]) => [key, String(value)]).sort());
  return written(one) === written(other);
}

/**
 * @param {string} title
 * @param {HTMLElement} content
 */
function fold(title, content) {
  return make("details", { class: "question-fold" }, make("summary", {}, title), content);
}

/**
 * The options that are seen at once, which are those of the example and a few more, and the others.
 * @param {QuestionRow} question
 * @param {(row: Row) => boolean} isRange   which has fields of its own
 */
function sorted({ example, options }, isRange) {
  const used = readExample(example, options).options;
  const plain = options.filter((row) => !isRange(row));
  const seen = new Set([...plain.filter((row) => row.key in used), ...plain].slice(0, plain.length <= FEW_OPTIONS + 1 ? undefined : FEW_OPTIONS));
  return { first: plain.filter((row) => seen.has(row)), others: plain.filter((row) => !seen.has(row)) };
}

/**
 * @param {QuestionRow} question
 * @param {() => void} open
 */
function exampleButton({ example }, open) {
  const model = example.trim().split(/\s/)[0];
  return model ? make("button", { type: "button", class: "button small", onclick: open }, `Open the example: ${model}`) : null;
}

/**
 * What can be varied: parameters and values at the start.
 * @param {App} app
 */
function variedNames(app) {
  const about = /** @type {any} */ (app.checked?.reply.about ?? {});
  const moving = (about.coordinates ?? []).map((/** @type {any} */ { name }) => name);
  const parameters = (about.parameters ?? []).filter((/** @type {any} */ { follows }) => !follows).map((/** @type {any} */ { name }) => name);
  return [...parameters, ...moving.flatMap((/** @type {string} */ name) => [name, `${name}'`]), ...(about.states ?? [])];
}

/**
 * Names of the model and of methods, for fields that take them.
 * @param {App} app
 * @param {readonly Row[]} rows
 * @returns {import("./form.js").Hints}
 */
function hintsOf(app, rows) {
  const about = /** @type {any} */ (app.checked?.reply.about ?? {});
  const names = (/** @type {any[] | undefined} */ list) => (list ?? []).map((entry) => (typeof entry === "string" ? entry : entry.name));
  const coordinates = names(about.coordinates);
  const columns = about.columns ? names(about.columns) : [...coordinates, ...coordinates.map((name) => `${name}'`), ...names(about.states), "kinetic", "potential", "energy", ...names(about.outputs), ...names(about.quantities), ...names(about.definitions)];
  const methods = (/** @type {"formulations" | "integrators"} */ kind) => app.catalogue[kind].map(({ name }) => name);
  /** @type {Record<string, string[]>} */
  const choices = {};
  /** @type {Record<string, string[]>} */
  const suggestions = {};
  for (const { key, valueName, kind } of rows) {
    if (key === "formulation" || key === "integrator") choices[key] = methods(key === "formulation" ? "formulations" : "integrators");
    else if (key === "formulations" || key === "integrators") suggestions[key] = methods(key);
    else if (valueName === "COORDINATE") suggestions[key] = coordinates;
    else if (valueName === "EVENT|FORMULA") suggestions[key] = names(about.events);
    else if (valueName === "COLUMN" || valueName === "NAME" || (kind === "words" && key.startsWith("col"))) suggestions[key] = columns;
  }
  return { choices, suggestions };
}
