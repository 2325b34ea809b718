// How the model is run: formulation and integrator, which `auto` chooses and explains, and everything else in a form.

import { make } from "./dom.js";
import { freshId, optionForm } from "./form.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Method} Method */
/** @typedef {import("./types.js").OptionValue} OptionValue */
/** @typedef {import("./types.js").ModelReply} ModelReply */
/** @typedef {Record<string, OptionValue>} RunValues */

/** Rows that have a place of their own, or none in a page that shows every column. */
const ELSEWHERE = ["formulation", "integrator", "with", "columns", "t_end"];
const MANY_REASONS = 3;

/**
 * The options of a method that the options of a run do not have, as rows of a form.
 * @param {Method | undefined} method
 * @param {Row[]} runOptions
 * @returns {Row[]}
 */
export function methodRows(method, runOptions) {
  const known = new Set(runOptions.map((row) => row.key));
  return (method?.options ?? []).flatMap((option) => {
    const { key, name, help = "", unit = "", default: value } = /** @type {any} */ (option);
    const own = key ?? name;
    if (known.has(own)) return [];
    return [{ key: own, flag: own, valueName: "", unit: unit ?? "", kind: /** @type {const} */ ("word"), default: value === null || value === undefined ? "" : String(value), help }];
  });
}

/**
 * `with` of a run as values by name, and back.
 * @param {OptionValue | undefined} texts
 * @returns {Record<string, string>}
 */
export function withValues(texts) {
  const list = Array.isArray(texts) ? texts : texts === undefined ? [] : [String(texts)];
  return Object.fromEntries(list.flatMap((text) => {
    const at = text.indexOf("=");
    return at > 0 ? [[text.slice(0, at).trim(), text.slice(at + 1).trim()]] : [];
  }));
}

/** @param {RunValues} values */
export const withTexts = (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`);

/**
 * @param {App} app
 * @param {(run: RunValues, label: string) => void} onChange
 */
export function makeMethods(app, onChange) {
  const { catalogue } = app;
  const reason = make("ul", { class: "quiet small-text method-why" });
  const formulation = methodSelect("Formulation", "how constraints enter", catalogue.formulations, (name) => choose("formulation", name));
  const integrator = methodSelect("Integrator", "how time advances", catalogue.integrators, (name) => choose("integrator", name));
  const rows = catalogue.runOptions.filter((row) => !ELSEWHERE.includes(row.key));
  const form = optionForm(rows, {}, (values) => onChange(kept({ ...values }), "options of the run"));
  const own = make("div", { class: "method-own stack" });
  const element = make("section", { class: "card stack methods", "aria-label": "Methods" },
    make("h3", {}, "Methods"), make("div", { class: "method-selects" }, formulation.element, integrator.element), reason,
    make("details", { class: "method-more" }, make("summary", {}, "Tolerances, steps, rows"), form.element, own));
  /** @type {RunValues} */
  let run = {};
  let builtFor = "";

  /** What the form does not have stays. @param {RunValues} values */
  const kept = (values) => {
    for (const key of ELSEWHERE) if (run[key] !== undefined) values[key] = run[key];
    return values;
  };
  /** @param {string} key @param {string} name */
  const choose = (key, name) => {
    const { [key]: _, with: __, ...rest } = run;
    // options of the method before mean nothing to this one
    onChange(name === "auto" ? rest : { ...rest, [key]: name }, `${key} ${name}`);
  };
  /** @param {string[]} names */
  function buildOwn(names) {
    const key = names.join(" ");
    if (key === builtFor) return;
    builtFor = key;
    const methods = [catalogue.formulations.find(({ name }) => name === names[0]), catalogue.integrators.find(({ name }) => name === names[1])];
    own.replaceChildren(...methods.flatMap((method) => {
      const options = methodRows(method, catalogue.runOptions);
      if (!method || options.length === 0) return [];
      const others = Object.fromEntries(Object.entries(withValues(run.with)).filter(([name]) => !options.some((row) => row.key === name)));
      const inner = optionForm(options, withValues(run.with), (values) => {
        const texts = withTexts({ ...others, ...values });
        const { with: _, ...rest } = run;
        onChange(texts.length ? { ...rest, with: texts } : rest, `options of ${method.name}`);
      });
      return [make("h4", {}, `Options of ${method.name}`), inner.element];
    }));
  }

  return {
    element,
    /** @param {import("./types.js").Failure | null} error */
    fail: (error) => form.fail(error),
    /**
     * @param {RunValues} values
     * @param {ModelReply | null} reply
     */
    show(values, reply) {
      run = values;
      const automatic = reply?.methods;
      const given = [String(values.formulation ?? "auto"), String(values.integrator ?? "auto")];
      formulation.show(given[0], automatic?.formulation);
      integrator.show(given[1], automatic?.integrator);
      const why = [automatic?.why ?? []].flat();
      const shown = why.slice(0, MANY_REASONS).filter((/** @type {string} */ _, /** @type {number} */ at) => given[Math.min(at, 1)] === "auto");
      reason.replaceChildren(...shown.map((/** @type {string} */ text) => make("li", {}, text)));
      form.set(values);
      const settings = /** @type {any} */ (automatic ?? {});
      /** @type {Record<string, string>} */
      const placeholders = {};
      for (const key of ["t_start", "every"]) if (typeof settings[key] === "number") placeholders[key] = String(settings[key]);
      form.hint({ placeholders });
      buildOwn([given[0] === "auto" ? automatic?.formulation ?? "" : given[0], given[1] === "auto" ? automatic?.integrator ?? "" : given[1]]);
    },
  };
}

/**
 * @param {string} label
 * @param {string} about
 * @param {Method[]} methods
 * @param {(name: string) => void} onChoose
 */
function methodSelect(label, about, methods, onChoose) {
  const id = freshId("method");
  const automatic = make("option", { value: "auto" }, "auto");
  const summary = make("span", { class: "quiet small-text" });
  const select = make("select", { class: "field", id, onchange: () => onChoose(select.value) }, automatic,
    ...methods.map(({ name, summary: text, reference }) => make("option", { value: name, title: `${text} (${reference})` }, name)));
  return {
    element: make("div", { class: "method" }, make("label", { for: id }, label, " ", make("span", { class: "quiet small-text" }, about)), select, summary),
    /** @param {string} name @param {string | undefined} taken */
    show(name, taken) {
      automatic.textContent = taken ? `auto: ${taken}` : "auto";
      if (![...select.options].some((option) => option.value === name)) select.append(make("option", { value: name }, name));
      select.value = name;
      const method = methods.find((candidate) => candidate.name === name);
      summary.textContent = method ? `${method.summary} (${method.reference})` : "";
    },
  };
}
