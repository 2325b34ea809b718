// Sliders for every parameter and every value at the start. A field takes what --set takes: numbers, formulas, units.

import { make } from "./dom.js";
import { freshId } from "./form.js";
import { prose } from "./prose.js";
import { quantitiesOf } from "./quantities.js";
import { fieldText, positionOf, positionsOf, setText, sliderRange, valueAtPosition } from "./slider_range.js";
import { symbolElement, symbolText } from "./symbol.js";

/** @typedef {import("./quantities.js").Quantity} Quantity */
/** @typedef {import("./types.js").ModelReply} ModelReply */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {Record<string, string>} Values */

/**
 * @typedef {object} Listeners
 * @property {(set: Values) => void} onDrag                     while a slider moves
 * @property {(set: Values, label: string) => void} onRelease   when a value is chosen
 * @property {(place: [number, number], text: string, label: string) => void} onWrite   when a number of the model's text is
 */

/**
 * @typedef {object} Sliders
 * @property {HTMLElement} element
 * @property {(reply: ModelReply, own: ModelReply, set: Values, text: string) => void} show   `own` is the reply without anything set
 * @property {() => void} clear   no model, no sliders
 * @property {(problems: Problem[]) => void} fail     shows what is wrong with values at their fields
 * @property {() => boolean} isDragging
 */

/** With more sliders than this there is a field that finds one by its name. */
const MANY = 10;
const GROUPS = /** @type {const} */ ([
  ["parameters", "Parameters", ["motor", "size", "parameter"]],
  ["start", "At the start", ["start"]],
  ["rates", "Velocities at the start", ["rate"]],
  ["solved", "Found by assembly", ["solved"]],
]);

/**
 * @param {Listeners} listeners
 * @returns {Sliders}
 */
export function makeSliders(listeners) {
  /** @type {Values} */
  let set = {};
  /** @type {Map<string, Line>} */
  let lines = new Map();
  let built = "";
  let dragging = false;
  const find = make("input", { class: "field slider-find", type: "search", placeholder: "Find a name", "aria-label": "Find a slider by its name", oninput: () => filter() });
  const resetAll = make("button", { class: "button small", type: "button", onclick: () => change({}, "all values as in the model") }, "Reset all");
  const groups = make("div", { class: "slider-groups stack" });
  const element = make("section", { class: "sliders stack", "aria-label": "Parameters and start" },
    make("div", { class: "row slider-head" }, make("h3", {}, "Values"), resetAll), find, groups);

  /** @param {Values} next @param {string} label */
  function change(next, label) {
    for (const { quantity: { setName, place } } of lines.values()) {
      if (place && setName in next) return listeners.onWrite(place, next[setName], label);
    }
    set = next;
    refresh();
    listeners.onRelease(next, label);
  }
  function filter() {
    const wanted = find.value.trim().toLowerCase();
    for (const [name, line] of lines) {
      line.element.hidden = wanted !== "" && !`${name} ${symbolText(line.quantity.name)} ${line.quantity.text}`.toLowerCase().includes(wanted);
    }
    for (const group of groups.querySelectorAll("details")) if (wanted !== "") group.open = true;
  }
  function refresh() {
    resetAll.disabled = Object.keys(set).length === 0;
    for (const line of lines.values()) line.refresh(set);
  }

  /** @param {Quantity[]} quantities */
  function build(quantities) {
    lines = new Map(quantities.map((quantity) => [quantity.setName, lineOf(quantity, {
      set: () => set,
      drag: (next) => { dragging = true; listeners.onDrag(next); },
      release: (next, label) => { dragging = false; change(next, label); },
    })]));
    const focused = document.activeElement instanceof HTMLElement && groups.contains(document.activeElement) ? document.activeElement : null;
    const [line, type] = [focused?.closest(".slider")?.getAttribute("data-name"), focused?.getAttribute("type")];
    const open = new Map([...groups.querySelectorAll("details")].map((group) => [group.dataset.group, group.open]));
    groups.replaceChildren(...GROUPS.flatMap(([key, label, kinds]) => {
      const own = quantities.filter(({ kind }) => /** @type {readonly string[]} */ (kinds).includes(kind));
      if (own.length === 0) return [];
      const isOpen = open.get(key) ?? (key !== "solved" && (key !== "rates" || own.length <= MANY));
      const about = key === "solved" ? make("p", { class: "quiet small-text" }, "These follow from the others so that the mechanism closes; a value here is the first guess.") : null;
      return [make("details", { class: "slider-group", "data-group": key, open: isOpen },
        make("summary", {}, label, " ", make("span", { class: "quiet" }, `(${own.length})`)), about,
        ...own.map(({ setName }) => lines.get(setName)?.element))];
    }));
    find.hidden = quantities.length <= MANY;
    filter();
    if (line) /** @type {HTMLElement | null | undefined} */ (lines.get(line)?.element.querySelector(`[type=${type}]`))?.focus();
  }

  return {
    element,
    show(reply, own, nextSet, source) {
      const quantities = quantitiesOf(reply, nextSet, source);
      const owns = new Map(quantitiesOf(own).map(({ setName, value }) => [setName, value]));
      set = nextSet;
      const key = quantities.map(({ setName, kind, text, unit }) => [kind, setName, text, unit].join()).join("\n");
      if (key !== built) build(quantities);
      built = key;
      for (const quantity of quantities) lines.get(quantity.setName)?.take(quantity, owns.get(quantity.setName) ?? quantity.value);
      refresh();
    },
    clear() {
      built = "";
      build([]);
    },
    fail(problems) {
      for (const line of lines.values()) line.fail(null);
      for (const { message, place } of problems) {
        const name = place?.source?.split("=")[0].trim();
        if (name) lines.get(name)?.fail(message);
      }
    },
    isDragging: () => dragging,
  };
}

/**
 * @typedef {object} Line
 * @property {Quantity} quantity
 * @property {HTMLElement} element
 * @property {(quantity: Quantity, own: number) => void} take
 * @property {(set: Values) => void} refresh
 * @property {(problem: string | null) => void} fail
 */

/**
 * One quantity: its name, a slider, a field, and back to the model's value.
 * @param {Quantity} first
 * @param {{set: () => Values, drag: (set: Values) => void, release: (set: Values, label: string) => void}} hand
 * @returns {Line}
 */
function lineOf(first, hand) {
  const { name, setName } = first;
  const id = freshId("slider");
  const spoken = symbolText(name);
  let range = sliderRange(first, first.value);
  let isHeld = false;
  const slider = make("input", {
    type: "range", min: 0, max: positionsOf(range), step: 1, class: "slider-range", "aria-label": `${spoken}${first.text ? `, ${first.text}` : ""}`,
    oninput: () => {
      isHeld = true;
      const text = setText(range, valueAtPosition(range, Number(slider.value)));
      field.value = text;
      slider.setAttribute("aria-valuetext", text);
      // a number of the text moves nothing before it is written
      if (!first.place) hand.drag({ ...hand.set(), [setName]: text });
    },
    onchange: () => {
      isHeld = false;
      const text = setText(range, valueAtPosition(range, Number(slider.value)));
      performance.mark("catena-slider-release");
      hand.release({ ...hand.set(), [setName]: text }, `${spoken} = ${text}`);
    },
  });
  const field = make("input", {
    type: "text", class: "field slider-field", id, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-problem`,
    onchange: () => {
      const text = field.value.trim();
      if (text === "") return reset();
      if (first.place && !Number.isFinite(Number(text))) return line.fail("this takes a number; the model file takes a formula");
      hand.release({ ...hand.set(), [setName]: text }, `${spoken} = ${text}`);
    },
  });
  const reset = () => {
    const { [setName]: _, ...rest } = hand.set();
    hand.release(rest, `${spoken} as in the model`);
  };
  const back = make("button", { type: "button", class: "button plain small slider-reset", "aria-label": `${spoken} as in the model`, title: "As in the model", onclick: reset }, "↺");
  const problem = make("p", { class: "option-problem", id: `${id}-problem`, role: "status" });
  const note = first.text || (first.follows ? "follows from other parameters" : "");
  const unit = make("span", { class: "quiet slider-unit" }, first.isAngle ? "" : first.unit.replaceAll("^2", "²").replaceAll("^3", "³"));
  const element = make("div", { class: "slider", "data-name": setName },
    make("label", { class: "slider-name", for: id, title: `${name}${note ? `: ${note}` : ""}` }, symbolElement(name), note ? make("span", { class: "quiet slider-note" }, note) : null),
    slider, make("span", { class: "slider-value" }, field, unit), back, problem);
  /** @type {Line} */
  const line = {
    quantity: first,
    element,
    take(quantity, own) {
      line.quantity = quantity;
      if (isHeld) return;
      // what is written into the text becomes the model's own, and the slider stays where it is
      range = sliderRange(quantity, first.place ? first.value : own, quantity.value);
      slider.max = String(positionsOf(range));
      slider.value = String(positionOf(range, quantity.value));
    },
    refresh(set) {
      const isSet = setName in set;
      element.classList.toggle("is-set", isSet);
      back.disabled = !isSet;
      if (isHeld || document.activeElement === field) return;
      field.value = fieldText(line.quantity.isAngle, line.quantity.value, set[setName]);
      field.title = set[setName] ?? "";
      slider.setAttribute("aria-valuetext", `${field.value} ${line.quantity.isAngle ? "" : line.quantity.unit}`.trim());
    },
    fail(text) {
      problem.replaceChildren(...prose(text ?? ""));
      if (text) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    },
  };
  return line;
}
