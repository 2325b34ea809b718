// What stands at a place of a model file: a formula, a name, a text for people.

/**
 * What a string of a model file means.
 * @typedef {"formula" | "text" | "name" | "joint-type" | "end" | "body" | "joint" | "formulation" | "integrator" | "shape" | "chain-start" | "drawing"} Role
 */

/** @type {Record<string, Role>} */
const NAMED_IN_ITEMS = { name: "name", between: "end", on: "end", carrier: "body", from: "body", joint: "joint" };

/** Sections that are made of items, `[[body]]`. */
const ITEM_SECTIONS = new Set(["body", "joint", "spring", "torsion-spring", "force", "torque", "motor"]);

/**
 * The role of a string under a key. The section is written without its brackets; the path has the key, and those of inline
 * tables after it.
 * @param {string} section
 * @param {readonly string[]} path
 * @returns {Role}
 */
export function roleOf(section, path) {
  const key = path[path.length - 1] ?? "";
  if (section === "") return "text";
  if (section === "coordinates") return "text";
  if (ITEM_SECTIONS.has(section)) return itemRole(section, path[0] ?? "");
  if (section === "run" && (key === "formulation" || key === "integrator")) return key;
  if (section === "chain" && key === "shape") return "shape";
  if (section === "chain" && key === "start") return "chain-start";
  if (section === "draw" && key === "as") return "drawing";
  return "formula";
}

/**
 * @param {string} section
 * @param {string} key
 * @returns {Role}
 */
function itemRole(section, key) {
  if (section === "joint" && key === "type") return "joint-type";
  if (section === "torsion-spring" && key === "between") return "body";
  if (section === "torque" && key === "on") return "body";
  return NAMED_IN_ITEMS[key] ?? "formula";
}
