// The coloured text behind the text area: the same letters at the same places. Lines are kept, and only those that are
// new are drawn again.
import { make } from "./dom.js";
import { FIRST_LINE, scanLine } from "./editor_tokens.js";

/** @typedef {import("./editor_tokens.js").LineState} LineState */
/** @typedef {import("./editor_tokens.js").ScannedLine} ScannedLine */

/**
 * A piece of the text that is underlined.
 * @typedef {{ from: number, to: number, tone: "wrong" | "doubtful", problem: number }} Mark
 */

/**
 * @typedef {object} DrawnLine
 * @property {string} text
 * @property {LineState | null} state   what it inherited when it was drawn
 * @property {ScannedLine | null} scanned
 * @property {string} marks   what was underlined, as a text to compare
 * @property {HTMLSpanElement} element
 */

/** Longer files are shown without colours: every line is an element or more. */
const MAX_COLOURED_LINES = 5000;

/** Draws into a `pre` that has the same font as the text area. */
export class Overlay {
  /**
   * @param {HTMLElement} pre
   * @param {HTMLElement} numbers   beside it: the numbers of the lines
   */
  constructor(pre, numbers) {
    this.pre = pre;
    this.numbers = numbers;
    /** @type {DrawnLine[]} */
    this.drawn = [];
    /** @type {number[]} where lines begin */
    this.starts = [];
  }

  /**
   * @param {string} text
   * @param {readonly Mark[]} marks
   */
  draw(text, marks) {
    const lines = text.split("\n");
    this.reuse(lines);
    this.starts = startsOf(lines);
    let state = FIRST_LINE;
    const isColoured = lines.length <= MAX_COLOURED_LINES;
    this.drawn.forEach((line, index) => {
      if (line.scanned === null || line.state === null || !isSameState(line.state, state)) line.scanned = isColoured ? scanLine(line.text, state) : null;
      const from = this.starts[index] ?? 0;
      const own = marks.length === 0 ? [] : marksOn(marks, from, from + line.text.length);
      const described = own.map((mark) => `${mark.from},${mark.to},${mark.tone},${mark.problem}`).join(" ");
      if (line.state === null || !isSameState(line.state, state) || described !== line.marks) fill(line, own);
      line.state = state;
      line.marks = described;
      if (line.scanned) state = line.scanned.state;
    });
    this.number(lines.length, marks);
  }

  /**
   * Keeps the lines above and below what changed, and makes new ones between them.
   * @param {readonly string[]} lines
   */
  reuse(lines) {
    const { drawn } = this;
    const most = Math.min(lines.length, drawn.length);
    let above = 0;
    while (above < most && drawn[above]?.text === lines[above]) above++;
    let below = 0;
    while (below < most - above && drawn[drawn.length - 1 - below]?.text === lines[lines.length - 1 - below]) below++;
    const made = lines.slice(above, lines.length - below).map(newLine);
    const gone = drawn.splice(above, drawn.length - above - below, ...made);
    for (const { element } of gone) {
      element.nextSibling?.remove();
      element.remove();
    }
    const next = drawn[above + made.length]?.element ?? null;
    const fragment = document.createDocumentFragment();
    for (const { element } of made) fragment.append(element, "\n");
    this.pre.insertBefore(fragment, next);
  }

  /**
   * @param {number} count
   * @param {readonly Mark[]} marks
   */
  number(count, marks) {
    const { numbers } = this;
    for (let at = numbers.childElementCount; at > count; at--) {
      numbers.lastElementChild?.remove();
      numbers.lastChild?.remove();
    }
    // one flow of text as in the text area, so that lines have the same height at every zoom
    for (let at = numbers.childElementCount; at < count; at++) numbers.append(make("span", {}, String(at + 1)), "\n");
    for (const flagged of numbers.querySelectorAll(".wrong, .doubtful")) flagged.className = "";
    for (const mark of marks) {
      const line = numbers.children[this.lineAt(mark.from)];
      if (line && line.className !== "wrong") line.className = mark.tone;
    }
  }

  /**
   * The line of a place of the text, from 0.
   * @param {number} at
   */
  lineAt(at) {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Where a place of the text is on the screen.
   * @param {number} at
   * @returns {DOMRect}
   */
  rectangleAt(at) {
    const index = this.lineAt(at);
    const line = this.drawn[index];
    if (!line) return this.pre.getBoundingClientRect();
    let left = at - (this.starts[index] ?? 0);
    const walker = document.createTreeWalker(line.element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const length = node.textContent?.length ?? 0;
      if (left <= length) {
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left);
        return range.getBoundingClientRect();
      }
      left -= length;
    }
    return line.element.getBoundingClientRect();
  }

  /**
   * The number of the problem under a point of the screen, or null.
   * @param {number} x
   * @param {number} y
   */
  problemUnder(x, y) {
    for (const piece of this.pre.querySelectorAll("[data-problem]")) {
      for (const box of piece.getClientRects()) {
        if (x >= box.left - 2 && x <= box.right + 2 && y >= box.top && y <= box.bottom) return Number(piece.getAttribute("data-problem"));
      }
    }
    return null;
  }
}

/**
 * @param {string} text
 * @returns {DrawnLine}
 */
function newLine(text) {
  return { text, state: null, scanned: null, marks: "", element: make("span") };
}

/** @param {readonly string[]} lines */
function startsOf(lines) {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

/**
 * @param {LineState} one
 * @param {LineState} other
 */
function isSameState(one, other) {
  if (one === other) return true;
  const isAlike = one.section === other.section && one.isItem === other.isItem && one.quote === other.quote && one.expects === other.expects;
  return isAlike && one.open.join() === other.open.join() && one.path.join("\0") === other.path.join("\0");
}

/**
 * The marks that touch a line, cut to it, with places on the line. An empty one takes the letter before it.
 * @param {readonly Mark[]} marks
 * @param {number} from
 * @param {number} to
 * @returns {Mark[]}
 */
export function marksOn(marks, from, to) {
  /** @type {Mark[]} */
  const own = [];
  for (const mark of marks) {
    if (mark.from > to || mark.to < from) continue;
    let [start, end] = [Math.max(mark.from, from) - from, Math.min(mark.to, to) - from];
    if (start === end && mark.from !== mark.to) continue;
    if (start === end && start > 0) start--;
    else if (start === end) end++;
    own.push({ ...mark, from: start, to: Math.min(end, to - from) });
  }
  return own.filter((mark) => mark.to > mark.from);
}

/**
 * @param {DrawnLine} line
 * @param {readonly Mark[]} marks   with places on the line
 */
function fill(line, marks) {
  const { text, scanned, element } = line;
  const tokens = scanned?.tokens ?? [];
  const cuts = new Set([0, text.length]);
  for (const { from, to } of [...tokens, ...marks]) cuts.add(from).add(to);
  const places = [...cuts].sort((one, other) => one - other);
  const pieces = [];
  for (let at = 0; at + 1 < places.length; at++) {
    const [from = 0, to = 0] = [places[at], places[at + 1]];
    const token = tokens.find((candidate) => candidate.from <= from && to <= candidate.to);
    const mark = marks.find((candidate) => candidate.from <= from && to <= candidate.to);
    const piece = text.slice(from, to);
    if (!token && !mark) pieces.push(piece);
    else pieces.push(make("span", { class: [token && `is-${token.kind}`, mark?.tone].filter(Boolean).join(" "), "data-problem": mark?.problem }, piece));
  }
  element.replaceChildren(...pieces);
}
