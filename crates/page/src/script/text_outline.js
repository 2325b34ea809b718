// What stands where in the text of a model file, as the core tells it: sections, keys, values and their places.

/**
 * @typedef {{ from: number, to: number }} Place   UTF-16 offsets into the text
 *
 * @typedef {object} OutlineValue
 * @property {number} from
 * @property {number} to
 * @property {any} json          as it is written; formulas are texts
 * @property {number} [number]   the value of a number or a formula of parameters
 * @property {OutlineKey[]} [keys]    of a table
 * @property {OutlineValue[]} [items] of a list
 *
 * @typedef {{ key: string, from: number, to: number, value: OutlineValue }} OutlineKey
 *
 * @typedef {object} OutlineSection
 * @property {string} section
 * @property {number | null} index   of an item like `[[body]]`; null for a plain table
 * @property {number} from
 * @property {number} to
 * @property {Place} heading
 * @property {OutlineKey[]} keys
 *
 * @typedef {(OutlineSection | OutlineKey)[]} Outline
 */

/**
 * @param {OutlineSection | OutlineKey} entry
 * @returns {entry is OutlineSection}
 */
export function isSection(entry) {
  return "section" in entry;
}

/**
 * All items `[[section]]`, in their order.
 * @param {Outline} outline
 * @param {string} section
 * @returns {OutlineSection[]}
 */
export function itemsOf(outline, section) {
  return outline.filter(isSection).filter((entry) => entry.section === section && entry.index !== null);
}

/**
 * The plain table `[section]`.
 * @param {Outline} outline
 * @param {string} section
 * @returns {OutlineSection | undefined}
 */
export function tableOf(outline, section) {
  return outline.filter(isSection).find((entry) => entry.section === section && entry.index === null);
}

/**
 * @param {{ keys?: OutlineKey[] } | undefined} table
 * @param {string} key
 * @returns {OutlineKey | undefined}
 */
export function keyOf(table, key) {
  return table?.keys?.find((entry) => entry.key === key);
}

/**
 * @param {{ keys?: OutlineKey[] } | undefined} table
 * @param {string} key
 * @returns {OutlineValue | undefined}
 */
export function valueOf(table, key) {
  return keyOf(table, key)?.value;
}

/**
 * @param {{ keys?: OutlineKey[] } | undefined} table
 * @param {string} key
 * @returns {string | undefined}
 */
export function textOf(table, key) {
  const value = valueOf(table, key)?.json;
  return typeof value === "string" ? value : undefined;
}

/**
 * @param {{ keys?: OutlineKey[] } | undefined} table
 * @param {string} key
 * @returns {number | undefined}
 */
export function numberOf(table, key) {
  return valueOf(table, key)?.number;
}

/**
 * Two numbers behind a key.
 * @param {OutlineValue | undefined} value
 * @returns {[number, number] | undefined}
 */
export function pairOf(value) {
  const [x, y] = value?.items ?? [];
  if (value?.items?.length !== 2 || x.number === undefined || y.number === undefined) return undefined;
  return [x.number, y.number];
}

/**
 * The item `[[section]]` of this name. Elements without a name are called by their number: `spring1`.
 * @param {Outline} outline
 * @param {string} section
 * @param {string} name
 * @returns {OutlineSection | undefined}
 */
export function itemNamed(outline, section, name) {
  return itemsOf(outline, section).find((item, at) => nameOf(item, at) === name);
}

/**
 * @param {OutlineSection} item
 * @param {number} at   among the items of its section
 */
export function nameOf(item, at) {
  return textOf(item, "name") ?? `${item.section.replace("-", "_")}${at + 1}`;
}

/**
 * The item with `repeat` that makes a copy of this name: `{i}` and `{i+1}` in its name stand for numbers.
 * @param {Outline} outline
 * @param {string} section
 * @param {string} name
 * @returns {OutlineSection | undefined}
 */
export function repeated(outline, section, name) {
  return itemsOf(outline, section).find((item) => {
    const [first, ...rest] = (textOf(item, "name") ?? "").split(/\{[^}]*\}/);
    if (!valueOf(item, "repeat") || rest.length === 0 || !name.startsWith(first)) return false;
    return rest.reduce((/** @type {string | null} */ left, piece) => {
      const number = left === null ? null : /^-?\d+/.exec(left);
      return number && left?.startsWith(piece, number[0].length) ? left.slice(number[0].length + piece.length) : null;
    }, name.slice(first.length)) === "";
  });
}
