// The mechanism, large: the film of the run, or the start where there is no run, with a hand that can take hold of it.

import { icon, make, roving } from "./dom.js";
import { mountFilm } from "./film.js";
import { Hand } from "./hand.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").FilmSet} FilmSet */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./film.js").MountedFilm} MountedFilm */
/** @typedef {ReturnType<typeof import("./playback.js").makePlayback>} Playback */

const ZOOM_STEP = 0.8;
/** Numbers that change faster cannot be read, ms. */
const READING_TIME = 120;
const FIT = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5";
const IN = "M12 5v14M5 12h14";
const OUT = "M5 12h14";
const KEYS = "Enter takes a point of the mechanism: arrows move it, with shift a little, Tab goes to the next point, Enter accepts, Escape gives up. Plus, minus and 0 zoom.";
const NO_PICTURE = "This model says nothing about how it looks, so there is no picture: a section [draw] makes one. Its plots are there.";

/**
 * @typedef {object} StageListeners
 * @property {(time: number, readable: boolean) => void} onTime   with every frame; readable a few times a second
 * @property {() => void} onSeek                                  the reader has moved the cursor
 * @property {(set: Record<string, string>) => void} onStart      a start pose was chosen by hand
 * @property {() => number[] | undefined} coordinates             of the pose that is seen
 */

export class Stage {
  /**
   * @param {App} app
   * @param {Playback} playback
   * @param {StageListeners} listeners
   */
  constructor(app, playback, listeners) {
    this.app = app;
    this.playback = playback;
    this.listeners = listeners;
    /** @type {MountedFilm | null} */
    this.film = null;
    this.showsRun = false;
    // whether the film plays as far as the reader is concerned, through all films that take each other's place
    this.wantsPlay = playsAtFirst();
    // of the cursor, through all films as well
    this.kept = app.state.time;
    // whether the next film begins with a pose that was chosen by hand
    this.isChosen = false;
    this.toldAt = -Infinity;
    this.hand = new Hand({
      app,
      film: () => this.film,
      coordinates: () => listeners.coordinates(),
      onTake: () => { this.wantsPlay = this.film?.clock.playing || (!this.showsRun && this.wantsPlay); },
      onAccept: (set) => {
        this.isChosen = true;
        listeners.onStart(set);
      },
      onSeek: () => this.seeked(),
    });
    this.frame = make("div", { class: "stage-film", tabindex: 0, role: "application", "aria-label": "Mechanism", "aria-describedby": "stage-keys" });
    this.tools = this.makeTools();
    this.nothing = make("p", { class: "quiet stage-nothing", hidden: true }, NO_PICTURE);
    this.element = make("div", { class: "stage-box" }, this.frame, this.nothing, this.hand.note, this.tools, make("p", { class: "stage-keys", id: "stage-keys" }, KEYS));
  }

  makeTools() {
    const modes = /** @type {const} */ (["pose", "time"]).map((mode) => make("button", {
      class: "button small", type: "button", "data-mode": mode, "aria-pressed": String(mode === "pose"), onclick: () => this.setMode(mode),
    }, mode === "pose" ? "start pose" : "time"));
    const tools = make("div", { class: "stage-tools", role: "toolbar", "aria-label": "Hand and zoom" },
      make("div", { class: "row stage-mode", role: "group", "aria-label": "What a hand on the mechanism moves" }, make("span", { class: "quiet small-text" }, "hand moves"), ...modes),
      make("div", { class: "row stage-zoom" },
        zoomButton("Zoom out", OUT, () => this.film?.zoom(1 / ZOOM_STEP)),
        zoomButton("Show everything", FIT, () => this.film?.look(null)),
        zoomButton("Zoom in", IN, () => this.film?.zoom(ZOOM_STEP))));
    roving(tools);
    return tools;
  }

  /** @param {"pose"|"time"} mode */
  setMode(mode) {
    this.hand.setMode(mode);
    for (const button of this.tools.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.mode === mode));
    this.app.say(mode === "pose" ? "A hand on the mechanism chooses a start pose" : "A hand on the mechanism moves through time");
  }

  // ---- films

  /** The motion takes the place of what was seen; cursor and play go on. @param {FilmSet} filmSet */
  showRun(filmSet) {
    // a pose that was chosen is seen first
    if (this.isChosen) this.kept = -Infinity;
    else this.remember();
    this.isChosen = false;
    const view = this.film?.view() ?? null;
    const film = this.mount(filmSet, view && !view.isWhole ? view : null);
    this.showsRun = true;
    this.frame.setAttribute("aria-label", "Mechanism, moving");
    this.playback.attach(film, filmSet, film.frames > 1);
    const [first, last] = [film.times[0], film.times[film.times.length - 1]];
    film.seekTime(this.kept > first && this.kept < last ? this.kept : first);
    if (this.wantsPlay) film.play();
  }

  /**
   * The start.
   * @param {FilmSet} filmSet
   * @param {boolean} keepsView   while a value is being dragged the picture does not jump
   */
  showStart(filmSet, keepsView) {
    this.remember();
    const film = this.mount(filmSet, keepsView ? this.film?.view() ?? null : null);
    this.showsRun = false;
    this.frame.setAttribute("aria-label", "Mechanism at its start");
    this.playback.attach(film, filmSet, false);
    film.seek(0);
  }

  /** There is no film of this model. */
  showNothing() {
    this.film?.dispose();
    this.film = null;
    this.showsRun = false;
    this.setPicture(false);
  }

  /** Another model: its film begins where the state says, whole, and plays. */
  forget() {
    this.showsRun = false;
    this.wantsPlay = playsAtFirst();
    this.kept = this.app.state.time;
    this.film?.pause();
    this.film?.look(null);
  }

  /**
   * @param {FilmSet} filmSet
   * @param {import("./film.js").View | null} view
   */
  mount(filmSet, view) {
    const { show: { loop, ...show }, speed } = this.app.state;
    this.hand.giveUp();
    this.setPicture(true);
    const before = this.film;
    const film = mountFilm(this.frame, filmSet, { show, loop, speed, view, onGrab: (grab, to) => this.hand.take(grab, to) });
    before?.dispose();
    this.film = film;
    film.onTime((time) => {
      const now = performance.now();
      const readable = !film.clock.playing || now - this.toldAt > READING_TIME;
      if (readable) this.toldAt = now;
      this.listeners.onTime(time, readable);
    });
    film.clock.onPlay((playing) => { if (!playing && this.showsRun) this.seeked(); });
    return film;
  }

  /** @param {boolean} isThere */
  setPicture(isThere) {
    this.nothing.hidden = isThere;
    this.tools.hidden = !isThere;
    this.playback.element.hidden = !isThere;
  }

  /** @param {Readonly<State>} state */
  set({ show: { loop, ...show }, speed }) {
    this.film?.set({ show, loop, speed });
    if (this.film && this.showsRun) this.playback.showSpeed(this.film.clock.speed);
  }

  // ---- time

  remember() {
    if (!this.film || !this.showsRun) return;
    this.wantsPlay = this.film.clock.playing;
    this.kept = this.film.time();
  }

  seeked() {
    if (this.film && this.showsRun) this.kept = this.film.time();
    this.listeners.onSeek();
  }

  /** @param {number} time */
  seekTime(time) {
    this.film?.pause();
    this.film?.seekTime(time);
    this.kept = time;
  }

  time() {
    return this.film && this.showsRun ? this.film.time() : this.kept;
  }

  /** Nobody looks any more. */
  leave() {
    this.remember();
    this.hand.giveUp();
  }

  /**
   * Keys of the film; whether this one meant something.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { film, playback, app } = this;
    if (!film) return false;
    if (this.frame.contains(document.activeElement) && this.hand.key(event)) return true;
    if (event.key === "Escape" && this.hand.isBusy()) {
      this.hand.giveUp();
      return true;
    }
    const toggle = (/** @type {keyof State["show"]} */ name) => app.change({ show: { [name]: !app.state.show[name] } });
    const seek = (/** @type {number} */ frame) => { film.pause(); film.seek(frame); this.seeked(); };
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => playback.toggle(), k: () => playback.toggle(),
      ArrowLeft: () => playback.step(event.shiftKey ? -10 : -1), ArrowRight: () => playback.step(event.shiftKey ? 10 : 1),
      Home: () => seek(0), End: () => seek(film.frames - 1),
      ",": () => playback.faster(0.5), ".": () => playback.faster(2),
      "+": () => film.zoom(ZOOM_STEP), "-": () => film.zoom(1 / ZOOM_STEP), 0: () => film.look(null),
      l: () => toggle("loop"), t: () => toggle("trails"), f: () => toggle("forces"), g: () => toggle("gaps"), n: () => toggle("names"), c: () => toggle("centres"),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return false;
    act();
    return true;
  }
}

/** Films play by themselves unless the reader's system asks for less motion. */
const playsAtFirst = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {string} label
 * @param {string} path
 * @param {() => void} act
 */
function zoomButton(label, path, act) {
  return make("button", { class: "button small", type: "button", "aria-label": label, title: label, onclick: act }, icon(path));
}
