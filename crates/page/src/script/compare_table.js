// The table of a comparison: one line a run, with what it costs, how wrong it is, and a button to take it.

import { make } from "./dom.js";
import { duration, short } from "./certificate.js";

/**
 * A run of a comparison, as the answer of the question has it.
 * @typedef {object} Outcome
 * @property {string} formulation
 * @property {string} integrator
 * @property {boolean} automatic       whether this is what `auto` takes
 * @property {number | null} tolerance
 * @property {number | null} step
 * @property {number | null} seconds
 * @property {number | null} steps
 * @property {number | null} evaluations
 * @property {number | null} error
 * @property {boolean} within_reference
 * @property {number | null} holds_until
 * @property {number | null} energy_residual
 * @property {number | null} constraint_error
 * @property {string | null} failure
 */

/** @param {Outcome} outcome */
export function outcomeName({ formulation, integrator, tolerance, step }) {
  const how = tolerance !== null && tolerance !== undefined ? `, ${short(tolerance)}` : step !== null && step !== undefined ? `, step ${short(step)} s` : "";
  return `${formulation}, ${integrator}${how}`;
}

/**
 * The options of the run that an outcome stands for, beyond those of the run that was compared.
 * @param {Outcome} outcome
 * @param {boolean} isListed   whether tolerances were listed: they are relative and absolute alike
 * @returns {Record<string, string>}
 */
export function outcomeOptions({ formulation, integrator, tolerance, step }, isListed) {
  /** @type {Record<string, string>} */
  const options = { formulation, integrator };
  if (isListed && typeof tolerance === "number") Object.assign(options, { rtol: String(tolerance), atol: String(tolerance) });
  if (typeof step === "number") options.step = String(step);
  return options;
}

/**
 * An error with what is known about it: no more than that of the reference, or only until the motions part.
 * @param {Outcome} outcome
 * @param {number} end
 */
export function errorText({ error, within_reference: isWithin, holds_until: until }, end) {
  if (typeof error !== "number") return "–";
  if (isWithin) return `≤ ${short(error)}`;
  return typeof until === "number" && until < end ? `≥ ${short(error)} at ${short(until, 3)} s` : short(error);
}

/**
 * The run that a recommendation names, as in "take `baumgarte` with `dop853` at tolerance 1e-8: ...".
 * @param {Outcome[]} outcomes
 * @param {string} recommendation
 * @returns {Outcome | undefined}
 */
export function recommended(outcomes, recommendation) {
  const [, formulation, rest] = /^take `([^`]+)`([^:]*)/.exec(recommendation) ?? [];
  const named = outcomes.filter((outcome) => outcome.formulation === formulation && [outcome.integrator, "auto"].some((name) => rest.includes(`\`${name}\``)) && !outcome.failure);
  const given = Number(/[\d.]+(?:e[-+]?\d+)?(?= *s?$)/.exec(rest ?? "")?.[0]);
  // numbers are rounded as they are said
  const isGiven = (/** @type {number | null} */ value) => typeof value === "number" && Math.abs(value - given) <= 0.05 * given;
  return named.length > 1 ? named.find(({ tolerance, step }) => isGiven(tolerance) || isGiven(step)) : named[0];
}

/**
 * @param {Outcome[]} outcomes
 * @param {Outcome | undefined} best   the one that is recommended
 * @param {(outcome: Outcome) => void} onTake
 */
export function makeCompareTable(outcomes, best, onTake) {
  const end = Math.max(0, ...outcomes.map(({ holds_until: until }) => until ?? 0));
  const number = (/** @type {number | null | undefined} */ value) => (typeof value === "number" ? short(value) : "–");
  const names = ["verdict", "formulation", "integrator"];
  const numbers = ["tolerance", "error", "energy, J", "constraints", "steps", "evaluations", "time"];
  const verdicts = outcomes.map(() => make("td", { class: "compare-verdict quiet" }, "…"));
  const rows = outcomes.map((outcome, at) => make("tr", { class: outcome === best ? "is-best" : null },
    verdicts[at],
    make("th", { scope: "row" }, outcome.formulation, outcome === best ? make("span", { class: "compare-best" }, "recommended") : null, outcome.automatic ? make("span", { class: "quiet small-text" }, " (auto)") : null),
    make("td", {}, outcome.integrator),
    make("td", { class: "number" }, outcome.tolerance === null ? number(outcome.step) : number(outcome.tolerance)),
    ...(outcome.failure
      ? [make("td", { colspan: 6, class: "wrong" }, outcome.failure)]
      : [errorText(outcome, end), number(outcome.energy_residual), number(outcome.constraint_error), String(outcome.steps ?? "–"), String(outcome.evaluations ?? "–"),
        typeof outcome.seconds === "number" ? duration(outcome.seconds) : "–"].map((text) => make("td", { class: "number" }, text))),
    make("td", {}, make("button", { class: "button small", type: "button", "aria-label": `take ${outcomeName(outcome)}`, onclick: () => onTake(outcome) }, "take"))));
  const element = make("div", { class: "compare-table", tabindex: 0, role: "region", "aria-label": "Table of the comparison" },
    make("table", {}, make("thead", {}, make("tr", {}, ...names.map((text) => make("th", { scope: "col" }, text)), ...numbers.map((text) => make("th", { scope: "col", class: "number" }, text)), make("td", {}))), make("tbody", {}, ...rows)));
  return {
    element,
    /** @param {number} at @param {string} verdict @param {string} reason */
    setVerdict(at, verdict, reason) {
      verdicts[at].className = `compare-verdict ${["good", "doubtful", "wrong"].includes(verdict) ? verdict : "quiet"}`;
      verdicts[at].textContent = verdict;
      verdicts[at].title = reason;
    },
  };
}
