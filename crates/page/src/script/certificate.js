// The verdict on a run: always seen, and opened into all that is known about how good the run is.

import { make } from "./dom.js";
import { prose } from "./prose.js";
import { NOTHING } from "./runner.js";
import { symbolText } from "./symbol.js";

/** @typedef {import("./runner.js").RunState} RunState */

/**
 * A number of a certificate: two digits are all that an error estimate is worth.
 * @param {number} value
 * @param {number} [digits]
 */
export function short(value, digits = 2) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(Math.max(digits, size >= 1 ? Math.ceil(Math.log10(size + 1)) : digits))));
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${Number(exponent)}`;
}

/**
 * A duration as people say it.
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 1e-3) return `${short(seconds * 1e6, 3)} µs`;
  return seconds < 1 ? `${short(seconds * 1e3, 3)} ms` : `${short(seconds, 3)} s`;
}

/**
 * The figures of a certificate, in words.
 * @param {any} certificate
 * @returns {{term: string, text: string}[]}
 */
export function factsOf(certificate) {
  /** @type {{term: string, text: string}[]} */
  const facts = [];
  const add = (/** @type {string} */ term, /** @type {string} */ text) => facts.push({ term, text });
  const known = (/** @type {any} */ value) => typeof value === "number" && Number.isFinite(value);
  add("Method", `${certificate.formulation} with ${certificate.integrator}`);
  if (certificate.chosen?.length) add("Chosen because", certificate.chosen.join("; "));
  add("Reached", `t = ${short(certificate.time, 6)} s${certificate.stop === "finished" ? ", the end" : ""}`);
  if (certificate.reason) add("Stopped because", certificate.reason);
  if (known(certificate.error_estimate)) {
    const part = known(certificate.part_of_motion) ? `, ${short(100 * certificate.part_of_motion)} % of the motion` : "";
    const until = certificate.estimate_holds_until < certificate.time ? `; the estimate holds until ${short(certificate.estimate_holds_until, 3)} s` : "";
    add("Error", `coordinates and velocities are accurate to ${short(certificate.error_estimate)}${part}, by a second, more exact run${until}`);
  } else add("Error", "not estimated");
  if (certificate.chaotic) {
    const horizon = known(certificate.predictability_horizon) ? `; it can be predicted for ${short(certificate.predictability_horizon, 3)} s` : "";
    add("Chaos", `neighbouring motions part exponentially${horizon}`);
  }
  if (known(certificate.energy_residual)) {
    const start = known(certificate.energy) ? `${short(certificate.energy, 6)} J at the start, ` : "";
    add("Energy", `${start}balance kept to ${short(certificate.energy_residual)} J`);
  }
  if (known(certificate.constraint_error) && (certificate.constraint_error !== 0 || certificate.degrees_of_freedom)) {
    add("Constraints", `kept to ${short(certificate.constraint_error)}, their rates to ${short(certificate.constraint_rate_error)}`);
  }
  const freedom = certificate.degrees_of_freedom;
  if (freedom) add("Degrees of freedom", `${freedom.degrees} on ${freedom.rows - (freedom.raised?.rows ?? 0)} of ${freedom.rows} rows`);
  add("Steps", `${certificate.steps} taken, ${certificate.rejected} rejected, ${certificate.evaluations} evaluations${known(certificate.seconds) ? ` in ${duration(certificate.seconds)}` : ""}`);
  for (const remark of certificate.remarks ?? []) add("Remark", remark);
  return facts;
}

/**
 * The time up to which a chaotic motion is known, s; null where all of it is.
 * @param {any} certificate
 * @returns {number | null}
 */
export function knownUntil(certificate) {
  if (!certificate?.chaotic) return null;
  // the sentence has the time that was judged, rounded as it is said
  const said = /, up to ([\d.e+-]+) s:/.exec(certificate.verdict_reason ?? "")?.[1];
  const time = Number(said ?? certificate.estimate_holds_until);
  return time < certificate.time ? time : null;
}

/**
 * The badge and what it opens into.
 */
export function makeCertificate() {
  const word = make("strong", { class: "verdict-word" });
  const reason = make("span", { class: "verdict-reason" });
  const badge = make("summary", { class: "verdict-badge" }, word, reason);
  const facts = make("dl", { class: "verdict-facts" });
  const advice = make("p", { class: "verdict-advice" });
  const model = make("p", { class: "quiet small-text" });
  const close = (/** @type {Event} */ event) => {
    const isOutside = event instanceof KeyboardEvent ? event.key === "Escape" : !element.contains(/** @type {Node} */ (event.target));
    if (isOutside) element.open = false;
  };
  const listen = () => {
    const change = element.open ? document.addEventListener : document.removeEventListener;
    for (const type of ["pointerdown", "keydown"]) change.call(document, type, close);
  };
  const element = make("details", { class: "verdict is-empty", ontoggle: listen }, badge, make("div", { class: "verdict-body stack" }, advice, facts, model));

  /** @param {Readonly<RunState>} state */
  function show(state) {
    const { certificate, phase, error } = state;
    const isFirst = phase === "running" && !certificate;
    const grade = phase === "failed" ? "wrong" : phase === "certifying" || isFirst ? "pending" : certificate?.verdict ?? "empty";
    element.className = `verdict is-${grade}`;
    if (phase === "failed" && error) {
      word.textContent = "no result";
      reason.replaceChildren(...prose(error.message));
    } else if (!certificate) {
      word.textContent = isFirst ? "running" : "not run yet";
      reason.textContent = "";
    } else if (phase === "certifying" && certificate.stop === "finished") {
      word.textContent = "checking";
      reason.textContent = "a second, more exact run estimates the error";
    } else {
      word.textContent = certificate.verdict ?? "not judged";
      reason.replaceChildren(...prose(certificate.verdict_reason ?? ""));
    }
    const help = phase === "failed" ? error?.help : certificate?.verdict_advice;
    advice.replaceChildren(...prose(help ? `What helps: ${help}` : ""));
    advice.hidden = !help;
    facts.replaceChildren(...(certificate && phase !== "failed" ? factsOf(certificate) : []).flatMap(({ term, text }) => [make("dt", {}, term), make("dd", {}, ...prose(text))]));
    model.textContent = certificate?.model ? `Catena ${certificate.version}, model ${certificate.model}` : "";
  }
  show(NOTHING);
  return { element, show };
}

/**
 * The events of a run, in order of time.
 * @param {any} events  a table: names of events, times
 * @returns {{name: string, time: number}[]}
 */
export function eventsOf(events, /** @type {(text: string) => ArrayLike<number>} */ decode) {
  if (!Array.isArray(events)) return [];
  const names = events.find((column) => column.name === "event")?.texts ?? [];
  const times = events.find((column) => column.name === "t")?.values;
  if (!times) return [];
  const decoded = typeof times === "string" ? decode(times) : times;
  return names.map((/** @type {string} */ name, /** @type {number} */ at) => ({ name, time: decoded[at] }));
}

/** Of more events than this the first ones are listed. */
const MAX_EVENTS = 200;

/**
 * A list of events; one that is pressed moves the cursor.
 * @param {(time: number) => void} onSeek
 */
export function makeEvents(onSeek) {
  const list = make("ol", { class: "event-list" });
  const more = make("p", { class: "quiet small-text" });
  const count = make("span", { class: "quiet" });
  const element = make("details", { class: "events card", hidden: true }, make("summary", {}, "Events ", count), list, more);
  return {
    element,
    /** @param {{name: string, time: number}[]} events */
    show(events) {
      element.hidden = events.length === 0;
      count.textContent = `(${events.length})`;
      list.replaceChildren(...events.slice(0, MAX_EVENTS).map(({ name, time }) =>
        make("li", {}, make("button", { class: "button plain small", type: "button", onclick: () => onSeek(time) },
          make("span", {}, symbolText(name)), make("span", { class: "quiet event-time" }, `${short(time, 6)} s`)))));
      more.textContent = events.length > MAX_EVENTS ? `and ${events.length - MAX_EVENTS} more: Save writes them all` : "";
    },
  };
}
