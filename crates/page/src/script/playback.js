// The bar below a film: play, step, scrub, speed, and what is shown.

import { icon, make } from "./dom.js";
import { frameOf } from "./film.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./film.js").MountedFilm} MountedFilm */

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const PLAY = "M7 4v16l13-8z";
const PAUSE = "M8 4v16M16 4v16";
const BACK = "M15 5l-7 7 7 7";
const NEXT = "M9 5l7 7-7 7";
/** Numbers that change faster cannot be read, ms. */
const READING_TIME = 120;
/** The knob of the slider moves this often, ms. */
const SLIDING_TIME = 50;

/** @type {[keyof State["show"], string, (piece: any) => boolean][]} */
const SHOWN = [
  ["trails", "trails", (piece) => piece.k === "t"],
  ["forces", "forces", (piece) => piece.k === "f" && !piece.w],
  ["gaps", "gaps", (piece) => piece.k === "p" && String(piece.a) !== String(piece.b)],
  ["names", "names", (piece) => piece.k === "n"],
  ["centres", "centres of mass", (piece) => piece.k === "c"],
];

/**
 * @typedef {object} PlaybackListeners
 * @property {(show: Partial<State["show"]>) => void} onShow
 * @property {(speed: number) => void} onSpeed
 * @property {() => void} onSeek     the reader has moved the cursor
 */

class Playback {
  /** @param {PlaybackListeners} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    /** @type {MountedFilm | null} */
    this.film = null;
    this.clock = ["", "s"];
    this.decimals = 2;
    this.moves = false;
    this.toldAt = -Infinity;
    this.slidAt = -Infinity;
    this.play = make("button", { class: "button primary playback-play", type: "button", "aria-label": "Play", onclick: () => this.toggle() }, icon(PLAY));
    this.back = make("button", { class: "button", type: "button", "aria-label": "One frame back", onclick: () => this.step(-1) }, icon(BACK));
    this.next = make("button", { class: "button", type: "button", "aria-label": "One frame on", onclick: () => this.step(1) }, icon(NEXT));
    this.scrub = make("input", { type: "range", class: "playback-scrub", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", oninput: () => this.seek(Number(this.scrub.value)) });
    this.unknown = make("span", { class: "playback-unknown", hidden: true });
    this.time = make("output", { class: "playback-time" });
    this.speed = make("select", { class: "field", "aria-label": "Speed", onchange: () => listeners.onSpeed(Number(this.speed.value)) });
    this.loop = checkbox("loop", (on) => listeners.onShow({ loop: on }));
    this.boxes = SHOWN.map(([name, label, has]) => ({ name, has, ...checkbox(label, (on) => listeners.onShow({ [name]: on })) }));
    this.element = make("div", { class: "playback", role: "group", "aria-label": "Playback" },
      make("div", { class: "playback-row" }, this.play, this.back, this.next, make("span", { class: "playback-track" }, this.scrub, this.unknown), this.time),
      make("div", { class: "row playback-shown" },
        make("label", { class: "playback-speed" }, "speed ", this.speed), this.loop.element, ...this.boxes.map((box) => box.element)));
  }

  /**
   * Another film takes the place of the one before.
   * @param {MountedFilm} film
   * @param {import("./types.js").FilmSet} filmSet
   * @param {boolean} moves
   */
  attach(film, filmSet, moves) {
    this.film = film;
    this.clock = filmSet.clock ?? ["", ""];
    // one more than the film says, so that a single frame is seen on the clock
    this.decimals = Math.min(filmSet.decimals + 1, 9);
    this.scrub.max = String(Math.max(1, film.frames - 1));
    for (const control of [this.play, this.back, this.next, this.scrub, this.speed]) control.disabled = !moves;
    for (const box of this.boxes) box.element.hidden = !film.scenes.some((scene) => scene.pieces.some(box.has));
    film.onTime(() => this.tick());
    film.clock.onPlay((playing) => this.showPlaying(playing));
    this.showPlaying(film.clock.playing);
    this.showSpeed(film.clock.speed);
    this.moves = moves;
    this.knowUntil(null);
    this.tick();
  }

  /** Marks what is not known of the motion. @param {number | null} time   up to which it is; null for all of it */
  knowUntil(time) {
    const { film, unknown } = this;
    unknown.hidden = time === null || !film;
    if (time === null || !film) return;
    unknown.title = `not predicted beyond ${time} s`;
    unknown.style.setProperty("--from", String(frameOf(film.times, time) / Math.max(1, film.frames - 1)));
  }

  toggle() {
    if (this.film?.clock.playing) this.film.pause();
    else this.film?.play();
  }

  /** @param {number} frames */
  step(frames) {
    if (this.film) this.seek(Math.round(this.film.frame) + frames);
  }

  /** @param {number} frame */
  seek(frame) {
    if (!this.film) return;
    this.film.pause();
    this.film.seek(frame);
    this.listeners.onSeek();
  }

  /** @param {number} factor */
  faster(factor) {
    if (this.film) this.listeners.onSpeed(Number((this.film.clock.speed * factor).toPrecision(3)));
  }

  tick() {
    const { film } = this;
    if (!film) return;
    const now = performance.now();
    // laying out a slider costs as much as moving a mechanism
    if (!film.clock.playing || now - this.slidAt > SLIDING_TIME) {
      this.slidAt = now;
      this.scrub.value = String(film.frame);
    }
    if (film.clock.playing && now - this.toldAt < READING_TIME) return;
    this.toldAt = now;
    const text = this.moves ? `${this.clock[0]} ${film.time().toFixed(this.decimals)} ${this.clock[1]}`.trim() : "start";
    this.time.textContent = text;
    this.scrub.setAttribute("aria-valuetext", text);
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    this.play.replaceChildren(icon(playing ? PAUSE : PLAY));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.tick();
  }

  /** @param {number} value */
  showSpeed(value) {
    const values = SPEEDS.includes(value) ? SPEEDS : [...SPEEDS, value].sort((a, b) => a - b);
    if (this.speed.options.length !== values.length) this.speed.replaceChildren(...values.map((each) => make("option", { value: each }, `${each}×`)));
    this.speed.value = String(value);
  }

  /** @param {State["show"]} show */
  show(show) {
    this.loop.input.checked = show.loop;
    for (const box of this.boxes) box.input.checked = show[box.name];
  }
}

/**
 * @param {PlaybackListeners} listeners
 */
export function makePlayback(listeners) {
  return new Playback(listeners);
}

/**
 * @param {string} label
 * @param {(on: boolean) => void} onChange
 */
function checkbox(label, onChange) {
  const input = make("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  return { input, element: make("label", { class: "check" }, input, " ", label) };
}
