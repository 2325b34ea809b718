// The table of an answer: as many rows as one looks at, sorted by a column, and all of it as a file.
import { make } from "./dom.js";
import { download } from "./download.js";
import { doubles } from "./plots.js";
import { counted, shortNumber } from "./prose.js";

/**
 * A column as it came, or decoded.
 * @typedef {{ name: string, unit: string, values?: string, texts?: string[] }} SentColumn
 * @typedef {{ name: string, unit: string, cells: ArrayLike<number | string> }} Column
 */

const FIRST_ROWS = 50;
const MORE_ROWS = 500;

/**
 * @param {readonly SentColumn[]} sent
 * @returns {Column[]}
 */
export function decodedColumns(sent) {
  return sent.map(({ name, unit, values, texts }) => ({ name, unit, cells: texts ?? doubles(values ?? "") }));
}

/**
 * The order of rows by one column. What is not known comes last.
 * @param {Column} column
 * @param {boolean} isFalling
 * @returns {number[]}
 */
export function orderBy({ cells }, isFalling) {
  const rows = Array.from(cells, (_, row) => row);
  const sign = isFalling ? -1 : 1;
  return rows.sort((one, other) => {
    const [a, b] = [cells[one] ?? "", cells[other] ?? ""];
    if (typeof a === "number" && typeof b === "number") {
      if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return sign * (a - b);
    }
    return sign * String(a).localeCompare(String(b));
  });
}

/**
 * All rows as comma-separated values; numbers with all their digits, what is not known is empty.
 * @param {readonly Column[]} columns
 */
export function csvOf(columns) {
  const quoted = (/** @type {string} */ text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = Math.max(0, ...columns.map(({ cells }) => cells.length));
  const lines = [columns.map(({ name }) => quoted(name)).join(",")];
  for (let row = 0; row < rows; row++) {
    lines.push(columns.map(({ cells }) => (typeof cells[row] === "number" ? (Number.isNaN(cells[row]) ? "" : String(cells[row])) : quoted(String(cells[row] ?? "")))).join(","));
  }
  return `${lines.join("\n")}\n`;
}

/**
 * @param {readonly SentColumn[]} sent
 * @param {string} name   of the file that it is saved as, without an ending
 */
export function answerTable(sent, name) {
  const columns = decodedColumns(sent);
  const rows = Math.max(0, ...columns.map(({ cells }) => cells.length));
  if (!columns.length || !rows) return null;
  const element = make("details", { class: "answer-table" });
  element.append(make("summary", {}, `Table: ${counted(rows, "row")}, ${counted(columns.length, "column")}`));
  const save = make("button", { type: "button", class: "button small", onclick: () => download(`${name}.csv`, new Blob([csvOf(columns)], { type: "text/csv;charset=utf-8" })) }, "Save as CSV");
  const sheet = sheetOf(columns, rows);
  let isFilled = false;
  element.addEventListener("toggle", () => {
    if (!element.open || isFilled) return;
    isFilled = true;
    element.append(make("div", { class: "row answer-tools" }, save), sheet.element);
    sheet.fill();
  });
  return element;
}

/**
 * @param {readonly Column[]} columns
 * @param {number} rows
 */
function sheetOf(columns, rows) {
  let order = Array.from({ length: rows }, (_, row) => row);
  let shown = FIRST_ROWS;
  let sorted = -1;
  let isFalling = false;
  const body = make("tbody", {});
  const more = make("button", { type: "button", class: "button small" });
  const heads = columns.map(({ name, unit }, index) => {
    const press = make("button", { type: "button", title: `Sort by ${name}` }, name, unit ? make("span", { class: "quiet" }, `, ${unit}`) : null);
    press.addEventListener("click", () => sort(index));
    return make("th", { scope: "col" }, press);
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
  const element = make("div", {}, make("div", { class: "answer-scroll", tabindex: "0", role: "region", "aria-label": "Table of the answer" }, table), more);

  /** @param {number} index */
  function sort(index) {
    isFalling = sorted === index && !isFalling;
    sorted = index;
    const column = columns[index];
    if (column) order = orderBy(column, isFalling);
    heads.forEach((head, at) => (at === index ? head.setAttribute("aria-sort", isFalling ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    fill();
  }

  function fill() {
    const cell = (/** @type {number | string | undefined} */ value) => make("td", {}, typeof value === "number" ? shortNumber(value, 8) : (value ?? ""));
    body.replaceChildren(...order.slice(0, shown).map((row) => make("tr", {}, ...columns.map(({ cells }) => cell(cells[row])))));
    more.hidden = shown >= rows;
    more.textContent = `Show more of the ${rows - shown} rows that are left`;
  }
  more.addEventListener("click", () => {
    shown += MORE_ROWS;
    fill();
  });
  return { element, fill };
}
