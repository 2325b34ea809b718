// What completion knows: the language from the catalogue, names from the text, and those of the model as it was last read.
import { partsOf } from "./editor_outline.js";

/** @typedef {import("./types.js").App} App */

/** The types of joints, for catalogues that do not list them. */
export const JOINT_TYPES = ["revolute", "prismatic", "weld", "distance", "pin-in-slot", "gear", "rack", "cam-follower"];

/**
 * @param {App} app
 * @param {string} text
 * @returns {import("./editor_completions.js").Knowledge}
 */
export function knowledgeOf(app, text) {
  const { catalogue } = app;
  /** @type {any} */
  const about = app.checked?.reply.about ?? {};
  const named = (/** @type {any[]} */ list, /** @type {string} */ detail) => (list ?? []).map((entry) => ({ name: typeof entry === "string" ? entry : entry.name, detail }));
  return {
    parts: partsOf(text),
    sections: catalogue.sections,
    functions: catalogue.functions,
    units: catalogue.units,
    formulations: catalogue.formulations.map(({ name }) => name),
    integrators: catalogue.integrators.map(({ name }) => name),
    joints: /** @type {any} */ (catalogue).joints ?? JOINT_TYPES,
    names: [
      ...named(about.parameters, "parameter"),
      ...named(about.coordinates, "coordinate"),
      ...named(about.states, "state"),
      ...named(about.definitions, "definition"),
      ...named(about.outputs, "output"),
    ],
  };
}
