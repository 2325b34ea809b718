// Which values of a part can be changed in its box: a row for every key that the model language has.
import { massRule } from "./sketch_bodies.js";
import { itemNamed, keyOf, tableOf, valueOf } from "./text_outline.js";

/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_spots.js").Item} Item */
/** @typedef {import("./text_outline.js").OutlineSection} OutlineSection */
/** @typedef {import("./text_outline.js").OutlineValue} OutlineValue */

/**
 * @typedef {object} Field
 * @property {string} key
 * @property {string} label
 * @property {string} [unit]
 * @property {"value" | "pair" | "flag" | "name" | "fixed"} kind
 * @property {string} text        as it stands in the file; empty if it does not
 * @property {string} [hint]      what holds if nothing stands there
 * @property {OutlineSection | "initial"} owner   where the key stands
 */

/** @typedef {[key: string, label: string, unit: string, kind: "value" | "pair" | "flag", hint?: string]} Row */

/** @type {Record<string, Row[]>} */
const ROWS = {
  body: [
    ["mass", "mass", "kg", "value"],
    ["length", "length", "m", "value", "none: no rod"],
    ["inertia", "inertia", "kg m²", "value", "of the rod"],
    ["centre", "centre of mass", "m", "pair", "middle of the rod"],
    ["angle", "start angle", "rad", "value", "follows"],
    ["x", "start x", "m", "value", "follows"],
    ["y", "start y", "m", "value", "follows"],
    ["free", "flies freely", "", "flag"],
  ],
  spring: [["stiffness", "stiffness", "N/m", "value"], ["length", "free length", "m", "value", "0"], ["damping", "damping", "N s/m", "value", "0"]],
  "torsion-spring": [["stiffness", "stiffness", "N m/rad", "value"], ["angle", "angle at ease", "rad", "value", "0"], ["damping", "damping", "N m s", "value", "0"]],
  force: [["x", "along x", "N", "value", "0"], ["y", "along y", "N", "value", "0"]],
  torque: [["value", "torque", "N m", "value"]],
};

/** @type {Record<string, Row[]>} */
const JOINT_ROWS = {
  revolute: [["friction", "friction", "N m s", "value", "0"]],
  prismatic: [["axis", "axis", "", "pair"], ["angle", "held angle", "rad", "value", "0"], ["friction", "friction", "N s/m", "value", "0"]],
  weld: [["angle", "held angle", "rad", "value", "0"]],
  distance: [["length", "length", "m", "value"]],
  "pin-in-slot": [["axis", "axis", "", "pair"], ["friction", "friction", "N s/m", "value", "0"]],
  gear: [["ratio", "ratio", "", "value"], ["offset", "offset", "rad", "value", "0"], ["pressure_angle", "pressure angle", "rad", "value", "none"]],
  rack: [["axis", "axis", "", "pair"], ["radius", "radius", "m", "value"], ["offset", "offset", "m", "value", "0"], ["pressure_angle", "pressure angle", "rad", "value", "none"]],
  "cam-follower": [["profile", "profile", "m", "value"], ["radius", "roller", "m", "value", "0"]],
};

/** What stands in the file, as a person would type it. @param {OutlineValue | undefined} value */
function shown(value) {
  if (value?.items) return value.items.map((item) => String(item.json)).join(", ");
  return value === undefined ? "" : String(value.json);
}

/**
 * The fields of an item; null for what has no item of its own in the text.
 * @param {Draft} draft
 * @param {Item} item
 * @returns {Field[] | null}
 */
export function fieldsOf(draft, item) {
  if (item.section === "ground") return groundFields(draft, item);
  const section = itemNamed(draft.outline, item.section, item.name);
  if (!section) return null;
  /** @type {Field[]} */
  const fields = [{ key: "name", label: "name", kind: "name", text: item.name, owner: section }];
  const type = shown(valueOf(section, "type"));
  const motor = /** @type {Row[]} */ (valueOf(section, "position") ? [["position", "position", "m", "value"]] : [["angle", "angle", "rad", "value"]]);
  const rows = item.section === "joint" ? JOINT_ROWS[type] ?? [] : item.section === "motor" ? motor : ROWS[item.section] ?? [];
  for (const key of ["type", "between", "on", "joint"]) {
    if (valueOf(section, key)) fields.push({ key, label: key, kind: "fixed", text: shown(valueOf(section, key)), owner: section });
  }
  for (const [key, label, unit, kind, hint] of rows) {
    const owner = item.section === "body" && ["x", "y", "angle"].includes(key) ? startOwner(draft, section, item.name, key) : { owner: section, key };
    const text = typeof owner.owner === "string" ? "" : shown(valueOf(owner.owner, owner.key));
    if (kind === "flag" && text !== "true" && item.section === "body" && !valueOf(section, "x")) continue;
    const goes = key === "mass" && massRule(draft.text, section) ? `${unit}, goes with the length` : unit;
    fields.push({ key: owner.key, label, unit: goes, kind, text, hint, owner: owner.owner });
  }
  if (item.section === "body") {
    const rate = `${item.name}_angle'`;
    const initial = tableOf(draft.outline, "initial");
    fields.push({ key: rate, label: "start rate", unit: "rad/s", kind: "value", text: shown(valueOf(initial, rate)), hint: "0", owner: "initial" });
    for (const point of valueOf(section, "points")?.keys ?? []) fields.push({ key: `points.${point.key}`, label: `point ${point.key}`, unit: "m", kind: "pair", text: shown(point.value), owner: section });
  }
  return fields;
}

/** @param {Draft} draft @param {Item} item @returns {Field[] | null} */
function groundFields(draft, item) {
  const ground = tableOf(draft.outline, "ground");
  const point = keyOf(valueOf(ground, "points"), item.name);
  if (!ground || !point) return null;
  return [
    { key: "name", label: "name", kind: "name", text: item.name, owner: ground },
    { key: `points.${item.name}`, label: "place", unit: "m", kind: "pair", text: shown(point.value), owner: ground },
  ];
}

/**
 * Where the start of a body is written: what is kept stands under `[initial]`.
 * @param {Draft} draft
 * @param {OutlineSection} section
 * @param {string} body
 * @param {string} key
 */
function startOwner(draft, section, body, key) {
  for (const table of [tableOf(draft.outline, "initial"), tableOf(draft.outline, "guess")]) {
    if (table && keyOf(table, `${body}_${key}`)) return { owner: table, key: `${body}_${key}` };
  }
  return { owner: section, key };
}

/** Two formulas with a comma between them that stands in no parentheses. @param {string} text @returns {[string, string] | null} */
export function splitPair(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (text[at] === "," && depth === 0) {
      const pair = /** @type {[string, string]} */ ([text.slice(0, at).trim(), text.slice(at + 1).trim()]);
      return pair.every((part) => part !== "" && !part.includes(";")) ? pair : null;
    }
  }
  return null;
}
