// Whether a question can be asked about a model: what the catalogue says that it needs, against what the model is.

import { counted } from "./prose.js";

/** @typedef {import("./types.js").ModelReply} ModelReply */

/**
 * Whether anything but the run depends on time: a drive, a motor, a load that comes and goes.
 * @param {any[]} outline
 */
function isDriven(outline) {
  const formulas = outline.filter(({ section }) => section && section !== "run" && section !== "coordinates").flatMap(({ keys = [] }) => keys);
  return formulas.some(({ value }) => /(^|[^\w'])t\b/.test(JSON.stringify(value?.json ?? "").replace(/"/g, " ")));
}

/**
 * Why a question cannot be asked about a model, as a sentence; empty where it can, or where nobody knows.
 * @param {string} needs   of the question, in the words of the catalogue
 * @param {ModelReply | null | undefined} reply   about the model
 */
export function misfit(needs, reply) {
  const { diagnosis, about, outline = [] } = reply ?? {};
  if (!diagnosis || !about) return "";
  const { coordinates, constraints, states } = diagnosis;
  const freedom = diagnosis.freedom_by_rank ?? diagnosis.freedom_by_count;
  const has = (/** @type {string} */ part) => needs.includes(part);
  if (has("degree of freedom") && coordinates === 0) return "This model has no coordinates, so there is no mechanism to drive.";
  if (has("degree of freedom") && freedom > 1) return `This model has ${counted(freedom, "degree of freedom", "degrees of freedom")}: a drive moves only what has one.`;
  if (has("frequency") && !isDriven(outline)) return "Nothing drives this model: none of its formulas contains the time t.";
  if (needs === "constraints" && constraints === 0) return "This model has no constraints.";
  if (has("chain") && !outline.some(({ keys = [] }) => keys.some((/** @type {any} */ { key }) => key === "links"))) return "This model is no chain: it has no links to count.";
  if ((has("goes on") || has("smooth")) && coordinates > 0 && freedom === 0 && states === 0) return "Nothing moves by itself here: motors prescribe the whole motion.";
  return "";
}
