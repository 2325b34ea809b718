// The list of completions below the caret.
import { make } from "./dom.js";

/** @typedef {import("./editor_completions.js").Completion} Completion */

/** More than this nobody reads; typing another letter narrows the list. */
const MAX_SHOWN = 60;

/**
 * @param {HTMLTextAreaElement} area
 * @param {(completion: Completion) => void} accept
 */
export function createPopup(area, accept) {
  const id = `${area.id}-completions`;
  const list = make("ul", { class: "editor-completions", role: "listbox", id, "aria-label": "Suggestions", hidden: true });
  /** @type {readonly Completion[]} */
  let shown = [];
  let chosen = 0;
  area.setAttribute("aria-autocomplete", "list");

  /**
   * @param {readonly Completion[]} completions
   * @param {{ left: number, top: number, lineHeight: number }} place   of the caret, in the box that holds the list
   */
  function open(completions, place) {
    shown = completions.slice(0, MAX_SHOWN);
    list.replaceChildren(...shown.map(option));
    list.hidden = false;
    list.style.left = `${place.left}px`;
    list.style.top = `${place.top + place.lineHeight}px`;
    area.setAttribute("aria-controls", id);
    choose(0);
    stayInside(place);
  }

  /**
   * @param {Completion} completion
   * @param {number} index
   */
  function option(completion, index) {
    const row = make("li", { role: "option", id: `${id}-${index}` }, make("span", {}, completion.text), make("span", { class: "quiet" }, completion.detail));
    // pressing must not take the focus from the text
    row.addEventListener("pointerdown", (event) => event.preventDefault());
    row.addEventListener("click", () => accept(completion));
    return row;
  }

  /**
   * Moves the list to the left, or above the line, where it would leave its box.
   * @param {{ left: number, top: number, lineHeight: number }} place
   */
  function stayInside(place) {
    const box = list.offsetParent;
    if (!box) return;
    const over = place.left + list.offsetWidth - box.clientWidth;
    if (over > 0) list.style.left = `${Math.max(0, place.left - over)}px`;
    const bottom = box.getBoundingClientRect().top + place.top + place.lineHeight + list.offsetHeight;
    if (bottom > window.innerHeight && place.top > list.offsetHeight) list.style.top = `${place.top - list.offsetHeight}px`;
  }

  /** @param {number} index */
  function choose(index) {
    chosen = (index + shown.length) % shown.length;
    for (const [at, row] of [...list.children].entries()) row.setAttribute("aria-selected", String(at === chosen));
    const row = list.children[chosen];
    if (!(row instanceof HTMLElement)) return;
    area.setAttribute("aria-activedescendant", row.id);
    // not scrollIntoView, which would scroll the page too
    if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
    const below = row.offsetTop + row.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }

  function close() {
    list.hidden = true;
    shown = [];
    area.removeAttribute("aria-activedescendant");
    area.removeAttribute("aria-controls");
  }

  /**
   * Whether the list has taken a key.
   * @param {KeyboardEvent} event
   */
  function takes(event) {
    if (list.hidden || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const page = 8;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => choose(chosen + 1),
      ArrowUp: () => choose(chosen - 1),
      PageDown: () => choose(Math.min(shown.length - 1, chosen + page)),
      PageUp: () => choose(Math.max(0, chosen - page)),
      Enter: () => take(),
      Tab: () => take(),
      Escape: close,
    };
    const action = actions[event.key];
    if (!action) return false;
    action();
    return true;
  }

  function take() {
    const completion = shown[chosen];
    if (completion) accept(completion);
  }

  return {
    element: list,
    open,
    close,
    takes,
    get isOpen() {
      return !list.hidden;
    },
    get count() {
      return shown.length;
    },
  };
}
