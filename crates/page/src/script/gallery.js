// The ready systems, and ways to begin with nothing.

import { make } from "./dom.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ReadySystem} ReadySystem */

/**
 * @param {App} app
 * @returns {View}
 */
export function galleryView(app) {
  const cards = make("div", { class: "gallery-cards" }, ...app.catalogue.systems.map((system) => card(app, system)));
  const element = make("section", { class: "view-gallery", "aria-label": "Gallery" }, make("h2", {}, "Ready systems"), cards);
  return { element, show() {}, hide() {} };
}

/**
 * @param {App} app
 * @param {ReadySystem} system
 */
function card(app, system) {
  const open = () => app.open({ name: system.name, text: system.text }, `open ${system.title}`, { view: "motion" });
  return make("article", { class: "card gallery-card" },
    make("h3", {}, system.title),
    make("p", { class: "quiet" }, system.description),
    make("button", { class: "button", type: "button", onclick: open, "aria-label": `Open ${system.title}` }, "Open"));
}
