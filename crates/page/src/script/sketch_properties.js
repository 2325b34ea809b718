// The box of what is selected: its values, as numbers or formulas.
import { make } from "./dom.js";
import { prose, titleOf } from "./prose.js";
import { itemNamed, keyOf, repeated, tableOf, valueOf } from "./text_outline.js";
import { typed } from "./text_patch.js";
import { Gesture, refused } from "./sketch_gesture.js";
import { fieldsOf, splitPair } from "./sketch_fields.js";
import { copyWords, dropMassRule, weighByLength } from "./sketch_bodies.js";
import { renameItem } from "./sketch_rename.js";
import { typedSize } from "./sketch_snap.js";
import { wordFor } from "./sketch_select.js";

/** @typedef {import("./sketch_board.js").Board} Board */
/** @typedef {import("./sketch_fields.js").Field} Field */
/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_spots.js").Item} Item */

/**
 * What a field becomes in the text.
 * @param {Draft} draft
 * @param {Item} item
 * @param {Field} field
 * @param {string} text
 * @returns {Outcome}
 */
export function changeField(draft, item, field, text) {
  const value = text.trim();
  if (field.kind === "name") return renameItem(draft, item, value);
  const least = item.section === "body" && value !== "" ? field.key : "";
  if (least === "length" && Number(value) <= 0) return refused(`The length of ${item.name} must be more than 0.`);
  if (least === "mass" && Number(value) < 0) return refused(`The mass of ${item.name} must not be negative.`);
  const gesture = new Gesture(draft);
  const { patch } = gesture;
  const label = `${field.label} of ${item.name}`;
  const owner = field.owner === "initial" ? tableOf(draft.outline, "initial") : field.owner;
  const pair = field.kind === "pair" && value !== "" ? splitPair(value) : null;
  if (field.kind === "pair" && value !== "" && !pair) return refused(`${field.label} is two numbers or formulas with a comma between them: 0.4, 0.2`);
  const written = field.kind === "flag" ? value : pair ? `[${pair.map(typed).join(", ")}]` : typed(value);
  const point = field.key.startsWith("points.") && owner ? keyOf(valueOf(owner, "points"), field.key.slice(7)) : undefined;
  if (point && owner) {
    if (value === "") patch.removePoint(owner, point.key);
    else patch.replace(point.value, written);
  } else if (value === "" || value === "false") {
    if (owner) patch.unset(owner, field.key);
  } else if (owner) {
    patch.set(owner, field.key, written);
    if (item.section === "body" && field.key === "mass") dropMassRule(gesture, owner);
    const size = item.section === "body" && field.key === "length" ? typedSize(value) : null;
    if (size?.length && size.angle === null) weighByLength(gesture, owner, size.length);
  }
  else patch.setIn("initial", field.key, written);
  return { ...gesture.done(label, item), parameters: [`${item.name}_${field.key}`, field.key] };
}

/**
 * @param {Board} board
 * @param {(from: number, to: number) => void} reveal   shows a piece of the text
 * @returns {{ element: HTMLElement, show: () => void }}
 */
export function propertyBox(board, reveal) {
  const heading = make("h3", {});
  const rows = make("div", { class: "sk-fields" });
  const find = make("button", { type: "button", class: "button small", title: "Show where it stands in the model file", onclick: () => {
    const place = board.draft && board.selected && board.isCurrent ? placeInText(board.draft, board.selected) : null;
    if (place) reveal(place.from, place.to);
  } }, "In the text");
  const remove = make("button", { type: "button", class: "button small", onclick: () => board.deleteSelected() }, "Delete");
  const close = make("button", { type: "button", class: "button small", onclick: () => board.select(null) }, "Close");
  const element = make("section", { class: "sk-properties", "aria-label": "Values of what is selected", hidden: true }, make("div", { class: "row sk-properties-top" }, heading, find, remove, close), rows);
  let shownFor = "";

  function show() {
    const { selected, draft } = board;
    element.hidden = !selected || !draft || !board.isCurrent && shownFor === "";
    if (!selected || !draft) { shownFor = ""; return; }
    const fields = fieldsOf(draft, selected);
    const now = JSON.stringify([selected, fields?.map(({ key, text }) => [key, text])]);
    if (now !== shownFor) {
      shownFor = now;
      heading.textContent = titleOf(wordFor(draft, selected));
      const active = document.activeElement instanceof HTMLInputElement && rows.contains(document.activeElement) ? document.activeElement.name : null;
      const note = fields ? wordFor(draft, selected).startsWith("cam ") && "A cam is not drawn by hand: its outline is the formula `profile`." : copyWords(draft, selected);
      rows.replaceChildren(...(fields ?? []).map((field) => rowOf(selected, field)), ...(note ? [make("p", { class: "sk-wide-field" }, ...prose(note))] : []));
      if (active) /** @type {HTMLElement | null} */ (rows.querySelector(`input[name="${CSS.escape(active)}"]`))?.focus();
    }
    if (board.wanted) {
      const wanted = rows.querySelector(`input[name="${CSS.escape(board.wanted)}"]`);
      board.wanted = null;
      if (wanted instanceof HTMLInputElement) { wanted.focus(); wanted.select(); }
    }
  }

  /** @param {Item} item @param {Field} field */
  function rowOf(item, field) {
    if (field.kind === "fixed") return make("p", { class: "sk-field" }, make("span", { class: "quiet" }, field.label), make("span", {}, field.text));
    const name = make("span", { class: "quiet" }, field.unit ? `${field.label}, ${field.unit}` : field.label);
    const change = (/** @type {string} */ text) => board.whenCurrent(() => {
      if (board.draft && text.trim() !== field.text) board.apply(changeField(board.draft, item, fresh(item, field), text));
      // what was refused is not shown as if it held
      if (board.message.isRefusal) shownFor = "";
    });
    if (field.kind === "flag") {
      const box = make("input", { type: "checkbox", name: field.key, checked: field.text === "true", onchange: () => change(String(box.checked)) });
      return make("label", { class: "sk-field" }, name, box);
    }
    const input = make("input", { class: "field", name: field.key, value: field.text, placeholder: field.hint ?? "", autocomplete: "off", spellcheck: "false", onchange: () => change(input.value) });
    return make("label", { class: "sk-field" }, name, input);
  }

  /** The field with its place in the newest text. @param {Item} item @param {Field} field */
  function fresh(item, field) {
    return (board.draft && fieldsOf(board.draft, item)?.find((other) => other.key === field.key)) ?? field;
  }

  return { element, show };
}

/** Where an item stands. @param {Draft} draft @param {Item} item */
function placeInText(draft, item) {
  if (item.section === "ground") return keyOf(valueOf(tableOf(draft.outline, "ground"), "points"), item.name) ?? null;
  return itemNamed(draft.outline, item.section, item.name) ?? repeated(draft.outline, item.section, item.name) ?? null;
}
