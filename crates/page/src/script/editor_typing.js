// What single keys do to a text besides writing a letter: indenting, and pairs of quotation marks and brackets.

/**
 * A text with its selection.
 * @typedef {{ text: string, from: number, to: number }} Selected
 */

const INDENT = "  ";
/** @type {Record<string, string>} */
const PAIRS = { "[": "]", "{": "}", "(": ")", '"': '"' };

/**
 * All lines of the selection moved to the right, or back.
 * @param {Selected} selected
 * @param {boolean} isBack
 * @returns {Selected}
 */
export function indented({ text, from, to }, isBack) {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const lines = text.slice(start, to).split("\n");
  const moved = lines.map((line) => (isBack ? line.replace(/^( {1,2}|\t)/, "") : INDENT + line));
  const change = moved.map((line, index) => line.length - (lines[index]?.length ?? 0));
  const first = change[0] ?? 0;
  const all = change.reduce((sum, part) => sum + part, 0);
  return { text: text.slice(0, start) + moved.join("\n") + text.slice(to), from: Math.max(start, from + first), to: Math.max(start, to + all) };
}

/**
 * What becomes of a text when a quotation mark or a bracket is typed; null where it is a letter like any other. A pair is
 * closed only where nothing follows that it could belong to; a mark that already stands there is stepped over.
 * @param {Selected} selected
 * @param {string} mark
 * @returns {Selected | null}
 */
export function paired({ text, from, to }, mark) {
  const next = text[to] ?? "\n";
  if (from === to && next === mark && Object.values(PAIRS).includes(mark) && isOpened(text, from, mark)) {
    return { text, from: from + 1, to: to + 1 };
  }
  const closing = PAIRS[mark];
  if (closing === undefined) return null;
  if (from < to) {
    const inside = text.slice(from, to);
    if (inside.includes("\n")) return null;
    return { text: text.slice(0, from) + mark + inside + closing + text.slice(to), from: from + 1, to: to + 1 };
  }
  const isFree = /[\s,\]})]/.test(next);
  const isSecondMark = mark === '"' && (/[\w"']/.test(text[from - 1] ?? "") || isOpened(text, from, mark));
  if (!isFree || isSecondMark || isRemark(text, from)) return null;
  return { text: text.slice(0, from) + mark + closing + text.slice(to), from: from + 1, to: from + 1 };
}

/**
 * Both marks of an empty pair when the first is deleted; null otherwise.
 * @param {Selected} selected
 * @returns {Selected | null}
 */
export function unpaired({ text, from, to }) {
  const before = text[from - 1] ?? "";
  if (from !== to || PAIRS[before] === undefined || text[from] !== PAIRS[before]) return null;
  return { text: text.slice(0, from - 1) + text.slice(from + 1), from: from - 1, to: from - 1 };
}

/**
 * Whether a mark before the place, on its line, still waits for its partner.
 * @param {string} text
 * @param {number} at
 * @param {string} mark
 */
function isOpened(text, at, mark) {
  const line = lineBefore(text, at);
  if (mark === '"') return line.split('"').length % 2 === 0;
  const opening = Object.keys(PAIRS).find((key) => PAIRS[key] === mark) ?? "";
  return line.split(opening).length > line.split(mark).length;
}

/**
 * @param {string} text
 * @param {number} at
 */
function isRemark(text, at) {
  return /^[^"]*("[^"]*"[^"]*)*#/.test(lineBefore(text, at).replace(/"[^"]*"/g, ""));
}

/**
 * @param {string} text
 * @param {number} at
 */
function lineBefore(text, at) {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}
