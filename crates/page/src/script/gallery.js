// The ready systems, each moving, and ways to begin with nothing.

import { icon, make } from "./dom.js";
import { galleryFilms } from "./gallery_films.js";
import { showOpenDialog } from "./folder.js";
import { startDrawing } from "./sketch_other.js";
import { knowsTour, startTour } from "./tour.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ReadySystem} ReadySystem */

const DRAW = "M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3";
const WRITE = "M5 5h14M5 10h9M5 15h14M5 20h6";
const OPEN = "M3 18V6a1 1 0 0 1 1-1h5l2 2.500h8a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z";

/**
 * @param {App} app
 * @returns {View}
 */
export function galleryView(app) {
  const films = galleryFilms(app);
  const cards = make("div", { class: "gallery-cards" }, ...app.catalogue.systems.map((system) => card(app, system, films.add)));
  const element = make("section", { class: "view-gallery", "aria-label": "Gallery" },
    make("div", { class: "gallery-head" },
      make("div", {},
        make("h2", {}, "What do you want to move?"),
        make("p", { class: "quiet" }, "Open a ready system and make it yours, or begin with nothing.")),
      invitation(app)),
    make("div", { class: "gallery-starts" },
      start("Draw a mechanism", "Links, pins, springs and motors on a grid", DRAW, () => startDrawing(app)),
      start("Write a model", "Coordinates and energies as text, from a small example", WRITE, () => app.open({ name: "my-pendulum", text: app.catalogue.starter }, "begin a model", { view: "equations" })),
      start("Open a file", "A model file or a saved view; dropping it here does the same", OPEN, () => showOpenDialog(app))),
    make("div", { class: "gallery-heading" }, make("h2", {}, "Ready systems"), pauseButton(films)),
    cards);
  return { element, show: films.show, hide: films.hide };
}

/**
 * @param {App} app
 * @param {ReadySystem} system
 * @param {(name: string, title: string, stage: HTMLElement) => void} addFilm
 */
function card(app, system, addFilm) {
  const stage = make("div", { class: "gallery-film" });
  const open = () => app.open({ name: system.name, text: system.text }, `open ${system.title}`, { view: "motion" });
  addFilm(system.name, system.title, stage);
  return make("article", { class: "card gallery-card" }, stage,
    make("div", { class: "gallery-words" },
      make("h3", {}, make("button", { type: "button", "data-system": system.name, onclick: open }, system.title)),
      make("p", { class: "quiet" }, system.description)));
}

/**
 * @param {string} title
 * @param {string} about
 * @param {string} path
 * @param {() => void} act
 */
function start(title, about, path, act) {
  return make("button", { class: "card gallery-start", type: "button", onclick: act },
    icon(path), make("span", {}, make("strong", {}, title), make("span", { class: "quiet" }, about)));
}

/**
 * For those who are here for the first time.
 * @param {App} app
 */
function invitation(app) {
  if (knowsTour()) return null;
  const button = make("button", { class: "button primary", type: "button" }, "Take the three-minute tour");
  button.addEventListener("click", () => {
    button.remove();
    startTour(app);
  });
  return button;
}

/**
 * What moves by itself can be stopped.
 * @param {ReturnType<typeof galleryFilms>} films
 */
function pauseButton(films) {
  const button = make("button", { class: "button small", type: "button" });
  const name = () => { button.textContent = films.playing ? "Pause all films" : "Play all films"; };
  button.addEventListener("click", () => {
    films.play(!films.playing);
    name();
  });
  name();
  return button;
}
