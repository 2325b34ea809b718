// What is varied, as the command line writes it: NAME=FROM:TO:COUNT, with :log behind it, or NAME=VALUE,VALUE,...

/**
 * @typedef {object} Range
 * @property {string} name
 * @property {"steps" | "log" | "values"} way   equal distances, equal ratios, or values one by one
 * @property {string} from
 * @property {string} to
 * @property {string} count   empty where a curve is followed instead of points
 * @property {string} values  separated by commas
 */

/** @type {Range} */
export const NO_RANGE = { name: "", way: "steps", from: "", to: "", count: "", values: "" };

/**
 * @param {string} text
 * @returns {Range}
 */
export function readRange(text) {
  const at = text.indexOf("=");
  if (at < 0) return { ...NO_RANGE, name: text.trim() };
  const name = text.slice(0, at).trim();
  const rest = text.slice(at + 1).trim();
  const parts = rest.split(":").map((part) => part.trim());
  if (parts.length < 2) return { ...NO_RANGE, name, way: rest ? "values" : "steps", values: rest };
  const [from = "", to = "", count = "", last = ""] = parts;
  return { ...NO_RANGE, name, way: last === "log" ? "log" : "steps", from, to, count };
}

/**
 * As it is asked for; empty where something is missing that cannot be left out.
 * @param {Range} range
 */
export function writeRange({ name, way, from, to, count, values }) {
  if (!name) return "";
  if (way === "values") return values.trim() ? `${name}=${values.trim()}` : "";
  if (!from.trim() || !to.trim()) return "";
  const counted = count.trim() ? `:${count.trim()}` : "";
  return `${name}=${from.trim()}:${to.trim()}${counted}${way === "log" && counted ? ":log" : ""}`;
}

/**
 * How many motions ranges ask for, or null where a count is a formula or missing.
 * @param {readonly string[]} texts
 */
export function cellsOf(texts) {
  let cells = 1;
  for (const text of texts) {
    const { way, count, values } = readRange(text);
    const own = way === "values" ? values.split(",").length : Number(count || NaN);
    if (!Number.isInteger(own)) return null;
    cells *= own;
  }
  return cells;
}
