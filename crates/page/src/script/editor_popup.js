// The list of completions below the caret.
import { make } from "./dom.js";

/** @typedef {import("./editor_completions.js").Completion} Completion */

/** More than this nobody reads; typing another letter narrows the list. */
const MAX_SHOWN = 60;

/** A list that takes keys of the text area while it is open. */
export class Popup {
  /**
   * @param {HTMLTextAreaElement} area
   * @param {(completion: Completion) => void} accept
   */
  constructor(area, accept) {
    this.area = area;
    this.accept = accept;
    this.element = make("ul", { class: "editor-completions", role: "listbox", id: `${area.id}-completions`, "aria-label": "Suggestions", hidden: true });
    /** @type {readonly Completion[]} */
    this.shown = [];
    this.chosen = 0;
    area.setAttribute("aria-autocomplete", "list");
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get count() {
    return this.shown.length;
  }

  /**
   * @param {readonly Completion[]} completions
   * @param {{ left: number, top: number, lineHeight: number }} place   of the caret, in the box that holds the list
   */
  open(completions, place) {
    this.shown = completions.slice(0, MAX_SHOWN);
    this.element.replaceChildren(...this.shown.map((completion, index) => this.option(completion, index)));
    this.element.hidden = false;
    this.element.style.left = `${place.left}px`;
    this.element.style.top = `${place.top + place.lineHeight}px`;
    this.area.setAttribute("aria-controls", this.element.id);
    this.choose(0);
    this.stayInside(place);
  }

  /**
   * @param {Completion} completion
   * @param {number} index
   */
  option(completion, index) {
    const row = make("li", { role: "option", id: `${this.element.id}-${index}` }, make("span", {}, completion.text), make("span", { class: "quiet" }, completion.detail));
    // pressing must not take the focus from the text
    row.addEventListener("pointerdown", (event) => event.preventDefault());
    row.addEventListener("click", () => this.accept(completion));
    return row;
  }

  /**
   * Moves the list to the left, or above the line, where it would leave its box.
   * @param {{ left: number, top: number, lineHeight: number }} place
   */
  stayInside(place) {
    const box = this.element.offsetParent;
    if (!box) return;
    const over = place.left + this.element.offsetWidth - box.clientWidth;
    if (over > 0) this.element.style.left = `${Math.max(0, place.left - over)}px`;
    const bottom = box.getBoundingClientRect().top + place.top + place.lineHeight + this.element.offsetHeight;
    if (bottom > window.innerHeight && place.top > this.element.offsetHeight) this.element.style.top = `${place.top - this.element.offsetHeight}px`;
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = (index + this.shown.length) % this.shown.length;
    for (const [at, row] of [...this.element.children].entries()) row.setAttribute("aria-selected", String(at === this.chosen));
    const row = this.element.children[this.chosen];
    if (!(row instanceof HTMLElement)) return;
    this.area.setAttribute("aria-activedescendant", row.id);
    // not scrollIntoView, which would scroll the page too
    if (row.offsetTop < this.element.scrollTop) this.element.scrollTop = row.offsetTop;
    const below = row.offsetTop + row.offsetHeight - this.element.clientHeight;
    if (below > this.element.scrollTop) this.element.scrollTop = below;
  }

  close() {
    this.element.hidden = true;
    this.shown = [];
    this.area.removeAttribute("aria-activedescendant");
    this.area.removeAttribute("aria-controls");
  }

  /**
   * Whether the list has taken a key.
   * @param {KeyboardEvent} event
   */
  takes(event) {
    if (this.element.hidden || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const page = 8;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.choose(this.chosen + 1),
      ArrowUp: () => this.choose(this.chosen - 1),
      PageDown: () => this.choose(Math.min(this.shown.length - 1, this.chosen + page)),
      PageUp: () => this.choose(Math.max(0, this.chosen - page)),
      Enter: () => this.take(),
      Tab: () => this.take(),
      Escape: () => this.close(),
    };
    const action = actions[event.key];
    if (!action) return false;
    action();
    return true;
  }

  take() {
    const completion = this.shown[this.chosen];
    if (completion) this.accept(completion);
  }
}
