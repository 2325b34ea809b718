// The mechanism, large: the film of the run, or the start where there is no run, with a hand that can take hold of it.

import { icon, make } from "./dom.js";
import { mountFilm } from "./film.js";
import { makeHand } from "./hand.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").FilmSet} FilmSet */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./film.js").MountedFilm} MountedFilm */

const ZOOM_STEP = 0.8;
/** Numbers that change faster cannot be read, ms. */
const READING_TIME = 120;
const FIT = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5";
const IN = "M12 5v14M5 12h14";
const OUT = "M5 12h14";

/**
 * @typedef {object} StageListeners
 * @property {(time: number, readable: boolean) => void} onTime   with every frame; readable a few times a second
 * @property {() => void} onSeek                                  the reader has moved the cursor
 * @property {(set: Record<string, string>) => void} onStart      a start pose was chosen by hand
 * @property {() => number[] | undefined} coordinates             of the pose that is seen
 */

/**
 * @param {App} app
 * @param {ReturnType<typeof import("./playback.js").makePlayback>} playback
 * @param {StageListeners} listeners
 */
export function makeStage(app, playback, listeners) {
  /** @type {MountedFilm | null} */
  let film = null;
  let showsRun = false;
  // whether the film plays as far as the reader is concerned, through all films that take each other's place
  let wantsPlay = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let time = app.state.time;
  let toldAt = -Infinity;
  // whether the next film begins with a pose that was chosen by hand
  let isChosen = false;
  const frame = make("div", { class: "stage-film", tabindex: 0, role: "application", "aria-label": "Mechanism", "aria-describedby": "stage-keys" });
  const hand = makeHand({
    app,
    film: () => film,
    coordinates: () => listeners.coordinates(),
    onTake: () => { wantsPlay = film?.clock.playing || (!showsRun && wantsPlay); },
    onAccept: (set) => {
      // the pose that was chosen is seen first, and the film goes on if it did before
      isChosen = true;
      listeners.onStart(set);
    },
    onSeek: () => { remember(); listeners.onSeek(); },
  });
  const [posing, timing] = /** @type {const} */ (["pose", "time"]).map((mode) => make("button", {
    class: "button small", type: "button", "aria-pressed": String(mode === "pose"), onclick: () => setMode(mode),
  }, mode === "pose" ? "start pose" : "time"));
  const tools = make("div", { class: "stage-tools" },
    make("div", { class: "row stage-mode", role: "group", "aria-label": "What a hand on the mechanism moves" }, make("span", { class: "quiet small-text" }, "hand moves"), posing, timing),
    make("div", { class: "row stage-zoom" },
      zoomButton("Zoom out", OUT, () => film?.zoom(1 / ZOOM_STEP)), zoomButton("Show everything", FIT, () => film?.look(null)), zoomButton("Zoom in", IN, () => film?.zoom(ZOOM_STEP))));
  const keys = make("p", { class: "stage-keys", id: "stage-keys" },
    "Enter takes a point of the mechanism: arrows move it, with shift a little, Tab goes to the next point, Enter accepts, Escape gives up. Plus, minus and 0 zoom.");
  const nothing = make("p", { class: "quiet stage-nothing", hidden: true },
    "This model says nothing about how it looks, so there is no picture: a section [draw] makes one. Its plots are there.");
  const element = make("div", { class: "stage-box" }, frame, nothing, hand.note, tools, keys);

  /** @param {"pose"|"time"} mode */
  function setMode(mode) {
    hand.setMode(mode);
    posing.setAttribute("aria-pressed", String(mode === "pose"));
    timing.setAttribute("aria-pressed", String(mode === "time"));
    app.say(mode === "pose" ? "A hand on the mechanism chooses a start pose" : "A hand on the mechanism moves through time");
  }
  function remember() {
    if (film && showsRun) time = film.time();
  }

  /** @param {boolean} isThere */
  function setPicture(isThere) {
    nothing.hidden = isThere;
    tools.hidden = !isThere;
    playback.element.hidden = !isThere;
  }

  /**
   * @param {FilmSet} filmSet
   * @param {import("./film.js").View | null} view
   */
  function mount(filmSet, view) {
    const { show, speed } = app.state;
    hand.giveUp();
    const before = film;
    const { loop, ...shown } = show;
    setPicture(true);
    film = mountFilm(frame, filmSet, { show: shown, loop, speed, view, onGrab: hand.onGrab });
    before?.dispose();
    film.onTime((now) => {
      const at = performance.now();
      const readable = !film?.clock.playing || at - toldAt > READING_TIME;
      if (readable) toldAt = at;
      listeners.onTime(now, readable);
    });
    film.clock.onPlay((playing) => {
      if (!playing && showsRun) { remember(); listeners.onSeek(); }
    });
  }

  return {
    element,
    /** The motion takes the place of what was seen; cursor and play go on. @param {FilmSet} filmSet */
    showRun(filmSet) {
      if (isChosen) time = -Infinity;
      else if (showsRun && film) { wantsPlay = film.clock.playing; remember(); }
      isChosen = false;
      const view = film?.view() ?? null;
      mount(filmSet, view && !view.isWhole ? view : null);
      if (!film) return;
      showsRun = true;
      frame.setAttribute("aria-label", "Mechanism, moving");
      playback.attach(film, filmSet, film.frames > 1);
      const [first, last] = [film.times[0], film.times[film.times.length - 1]];
      film.seekTime(time > first && time < last ? time : first);
      if (wantsPlay) film.play();
    },
    /**
     * The start. @param {FilmSet} filmSet
     * @param {boolean} keepsView   while a value is being dragged the picture does not jump
     */
    showStart(filmSet, keepsView) {
      if (showsRun && film) { wantsPlay = film.clock.playing; remember(); }
      mount(filmSet, keepsView ? film?.view() ?? null : null);
      if (!film) return;
      showsRun = false;
      frame.setAttribute("aria-label", "Mechanism at its start");
      playback.attach(film, filmSet, false);
      film.seek(0);
    },
    /** Another model: its film begins where the state says, whole, and plays. */
    forget() {
      showsRun = false;
      wantsPlay = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      time = app.state.time;
      film?.pause();
      film?.look(null);
    },
    /** There is no film of this model. */
    showNothing() {
      film?.dispose();
      film = null;
      showsRun = false;
      setPicture(false);
    },
    /** @param {Readonly<State>} state */
    set({ show: { loop, ...show }, speed }) {
      film?.set({ show, loop, speed });
      if (film && showsRun) playback.showSpeed(film.clock.speed);
    },
    /** @param {number} to */
    seekTime(to) {
      film?.pause();
      film?.seekTime(to);
      time = to;
    },
    time: () => (film && showsRun ? film.time() : time),
    showsRun: () => showsRun,
    pauseHidden() { remember(); hand.giveUp(); },
    /** @param {KeyboardEvent} event */
    key: (event) => stageKey(event, { film, hand, playback, isInside: frame.contains(document.activeElement), app }),
    get film() { return film; },
  };
}

/**
 * @param {string} label
 * @param {string} path
 * @param {() => void} act
 */
function zoomButton(label, path, act) {
  return make("button", { class: "button small", type: "button", "aria-label": label, title: label, onclick: act }, icon(path));
}

/**
 * Keys of the film; whether this one meant something.
 * @param {KeyboardEvent} event
 * @param {{film: MountedFilm | null, hand: ReturnType<typeof makeHand>, playback: any, isInside: boolean, app: App}} stage
 */
function stageKey(event, { film, hand, playback, isInside, app }) {
  if (!film) return false;
  if (isInside && hand.key(event)) return true;
  if (event.key === "Escape" && hand.isBusy()) {
    hand.giveUp();
    return true;
  }
  const { show } = app.state;
  const toggle = (/** @type {keyof State["show"]} */ name) => app.change({ show: { [name]: !show[name] } });
  /** @type {Record<string, () => void>} */
  const keys = {
    " ": () => playback.toggle(), k: () => playback.toggle(),
    ArrowLeft: () => playback.step(event.shiftKey ? -10 : -1), ArrowRight: () => playback.step(event.shiftKey ? 10 : 1),
    Home: () => film.seek(0), End: () => film.seek(film.frames - 1),
    ",": () => playback.faster(0.5), ".": () => playback.faster(2),
    "+": () => film.zoom(ZOOM_STEP), "-": () => film.zoom(1 / ZOOM_STEP), 0: () => film.look(null),
    l: () => toggle("loop"), t: () => toggle("trails"), f: () => toggle("forces"), g: () => toggle("gaps"), n: () => toggle("names"), c: () => toggle("centres"),
  };
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return false;
  act();
  return true;
}
