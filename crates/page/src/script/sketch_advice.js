// What stands in the way of a motion, and what to do next.
import { icon, make } from "./dom.js";
import { prose, sentence } from "./prose.js";
import { floating } from "./sketch_model.js";

/** @typedef {import("./sketch_board.js").Board} Board */
/** @typedef {{ kind: "good" | "next" | "wrong", text: string, help: string, tool?: string }} Advice */

/**
 * @param {Board} board
 * @param {any} reply   to the newest `model` request
 * @returns {Advice}
 */
export function adviceOf(board, reply) {
  const { draft } = board;
  const problem = reply?.problems?.[0];
  if (board.isBroken) {
    const line = problem?.place?.line;
    return { kind: "wrong", text: `The text cannot be read${line ? `, line ${line}` : ""}: ${problem?.message ?? ""}`, help: problem?.help ?? "The drawing shows the text as it was before." };
  }
  if (!draft) return { kind: "next", text: "", help: "" };
  const { mechanism } = draft;
  if (mechanism.bodies.length === 0) {
    const help = mechanism.ground.length ? "Take the link tool (L) and draw from the support on the ground to where the first link ends." : "Take the link tool (L) and drag from one end of the first link to the other.";
    return { kind: "next", text: "Draw a link.", help, tool: "link" };
  }
  const loose = [...floating(mechanism)].filter((at) => !mechanism.bodies[at].free);
  if (loose.length > 0) {
    const name = mechanism.bodies[loose[0]].name;
    const isWhole = loose.length === mechanism.bodies.length;
    const text = isWhole ? "Fix a point to the ground." : `${name} is not joined to the rest.`;
    const help = isWhole ? `Take the pin tool (P) and click an end of ${name}.` : `Pin it to the ground (P, then its end), or draw a link from it to another joint.`;
    return { kind: "next", text, help, tool: "pin" };
  }
  if (problem) return { kind: "wrong", text: problem.message, help: problem.help ?? "" };
  return reply?.diagnosis ? ofDiagnosis(reply.diagnosis, mechanism.motors.length > 0) : { kind: "next", text: "", help: "" };
}

/** @param {any} diagnosis @param {boolean} isDriven @returns {Advice} */
function ofDiagnosis(diagnosis, isDriven) {
  const stopping = diagnosis.findings.find((/** @type {any} */ finding) => !finding.can_run);
  if (stopping) return { kind: "wrong", text: stopping.message, help: stopping.help ?? "" };
  const freedom = diagnosis.freedom_by_rank ?? diagnosis.freedom_by_count;
  const finding = diagnosis.findings[0];
  if (finding) return { kind: "next", text: finding.message, help: finding.help ?? "" };
  if (freedom === 0 && isDriven) return { kind: "good", text: "It moves as its motor says.", help: "0 degrees of freedom are left." };
  if (freedom === 0) return { kind: "next", text: "It cannot move: 0 degrees of freedom.", help: "Take a link or a joint out, or make a weld a pin.", tool: "delete" };
  const count = freedom === 1 ? "1 degree of freedom" : `${freedom} degrees of freedom`;
  return { kind: "good", text: `It can move: ${count}.`, help: "Its weight and what acts on it move it; a motor (M) would drive it." };
}

/**
 * The box below the drawing.
 * @param {import("./types.js").App} app
 * @param {Board} board
 * @param {HTMLElement} surface
 */
export function adviceBox(app, board, surface) {
  const element = make("div", { class: "sk-advice" });
  let shown = "";
  function show() {
    const reply = app.checked && app.checked.request.model.text === app.state.model.text ? app.checked.reply : null;
    if (!reply && !board.isBroken && board.draft?.mechanism.bodies.length) return;
    const { kind, text, help, tool } = adviceOf(board, reply);
    const now = `${kind} ${text} ${help}`;
    if (now === shown) return;
    shown = now;
    element.className = `sk-advice sk-${kind}`;
    const run = kind === "good" ? make("button", { type: "button", class: "button primary", onclick: () => app.go("motion") }, icon("M7 4v16l13-8z"), "See it move") : null;
    const take = tool && tool !== "delete" ? make("button", { type: "button", class: "button small", onclick: () => { board.choose(tool); surface.focus(); } }, `Take the ${tool} tool`) : null;
    const said = text && sentence(text);
    const head = /^[^:]*:?/.exec(said)?.[0] ?? "";
    element.replaceChildren(make("p", {}, make("strong", {}, ...prose(head)), ...prose(`${said.slice(head.length)} ${help && sentence(help)}`)), ...[run, take].filter((button) => button !== null));
  }
  return { element, show };
}
