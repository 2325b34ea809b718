// The numbers of a model that a reader can set: parameters, and the values at the start.

/** @typedef {import("./types.js").ModelReply} ModelReply */

/**
 * @typedef {object} Quantity
 * @property {string} name        in the model
 * @property {string} setName     as it is set
 * @property {"parameter"|"size"|"start"|"rate"|"solved"} kind   `solved`: assembly finds it, a value is its first guess
 * @property {number} value       in SI units
 * @property {string} unit
 * @property {boolean} isAngle
 * @property {string} text        what the model says about it
 * @property {boolean} follows    whether a formula of other parameters gives its value
 */

/**
 * The coordinates that assembly finds: those of a model with constraints that have no value of their own at the start.
 * @param {ModelReply} reply
 * @returns {string[]}
 */
export function foundByAssembly({ about }) {
  const { coordinates = [], constraints = [], initial = [] } = /** @type {any} */ (about ?? {});
  if (constraints.length === 0) return [];
  const given = new Set(initial.map((/** @type {{name: string}} */ { name }) => name));
  return coordinates.map((/** @type {{name: string}} */ { name }) => name).filter((/** @type {string} */ name) => !given.has(name));
}

/**
 * Whole numbers that count repeated parts, from the outline of the model's text: what `[sizes]` lists, and the links of a chain.
 * @param {any[]} outline
 * @param {Record<string, string>} set
 * @returns {Quantity[]}
 */
function sizesOf(outline, set) {
  return outline.flatMap(({ section, keys = [] }) => {
    const sizes = section === "sizes" ? keys : section === "chain" ? keys.filter((/** @type {any} */ entry) => entry.key === "links") : [];
    return sizes.flatMap((/** @type {any} */ { key, value }) => {
      const own = Number(set[key] ?? value?.number ?? value?.json);
      return Number.isInteger(own) ? [{ name: key, setName: key, kind: "size", value: own, unit: "", isAngle: false, text: section === "chain" ? "number of links" : "how many", follows: false }] : [];
    });
  });
}

/**
 * @param {ModelReply} reply
 * @param {Record<string, string>} [set]  what the reply was asked with
 * @returns {Quantity[]}
 */
export function quantitiesOf(reply, set = {}) {
  const about = /** @type {any} */ (reply.about);
  if (!about) return [];
  const found = sizesOf(reply.outline ?? [], set);
  for (const parameter of about.parameters ?? []) {
    if (parameter.used === false) continue;
    const { name, value, unit = "", text = "", follows = false } = parameter;
    found.push({ name, setName: name, kind: "parameter", value, unit, isAngle: unit === "rad", text, follows });
  }
  const start = reply.diagnosis?.start ?? {};
  const solved = new Set(foundByAssembly(reply));
  const values = new Map((start.values ?? []).map((/** @type {any} */ row) => [row.name, row]));
  const given = new Map([...(about.guess ?? []), ...(about.initial ?? [])].map((/** @type {any} */ row) => [row.name, row.value]));
  const angles = new Set(reply.diagnosis?.angles ?? []);
  for (const coordinate of about.coordinates ?? []) {
    const row = /** @type {any} */ (values.get(coordinate.name)) ?? coordinate;
    const isAngle = Boolean(coordinate.angle) || angles.has(coordinate.name) || row.unit === "rad";
    const unit = row.unit || (isAngle ? "rad" : "");
    const rate = `${coordinate.name}'`;
    const value = row.value ?? given.get(coordinate.name) ?? 0;
    const isSolved = solved.has(coordinate.name);
    found.push({ name: coordinate.name, setName: isSolved ? `guess.${coordinate.name}` : coordinate.name, kind: isSolved ? "solved" : "start", value, unit, isAngle, text: coordinate.text ?? "", follows: false });
    const rateUnit = row.rate_unit || (unit ? `${unit}/s` : "");
    // a velocity that follows from others has no guess: it is what the constraints make of it
    if (isSolved) continue;
    found.push({ name: rate, setName: rate, kind: "rate", value: row.rate ?? given.get(rate) ?? 0, unit: rateUnit, isAngle: false, text: "", follows: false });
  }
  for (const state of about.states ?? []) {
    const name = typeof state === "string" ? state : state.name;
    const value = (typeof state === "string" ? undefined : state.value) ?? given.get(name) ?? 0;
    found.push({ name, setName: name, kind: "start", value, unit: "", isAngle: false, text: "", follows: false });
  }
  return found;
}
