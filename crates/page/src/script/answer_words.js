// The words of an answer: sentences, remarks and small tables.
import { make } from "./dom.js";
import { prose } from "./prose.js";

/** @typedef {import("./types.js").Line} Line */

/**
 * @param {readonly Line[] | string | undefined} words
 * @returns {HTMLElement[]}
 */
export function wordElements(words) {
  if (typeof words === "string") return words.split("\n").map((text) => make("p", {}, ...prose(text)));
  return (words ?? []).flatMap(lineElement);
}

/**
 * @param {Line} line
 * @returns {HTMLElement[]}
 */
function lineElement(line) {
  const text = line.text ?? "";
  switch (/** @type {string} */ (line.kind)) {
    case "table":
      return [tableElement(line.headings ?? [], line.rows ?? [])];
    case "heading":
      return [make("h4", {}, text)];
    case "failure":
      return [make("p", { class: "answer-mark wrong" }, make("b", {}, `${line.mark ?? "failed"}: `), ...prose(text))];
    case "remark":
    case "fact":
      return [make("p", { class: "answer-mark" }, make("b", {}, `${line.mark ?? "note"}: `), ...prose(text))];
    default:
      // empty lines separate on a terminal; here paragraphs do
      return text.trim() ? [make("p", {}, ...prose(text))] : [];
  }
}

/**
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
function tableElement(headings, rows) {
  const head = make("tr", {}, ...headings.map((heading) => make("th", { scope: "col" }, heading)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell, index) => (index ? make("td", {}, cell) : make("th", { scope: "row" }, cell)))));
  return make("div", { class: "answer-scroll", tabindex: "0", role: "region", "aria-label": `Table: ${headings.filter(Boolean).slice(0, 4).join(", ")}` }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
