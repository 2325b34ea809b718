// Films of the gallery: made when they come into sight, two at a time, and kept.

import { mountFilm } from "./film.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./film.js").MountedFilm} MountedFilm */

const AT_A_TIME = 2;
/** A film of a card needs no more: what is moved is small. */
const TOLERANCE = "1e-4";

/**
 * @typedef {{ name: string, title: string, stage: HTMLElement, film: MountedFilm | null, asked: boolean }} Clip
 */

/**
 * @param {App} app
 */
export function galleryFilms(app) {
  /** @type {Map<Element, Clip>} */
  const clips = new Map();
  /** @type {Clip[]} in sight, without a film yet */
  let waiting = [];
  let working = 0;
  let shown = false;
  let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const clip = clips.get(target);
      if (!clip || clip.asked) continue;
      waiting = waiting.filter((other) => other !== clip);
      if (isIntersecting) waiting.push(clip);
    }
    work();
  }, { rootMargin: "100px" });

  function work() {
    while (shown && working < AT_A_TIME && waiting.length > 0) {
      const clip = /** @type {Clip} */ (waiting.shift());
      clip.asked = true;
      working += 1;
      make(clip).finally(() => {
        working -= 1;
        work();
      });
    }
  }

  /** @param {Clip} clip */
  async function make(clip) {
    const request = { do: "run", model: { name: clip.name }, set: {}, options: { rtol: TOLERANCE, no_certify: true }, film: true };
    await app.core.ask(request, {
      part: ({ run }) => {
        if (!run.film || clip.film) return;
        clip.stage.replaceChildren();
        clip.film = mountFilm(clip.stage, run.film, { zooms: false, label: `${clip.title}, moving` });
        clip.stage.classList.add("is-ready");
        if (playing) clip.film.play();
      },
    });
    if (!clip.film) clip.stage.classList.add("is-empty");
  }

  return {
    get playing() { return playing; },
    /**
     * @param {string} name
     * @param {string} title
     * @param {HTMLElement} stage
     */
    add(name, title, stage) {
      clips.set(stage, { name, title, stage, film: null, asked: false });
      observer.observe(stage);
    },
    /** @param {boolean} on */
    play(on) {
      playing = on;
      for (const { film } of clips.values()) if (on) film?.play(); else film?.pause();
    },
    show() {
      shown = true;
      work();
      if (playing) for (const { film } of clips.values()) film?.play();
    },
    hide() {
      shown = false;
      for (const { film } of clips.values()) film?.pause();
    },
  };
}
