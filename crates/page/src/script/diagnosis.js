// The diagnosis of a model: whether it can run, how many ways it can move, where it starts, and what would be taken to move it.
import { make } from "./dom.js";
import { counted, prose, sentence, shortNumber } from "./prose.js";

/** @typedef {import("./types.js").App} App */

/**
 * A diagnosis as `catena check --json` writes it.
 * @typedef {object} Diagnosis
 * @property {number} coordinates
 * @property {number} constraints
 * @property {number} states
 * @property {number | null} freedom_by_rank
 * @property {number} freedom_by_count
 * @property {string[]} angles
 * @property {{ solved: string[], values: StartValue[] } | null} start
 * @property {{ kinetic: number, potential: number } | null} energy
 * @property {{ message: string, help: string, can_run: boolean }[]} findings
 * @property {string[]} notes
 * @property {boolean} can_run
 *
 * @typedef {{ name: string, value: number, unit: string, degrees: number | null, rate: number | null, rate_unit: string }} StartValue
 */

/**
 * Puts the diagnosis into an element; it follows the model.
 * @param {HTMLElement} element
 * @param {App} app
 * @returns {{ element: HTMLElement, remove: () => void }}
 */
export function mountDiagnosis(element, app) {
  const box = make("section", { class: "diagnosis", "aria-label": "Diagnosis" });
  element.append(box);
  let verdict = "";
  /** Whether the reader has opened the start. */
  let isOpen = false;

  function show() {
    const reply = app.checked?.reply;
    if (!reply) return;
    const spoken = reply.diagnosis ? said(reply.diagnosis) : "";
    if (!reply.diagnosis) box.replaceChildren(make("p", { class: "quiet" }, "What the model can do is said here as soon as it is complete."));
    else box.replaceChildren(...contents(reply.diagnosis, reply, isOpen, (opened) => (isOpen = opened)));
    // the editor says that a text cannot be read; what could not be said before is said once
    if (spoken && verdict && spoken !== verdict) app.say(spoken);
    verdict = spoken || verdict;
  }
  const stop = app.onChecked(show);
  show();
  return {
    element: box,
    remove() {
      stop();
      box.remove();
    },
  };
}

/** @param {Diagnosis} diagnosis */
function said(diagnosis) {
  const stopping = diagnosis.findings.find((finding) => !finding.can_run);
  if (!diagnosis.can_run) return `The model cannot run${stopping ? `: ${stopping.message}` : ""}.`;
  return `The model can run: ${freedom(diagnosis)}.`;
}

/** @param {Diagnosis} diagnosis */
function freedom({ coordinates, states, freedom_by_rank: rank, freedom_by_count: count }) {
  if (coordinates === 0) return counted(states, "first-order state");
  return counted(rank ?? count, "degree of freedom", "degrees of freedom");
}

/**
 * @param {Diagnosis} diagnosis
 * @param {import("./types.js").ModelReply} reply
 * @param {boolean} isOpen
 * @param {(isOpen: boolean) => void} opened
 */
function contents(diagnosis, reply, isOpen, opened) {
  const { notes, can_run: canRun } = diagnosis;
  // what keeps it from running comes first
  const findings = [...diagnosis.findings].sort((one, other) => Number(one.can_run) - Number(other.can_run));
  const tone = !canRun ? "wrong" : findings.length ? "doubtful" : "good";
  const verdict = canRun ? `The model can run: ${freedom(diagnosis)}.` : "The model cannot run as it is.";
  const details = make("details", { open: isOpen }, make("summary", {}, "How it was counted, where it starts, what moves it"), ...more(diagnosis, reply));
  details.addEventListener("toggle", () => opened(details.open));
  return [
    make("p", { class: `diagnosis-verdict ${tone}` }, make("span", { "aria-hidden": "true" }, tone === "good" ? "✓ " : tone === "wrong" ? "✗ " : "! "), verdict),
    findings.length > 0 && make("ul", { class: "diagnosis-findings" }, ...findings.map(finding)),
    ...notes.map((note) => make("p", { class: "quiet" }, ...prose(sentence(note)))),
    details,
  ].filter((child) => child !== false);
}

/** @param {Diagnosis["findings"][number]} found */
function finding({ message, help, can_run: canRun }) {
  return make("li", { class: canRun ? "doubtful" : "wrong" }, make("p", {}, ...prose(sentence(message))), help ? make("p", { class: "quiet" }, ...prose(sentence(help))) : null);
}

/**
 * @param {Diagnosis} diagnosis
 * @param {import("./types.js").ModelReply} reply
 */
function more(diagnosis, reply) {
  const { start, energy, angles } = diagnosis;
  return [
    make("p", {}, ...countingOf(diagnosis)),
    angles.length > 0 && make("p", {}, "Angles, for which a full turn changes nothing: ", ...listed(angles), "."),
    ...(start ? startOf(start) : []),
    energy && make("p", {}, `Energy at the start: kinetic ${shortNumber(energy.kinetic)} J, potential ${shortNumber(energy.potential)} J, together ${shortNumber(energy.kinetic + energy.potential)} J.`),
    methods(reply),
  ].filter((child) => child !== false && child !== null);
}

/**
 * Degrees of freedom in two ways, and why they differ where they do.
 * @param {Diagnosis} diagnosis
 */
function countingOf({ coordinates, constraints, states, freedom_by_rank: rank, freedom_by_count: count }) {
  const parts = [];
  if (coordinates > 0) {
    parts.push(`${counted(coordinates, "coordinate")} less ${counted(constraints, "constraint")}: ${count} by count. `);
    if (rank === null) parts.push("Their rank is not known, because the start was not found. ");
    else if (rank === count) parts.push("All constraints are independent, so that the rank gives the same. ");
    else parts.push(`By rank only ${coordinates - rank} of the constraints are independent at the start, which leaves ${rank}. `);
  }
  if (states > 0) parts.push(`${counted(states, "first-order state")} with a rate of ${states === 1 ? "its" : "their"} own.`);
  return parts;
}

/** @param {readonly string[]} names */
function listed(names) {
  return names.flatMap((name, index) => [index ? ", " : "", make("code", {}, name)]);
}

/** @param {NonNullable<Diagnosis["start"]>} start */
function startOf({ solved, values }) {
  const hasDegrees = values.some(({ degrees }) => degrees !== null);
  const hasRates = values.some(({ rate }) => rate !== null);
  const withUnit = (/** @type {number | null} */ value, /** @type {string} */ unit) => (value === null ? "" : `${shortNumber(value)} ${unit}`.trim());
  const head = ["", "value", hasDegrees && "degrees", hasRates && "rate"].filter((cell) => cell !== false);
  const isSolved = new Set(solved);
  const rows = values.map(({ name, value, unit, degrees, rate, rate_unit: rateUnit }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("code", {}, name), isSolved.has(name) ? make("span", { class: "quiet" }, " solved") : null),
      make("td", {}, withUnit(value, unit)),
      hasDegrees && make("td", {}, degrees === null ? "" : `${shortNumber(degrees)}°`),
      hasRates && make("td", {}, withUnit(rate, rateUnit)),
    ),
  );
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, cell)))), make("tbody", {}, ...rows));
  const how = solved.length ? "The start was assembled: values marked as solved follow from the others." : "The start is taken as it is given.";
  return [make("p", {}, how), make("div", { class: "diagnosis-table", tabindex: "0", role: "region", "aria-label": "Values at the start" }, table)];
}

/**
 * What is taken where nobody names a method.
 * @param {import("./types.js").ModelReply} reply
 */
function methods({ methods: taken }) {
  /** @type {any} */
  const chosen = taken;
  if (!chosen) return null;
  if (chosen.message) return make("p", { class: "wrong" }, ...prose(sentence(chosen.message)), " ", ...prose(chosen.help ? sentence(chosen.help) : ""));
  const why = [chosen.why ?? []].flat().filter(Boolean);
  return make(
    "div",
    {},
    make("p", {}, "Unless you choose otherwise it is moved by ", make("code", {}, chosen.formulation), " with ", make("code", {}, chosen.integrator), "."),
    why.length > 0 && make("ul", { class: "quiet" }, ...why.map((/** @type {string} */ reason) => make("li", {}, ...prose(reason)))),
  );
}
