// The bar below a film: play, step, scrub, speed, and what is shown.

import { icon, make } from "./dom.js";

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

/**
 * @param {PlaybackListeners} listeners
 */
export function makePlayback({ onShow, onSpeed, onSeek }) {
  /** @type {MountedFilm | null} */
  let film = null;
  let clock = ["", "s"];
  let decimals = 2;
  let toldAt = -Infinity;
  let slidAt = -Infinity;
  const play = make("button", { class: "button primary playback-play", type: "button", "aria-label": "Play", onclick: () => toggle() }, icon(PLAY));
  const back = make("button", { class: "button", type: "button", "aria-label": "One frame back", onclick: () => step(-1) }, icon(BACK));
  const next = make("button", { class: "button", type: "button", "aria-label": "One frame on", onclick: () => step(1) }, icon(NEXT));
  const scrub = make("input", { type: "range", class: "playback-scrub", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", oninput: () => {
    if (!film) return;
    film.pause();
    film.seek(Number(scrub.value));
    onSeek();
  } });
  const time = make("output", { class: "playback-time" });
  const speed = make("select", { class: "field", "aria-label": "Speed", onchange: () => onSpeed(Number(speed.value)) });
  const loop = checkbox("loop", (on) => onShow({ loop: on }));
  const boxes = SHOWN.map(([name, label, has]) => ({ name, has, ...checkbox(label, (on) => onShow({ [name]: on })) }));
  const element = make("div", { class: "playback", role: "group", "aria-label": "Playback" },
    make("div", { class: "playback-row" }, play, back, next, scrub, time),
    make("div", { class: "row playback-shown" },
      make("label", { class: "playback-speed" }, "speed ", speed), loop.element, ...boxes.map((box) => box.element)));

  function toggle() {
    if (!film) return;
    if (film.clock.playing) film.pause();
    else film.play();
  }
  /** @param {number} frames */
  function step(frames) {
    if (!film) return;
    film.pause();
    film.seek(Math.round(film.frame) + frames);
    onSeek();
  }
  const text = () => (film ? `${clock[0]} ${film.time().toFixed(decimals)} ${clock[1]}`.trim() : "");
  function tick() {
    if (!film) return;
    const now = performance.now();
    // laying out a slider costs as much as moving a mechanism
    if (!film.clock.playing || now - slidAt > SLIDING_TIME) {
      slidAt = now;
      scrub.value = String(film.frame);
    }
    if (film.clock.playing && now - toldAt < READING_TIME) return;
    toldAt = now;
    time.textContent = text();
    scrub.setAttribute("aria-valuetext", text());
  }
  /** @param {boolean} playing */
  function showPlaying(playing) {
    play.replaceChildren(icon(playing ? PAUSE : PLAY));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    tick();
  }
  /** @param {number} value */
  function showSpeed(value) {
    const values = SPEEDS.includes(value) ? SPEEDS : [...SPEEDS, value].sort((a, b) => a - b);
    if (speed.options.length !== values.length) speed.replaceChildren(...values.map((each) => make("option", { value: each }, `${each}×`)));
    speed.value = String(value);
  }

  return {
    element,
    step,
    toggle,
    text,
    /** @param {number} factor */
    faster(factor) { if (film) onSpeed(Number((film.clock.speed * factor).toPrecision(3))); },
    /**
     * Another film takes the place of the one before.
     * @param {MountedFilm} mounted
     * @param {import("./types.js").FilmSet} filmSet
     * @param {boolean} moves
     */
    attach(mounted, filmSet, moves) {
      film = mounted;
      clock = filmSet.clock ?? ["", ""];
      // one more than the film says, so that a single frame is seen on the clock
      decimals = Math.min(filmSet.decimals + 1, 9);
      scrub.max = String(Math.max(1, mounted.frames - 1));
      for (const control of [play, back, next, scrub, speed]) control.disabled = !moves;
      for (const box of boxes) box.element.hidden = !mounted.scenes.some((scene) => scene.pieces.some(box.has));
      mounted.onTime(tick);
      mounted.clock.onPlay(showPlaying);
      showPlaying(mounted.clock.playing);
      showSpeed(mounted.clock.speed);
      if (!moves) time.textContent = "start";
    },
    /** @param {State["show"]} show */
    show(show) {
      loop.input.checked = show.loop;
      for (const box of boxes) box.input.checked = show[box.name];
    },
    showSpeed,
  };
}

/**
 * @param {string} label
 * @param {(on: boolean) => void} onChange
 */
function checkbox(label, onChange) {
  const input = make("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  return { input, element: make("label", { class: "check" }, input, " ", label) };
}
