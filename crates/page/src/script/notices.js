// What the page tells: sentences for screen readers, cards for what went wrong, a bar for what takes a while.

import { byId, make } from "./dom.js";
import { prose, sentence } from "./prose.js";

/** @typedef {import("./types.js").Failure} Failure */
/** @typedef {import("./types.js").Busy} Busy */

/** What is done sooner needs no bar, ms. */
const WORTH_A_BAR = 250;
const MAX_CARDS = 3;

/**
 * A sentence for screen readers.
 * @param {string} text
 */
export function say(text) {
  const said = byId("said");
  said.textContent = "";
  // the same sentence twice in a row is spoken twice
  requestAnimationFrame(() => { said.textContent = text; });
}

/**
 * A card at the top of the view that says what went wrong and what to do.
 * @param {Failure} error
 */
export function fail(error) {
  if (error.kind === "cancelled") return;
  const notices = byId("notices");
  const message = sentence(error.message);
  for (const old of notices.querySelectorAll(".wrong")) {
    if (/** @type {HTMLElement} */ (old).dataset.message === message || notices.children.length >= MAX_CARDS) old.remove();
  }
  const card = make("div", { class: "card notice wrong", role: "alert", "data-message": message },
    make("div", { class: "notice-text" },
      make("p", {}, make("strong", {}, ...prose(message))),
      error.help ? make("p", { class: "quiet" }, ...prose(sentence(error.help))) : null),
    make("button", { class: "button small", type: "button", onclick: () => card.remove() }, "Dismiss"));
  notices.append(card);
}

/** Takes all cards away: what they spoke of is gone. */
export function clearNotices() {
  for (const card of byId("notices").querySelectorAll(".wrong")) card.remove();
}

/**
 * A bar with a label, and a button to cancel where that is possible.
 * @param {string} label
 * @param {{ abort(): void }} [watch]
 * @returns {Busy}
 */
export function busy(label, watch) {
  const bar = make("progress", { "aria-label": label });
  const box = make("div", { class: "card busy-bar", role: "status" },
    make("span", {}, label), bar,
    watch ? make("button", { class: "button small", type: "button", onclick: () => watch.abort() }, "Cancel") : null);
  const timer = setTimeout(() => byId("busy").append(box), WORTH_A_BAR);
  return {
    progress(part) {
      bar.max = 1;
      bar.value = Math.min(1, Math.max(0, part));
    },
    done() {
      clearTimeout(timer);
      box.remove();
    },
  };
}
