// Films of several runs with one clock, which shows time: each is where its own motion is then.

import { makeClock } from "./clock.js";

/** @typedef {import("./film.js").MountedFilm} MountedFilm */
/** @typedef {import("./film.js").FilmOptions} FilmOptions */

/** Steps of the scrub bar. */
const FRAMES = 1000;

/**
 * It is played like one film.
 */
export function makeFilmGroup() {
  /** @type {MountedFilm[]} */
  let films = [];
  /** @type {Set<(time: number, frame: number) => void>} */
  const listeners = new Set();
  const clock = makeClock({ length: 0, speed: 1, loop: true });
  let from = 0;
  const time = () => from + clock.at;
  const frameAt = (/** @type {number} */ at) => (clock.length > 0 ? (at / clock.length) * FRAMES : 0);
  clock.onTime((at) => {
    for (const film of films) film.seekTime(from + at);
    listeners.forEach((listener) => listener(from + at, frameAt(at)));
  });
  return {
    clock,
    frames: FRAMES + 1,
    get frame() { return frameAt(clock.at); },
    get scenes() { return films.flatMap((film) => film.scenes); },
    time,
    seek: (/** @type {number} */ frame) => clock.seek((frame / FRAMES) * clock.length),
    seekTime: (/** @type {number} */ to) => clock.seek(to - from),
    play: clock.play,
    pause: clock.pause,
    onTime: (/** @type {(time: number, frame: number) => void} */ listener) => { listeners.add(listener); return () => { listeners.delete(listener); }; },
    set: (/** @type {FilmOptions} */ options) => {
      for (const film of films) film.set({ show: options.show });
      clock.set({ loop: options.loop ?? clock.loop, speed: options.speed ?? clock.speed });
    },
    /** One more; it shows the moment that the others show. @param {MountedFilm} film */
    add(film) {
      films.push(film);
      const last = film.times[film.times.length - 1] ?? 0;
      if (films.length === 1) from = film.times[0] ?? 0;
      clock.set({ length: Math.max(clock.length, last - from) });
      film.seekTime(time());
    },
    clear() {
      clock.pause();
      for (const film of films) film.dispose();
      films = [];
      listeners.clear();
      clock.set({ length: 0 });
    },
  };
}
