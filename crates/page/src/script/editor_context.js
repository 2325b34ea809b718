// What is being written at the caret: which part of a model file, and the letters that are already there.
import { scanLine, linesOf, formulaTokens, isBehindNumber } from "./editor_tokens.js";
import { roleOf } from "./editor_roles.js";

/**
 * @typedef {object} Context
 * @property {"heading" | "key" | "inner-key" | "word" | "unit" | import("./editor_roles.js").Role} kind   "word" is a value without quotation marks
 * @property {string} section   without brackets
 * @property {readonly string[]} path   the key whose value is written, and those of inline tables
 * @property {number} line   from 0
 * @property {number} from   where what is already there begins, in the whole text
 * @property {number} to     where it ends: behind the caret if letters follow
 * @property {string} prefix   what stands between `from` and the caret
 * @property {string} quote   the quotation mark in front of a quoted key, or nothing
 */

const NAME_BEFORE = /[\p{L}\p{N}_{}]*'*$/u;
const NAME_AFTER = /^[\p{L}\p{N}_{}]*'*/u;
const END_BEFORE = /[\p{L}\p{N}_{}+.-]*$/u;
const END_AFTER = /^[\p{L}\p{N}_{}+.-]*/u;

/**
 * The context of a caret, or null where there is nothing to complete: in remarks, in texts for people, behind a value.
 * @param {string} text
 * @param {number} caret
 * @returns {Context | null}
 */
export function contextAt(text, caret) {
  const lines = linesOf(text.slice(0, caret));
  const here = lines[lines.length - 1];
  if (!here) return null;
  const { line, from, state } = here;
  const { open, atEnd, keys } = scanLine(line, state);
  const after = text.slice(caret, (text.indexOf("\n", caret) + 1 || text.length + 1) - 1);
  const base = { section: atEnd.section, path: atEnd.path, line: lines.length - 1, quote: "" };
  if (open?.kind === "comment") return null;
  if (open?.kind === "heading") {
    const typed = line.slice(open.from);
    const rest = /^[^\]\s#]*\]{0,2}/.exec(after)?.[0] ?? "";
    return { ...base, kind: "heading", from: from + open.from, to: caret + rest.length, prefix: typed };
  }
  const isKey = atEnd.expects === "key" || keys[keys.length - 1]?.to === line.length;
  if (open?.kind === "string" && isKey) {
    const prefix = line.slice(open.from + 1);
    const rest = /^[^"=\s]*"?/.exec(after)?.[0] ?? "";
    return { ...base, kind: atEnd.open.length ? "inner-key" : "key", path: atEnd.path.slice(0, -1), from: from + open.from, to: caret + rest.length, prefix, quote: open.quote };
  }
  if (open?.kind === "string") return inString(line.slice(open.from + open.quote.length), after, base, caret);
  return inBare(line, after, base, { caret, open, isKey, expects: atEnd.expects, isInner: atEnd.open.includes("{"), lineFrom: from });
}

/**
 * @param {string} inside   from the quotation mark to the caret
 * @param {string} after    the rest of the line
 * @param {{ section: string, path: readonly string[], line: number, quote: string }} base
 * @param {number} caret
 * @returns {Context | null}
 */
function inString(inside, after, base, caret) {
  const role = roleOf(base.section, base.path);
  if (role === "text" || role === "name") return null;
  const isFormula = role === "formula";
  const prefix = (isFormula ? NAME_BEFORE : END_BEFORE).exec(inside)?.[0] ?? "";
  const rest = (isFormula ? NAME_AFTER : END_AFTER).exec(after)?.[0] ?? "";
  const context = { ...base, from: caret - prefix.length, to: caret + rest.length, prefix };
  if (!isFormula) return { ...context, kind: role };
  const tokens = formulaTokens(inside.slice(0, inside.length - prefix.length));
  const before = tokens[tokens.length - 1];
  const isUnit = isBehindNumber(inside, before, inside.length - prefix.length);
  // a number that is being written is no name yet
  if (/^[\d.]/.test(prefix)) return null;
  return { ...context, kind: isUnit ? "unit" : "formula" };
}

/**
 * @param {string} line   up to the caret
 * @param {string} after
 * @param {{ section: string, path: readonly string[], line: number, quote: string }} base
 * @param {{ caret: number, open: import("./editor_tokens.js").OpenToken | null, isKey: boolean, expects: "key" | "value" | "after", isInner: boolean, lineFrom: number }} place
 * @returns {Context | null}
 */
function inBare(line, after, base, { caret, open, isKey, expects, isInner, lineFrom }) {
  const from = open?.kind === "bare" ? open.from : line.length;
  const prefix = line.slice(from);
  const rest = /^[\p{L}\p{N}_-]*/u.exec(after)?.[0] ?? "";
  const place = { ...base, from: lineFrom + from, to: caret + rest.length, prefix };
  if (isKey) return { ...place, path: prefix ? base.path.slice(0, -1) : base.path, kind: isInner ? "inner-key" : "key" };
  const isValue = expects === "value" || (open?.kind === "bare" && !/[\d.+-]/.test(prefix[0] ?? ""));
  return isValue ? { ...place, kind: "word" } : null;
}
