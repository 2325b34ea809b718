// The numbers of a model that a reader can set: parameters, and the values at the start.

/** @typedef {import("./types.js").ModelReply} ModelReply */

/**
 * @typedef {object} Quantity
 * @property {string} name        in the model
 * @property {string} setName     as it is set
 * @property {"parameter"|"size"|"motor"|"start"|"rate"|"solved"} kind   `solved`: assembly finds it, a value is its first guess
 * @property {number} value       in SI units
 * @property {string} unit
 * @property {boolean} isAngle
 * @property {string} text        what the model says about it
 * @property {boolean} follows    whether a formula of other parameters gives its value
 * @property {[number, number]} [place]   where its number stands in the model's text, of what has no name to be set by
 */

/** A unit behind the last comma of a comment, as in `# crank, kg m^2`. */
const UNIT = /(?:^|, )((?:1|kg|rad|Hz|[NmsJW])(?:\^?-?\d|[ /*()]|kg|rad|Hz|[NmsJW])*)$/;
/** Of parameters that a mechanism makes of the numbers of its bodies, by how their names end. @type {Record<string, {unit: string, text?: string}>} */
const OWN = { mass: { unit: "kg" }, length: { unit: "m" }, inertia: { unit: "kg m^2" }, g: { unit: "m/s^2", text: "gravity" } };
/** A speed in the law of a motor, as in `45 deg + 30 rpm*t`. */
const SPEED = /(-?\d*\.?\d+(?:e[-+]?\d+)?)[ ]*([a-z/]*)[ ]*\*[ ]*t\b/;

/**
 * What the comment behind each line of `[parameters]` says, with the unit at its end apart.
 * @param {any[]} outline
 * @param {string} text   of the model, which the outline is of
 */
export function commentsOf(outline, text) {
  /** @type {Map<string, {text: string, unit: string}>} */
  const comments = new Map();
  for (const { section, keys = [] } of outline) {
    if (section !== "parameters") continue;
    for (const { key, to } of keys) {
      const comment = /^[ \t]*#+\s*(.*?)\s*$/.exec(text.slice(to).split("\n", 1)[0])?.[1] ?? "";
      const unit = UNIT.exec(comment);
      comments.set(key, { text: unit ? comment.slice(0, unit.index) : comment, unit: unit?.[1] ?? "" });
    }
  }
  return comments;
}

/**
 * The speeds of motors that are written as numbers.
 * @param {any[]} outline
 * @param {string} text
 * @returns {Quantity[]}
 */
function motorsOf(outline, text) {
  return outline.flatMap(({ section, index, keys = [] }) => {
    const of = (/** @type {string} */ key) => keys.find((/** @type {any} */ entry) => entry.key === key)?.value;
    const law = section === "motor" && (of("angle") ?? of("position"));
    const speed = law && SPEED.exec(text.slice(law.from, law.to));
    if (!speed) return [];
    const name = of("name")?.json ?? `motor${index + 1}`;
    const from = law.from + speed.index;
    const unit = speed[2] || (of("angle") ? "rad/s" : "m/s");
    return [{ name, setName: `motor ${name}`, kind: "motor", value: Number(speed[1]), unit, isAngle: false, text: "speed of the motor", follows: false, place: [from, from + speed[1].length] }];
  });
}

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
 * @param {string} [source]  the model's text
 * @returns {Quantity[]}
 */
export function quantitiesOf(reply, set = {}, source = "") {
  const about = /** @type {any} */ (reply.about);
  if (!about) return [];
  const outline = reply.outline ?? [];
  const comments = commentsOf(outline, source);
  const found = [...motorsOf(outline, source), ...sizesOf(outline, set)];
  for (const { name, value, follows = false, used } of about.parameters ?? []) {
    if (used === false) continue;
    const { text = "", unit = "" } = comments.get(name) ?? (about.mechanism && OWN[name.split("_").pop()]) ?? {};
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
