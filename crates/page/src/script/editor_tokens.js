// A model file cut into tokens, line by line: what the editor colours, and what completion knows about a place.
import { roleOf } from "./editor_roles.js";

/**
 * @typedef {"comment" | "section" | "key" | "string" | "number" | "word" | "name" | "function" | "unit" | "operator" | "copy"} TokenKind
 * @typedef {{ from: number, to: number, kind: TokenKind }} Token
 */

/**
 * What a line inherits from those above it.
 * @typedef {object} LineState
 * @property {string} section   without brackets; empty above the first heading
 * @property {boolean} isItem   whether the heading has two brackets
 * @property {string} quote     of a string that goes on over the end of the line: three quotation marks, or nothing
 * @property {readonly string[]} open   brackets that are not closed yet: "[" and "{"
 * @property {readonly string[]} path   the key that is being given a value, and those of inline tables
 * @property {"key" | "value" | "after"} expects   what comes next: a key, a value, or what follows one of them
 */

/**
 * What is unfinished at the end of a line, or at the caret when the line is cut there.
 * @typedef {{ kind: "comment" | "heading" | "string" | "bare", from: number, quote: string }} OpenToken
 */

/**
 * @typedef {{ path: readonly string[], from: number, to: number }} FoundKey
 * @typedef {{ tokens: Token[], keys: FoundKey[], state: LineState, open: OpenToken | null, atEnd: LineState }} ScannedLine
 */

/** @type {LineState} */
export const FIRST_LINE = { section: "", isItem: false, quote: "", open: [], path: [], expects: "key" };

/** Characters of bare keys and values: dots join keys, signs belong to numbers. */
const BARE = /[^\s=#,[\]{}"']+/y;

/**
 * The tokens of one line, the state at its very end, and what the next line inherits.
 * @param {string} line   without its end
 * @param {LineState} state
 * @returns {ScannedLine}
 */
export function scanLine(line, state) {
  return new LineScanner(line, state).scan();
}

/**
 * The lines of a text with what each inherits and has.
 * @param {string} text
 * @returns {{ line: string, from: number, state: LineState, scanned: ScannedLine }[]}
 */
export function linesOf(text) {
  let state = FIRST_LINE;
  let from = 0;
  return text.split("\n").map((line) => {
    const scanned = scanLine(line, state);
    const here = { line, from, state, scanned };
    state = scanned.state;
    from += line.length + 1;
    return here;
  });
}

class LineScanner {
  /**
   * @param {string} line
   * @param {LineState} state
   */
  constructor(line, state) {
    this.line = line;
    this.section = state.section;
    this.isItem = state.isItem;
    this.quote = state.quote;
    this.open = [...state.open];
    this.path = [...state.path];
    this.expects = state.expects;
    /** @type {Token[]} */
    this.tokens = [];
    /** @type {FoundKey[]} */
    this.keys = [];
    /** @type {OpenToken | null} */
    this.unfinished = null;
    this.at = 0;
  }

  /** @returns {ScannedLine} */
  scan() {
    const { line } = this;
    if (this.quote) this.endLongString(0);
    while (this.at < line.length) this.next();
    const { section, isItem, quote, open, path, expects, tokens, keys } = this;
    /** @type {LineState} */
    const atEnd = { section, isItem, quote, open, path, expects };
    /** @type {LineState} */
    const state = quote || open.length ? atEnd : { ...atEnd, path: [], expects: "key" };
    return { tokens, keys, state, open: this.unfinished, atEnd };
  }

  next() {
    const { line, at } = this;
    const sign = line[at] ?? "";
    if (/\s/.test(sign)) this.at++;
    else if (sign === "#") {
      this.add(at, line.length, "comment");
      this.unfinished = { kind: "comment", from: at, quote: "" };
    } else if (sign === "[" && this.expects === "key" && this.open.length === 0) this.heading();
    else if (sign === '"' || sign === "'") this.string(sign);
    else if (sign === "=") {
      this.expects = "value";
      this.add(at, at + 1, "operator");
    } else if ("[]{},".includes(sign)) this.bracket(sign);
    else this.bare();
  }

  heading() {
    const { line, at } = this;
    const end = line.indexOf("]", at);
    this.isItem = line[at + 1] === "[";
    const start = at + (this.isItem ? 2 : 1);
    this.section = line.slice(start, end < 0 ? line.length : end).trim();
    let to = end < 0 ? line.length : end + 1;
    if (this.isItem && line[to] === "]") to++;
    this.add(at, to, "section");
    if (end < 0) this.unfinished = { kind: "heading", from: at, quote: "" };
    this.expects = "after";
  }

  /** @param {string} sign */
  bracket(sign) {
    this.add(this.at, this.at + 1, "operator");
    if (sign === "[" || sign === "{") {
      this.open.push(sign);
      this.expects = sign === "{" ? "key" : "value";
      return;
    }
    if (sign === "]" || sign === "}") {
      const closed = this.open.pop();
      if (closed === "{") this.path = this.path.slice(0, this.depth() + 1);
      this.expects = "after";
      return;
    }
    const inside = this.open[this.open.length - 1];
    this.expects = inside === "{" ? "key" : "value";
    if (inside === "{") this.path = this.path.slice(0, this.depth());
  }

  /** How many inline tables are open: the keys that belong to them stand in front of the present one. */
  depth() {
    return this.open.filter((sign) => sign === "{").length;
  }

  bare() {
    const { line, at } = this;
    BARE.lastIndex = at;
    const word = BARE.exec(line)?.[0] ?? line[at] ?? "";
    const to = at + word.length;
    if (this.expects === "key") this.key(word, at, to);
    else {
      this.add(at, to, /^[+-]?[.\d]/.test(word) ? "number" : "word");
      this.expects = "after";
    }
    if (to === line.length) this.unfinished = { kind: "bare", from: at, quote: "" };
  }

  /**
   * @param {string} name
   * @param {number} from
   * @param {number} to
   */
  key(name, from, to) {
    this.add(from, to, "key");
    this.path = [...this.path.slice(0, this.depth()), name];
    this.keys.push({ path: this.path, from, to });
    this.expects = "after";
  }

  /** @param {string} mark */
  string(mark) {
    const { line, at } = this;
    if (line.startsWith(mark.repeat(3), at)) {
      this.quote = mark.repeat(3);
      this.add(at, at + 3, "string");
      this.endLongString(at + 3);
      return;
    }
    const end = closing(line, at + 1, mark);
    const to = end < 0 ? line.length : end + 1;
    if (end < 0) this.unfinished = { kind: "string", from: at, quote: mark };
    if (this.expects === "key") {
      this.key(line.slice(at + 1, end < 0 ? to : end), at, to);
      return;
    }
    this.add(at, at + 1, "string");
    this.inside(at + 1, end < 0 ? to : end);
    if (end >= 0) this.add(end, to, "string");
    this.expects = "after";
    this.at = to;
  }

  /** @param {number} from */
  endLongString(from) {
    const { line, quote } = this;
    const end = line.indexOf(quote, from);
    this.inside(from, end < 0 ? line.length : end);
    if (end < 0) {
      this.unfinished = { kind: "string", from, quote };
      this.at = line.length;
      return;
    }
    this.add(end, end + 3, "string");
    this.quote = "";
    this.expects = "after";
  }

  /**
   * The text of a string: a formula has tokens of its own.
   * @param {number} from
   * @param {number} to
   */
  inside(from, to) {
    if (roleOf(this.section, this.path) === "formula") {
      for (const token of formulaTokens(this.line.slice(from, to))) this.add(from + token.from, from + token.to, token.kind);
    } else this.add(from, to, "string");
    this.at = to;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {TokenKind} kind
   */
  add(from, to, kind) {
    if (to > from) this.tokens.push({ from, to, kind });
    this.at = Math.max(to, this.at);
  }
}

/**
 * Where a string ends, or -1. Only double quotation marks know escapes.
 * @param {string} line
 * @param {number} from
 * @param {string} mark
 */
function closing(line, from, mark) {
  for (let at = from; at < line.length; at++) {
    if (mark === '"' && line[at] === "\\") at++;
    else if (line[at] === mark) return at;
  }
  return -1;
}

/** Numbers, names, operators. Names may have counters of copies: `rod{i+1}_x`. */
const FORMULA = /((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|((?:[\p{L}_]|\{[^}]*\})(?:[\p{L}\p{N}_]|\{[^}]*\})*'*)|([-+*/^(),])/gu;

/**
 * The tokens of a formula.
 * @param {string} text
 * @returns {Token[]}
 */
export function formulaTokens(text) {
  /** @type {Token[]} */
  const tokens = [];
  for (const found of text.matchAll(FORMULA)) {
    const from = found.index;
    const to = from + found[0].length;
    const before = tokens[tokens.length - 1];
    if (found[1] !== undefined) tokens.push({ from, to, kind: "number" });
    else if (found[3] !== undefined) tokens.push({ from, to, kind: "operator" });
    else if (/^\s*\(/.test(text.slice(to))) tokens.push({ from, to, kind: "function" });
    else if (isBehindNumber(text, before, from)) tokens.push({ from, to, kind: "unit" });
    else tokens.push({ from, to, kind: /^\{[^}]*\}$/.test(found[0]) ? "copy" : "name" });
  }
  return tokens;
}

/**
 * Units stand behind numbers; degrees behind a closing parenthesis too.
 * @param {string} text
 * @param {Token | undefined} before
 * @param {number} from
 */
export function isBehindNumber(text, before, from) {
  if (!before || text.slice(before.to, from).trim() !== "") return false;
  return before.kind === "number" || text.slice(before.from, before.to) === ")";
}
