// A clock that runs from 0 to its length, in seconds of watching at a speed of 1. It does nothing while nobody looks.

/**
 * @typedef {object} Clock
 * @property {(at: number) => void} seek
 * @property {() => void} play
 * @property {() => void} pause
 * @property {(settings: {length?: number, speed?: number, loop?: boolean}) => void} set
 * @property {(isSeen: boolean) => void} see             whether anybody looks
 * @property {(listener: (at: number) => void) => () => void} onTime
 * @property {(listener: (playing: boolean) => void) => () => void} onPlay
 * @property {() => void} dispose
 * @property {number} at
 * @property {number} length
 * @property {number} speed
 * @property {boolean} loop
 * @property {boolean} playing
 */

/**
 * Where a clock stands after some seconds, and whether it goes on.
 * @param {number} at
 * @param {number} seconds
 * @param {{length: number, speed: number, loop: boolean}} settings
 */
export function advanced(at, seconds, { length, speed, loop }) {
  const next = at + seconds * speed;
  if (!(length > 0)) return { at: 0, goesOn: false };
  if (next <= length) return { at: next, goesOn: true };
  return loop ? { at: next % length, goesOn: true } : { at: length, goesOn: false };
}

// A page that was stopped for longer does not jump ahead, s.
const MAX_TICK = 0.25;

/**
 * @param {{length: number, speed: number, loop: boolean}} settings
 * @returns {Clock}
 */
export function makeClock(settings) {
  /** @type {Set<(at: number) => void>} */
  const timeListeners = new Set();
  /** @type {Set<(playing: boolean) => void>} */
  const playListeners = new Set();
  let isSeen = true;
  /** @type {number | null} */
  let request = null;
  /** @type {number | null} */
  let before = null;

  const tell = () => timeListeners.forEach((listener) => listener(clock.at));
  /** @param {number} now */
  function tick(now) {
    request = null;
    if (!clock.playing) return;
    if (before !== null) {
      const next = advanced(clock.at, Math.min((now - before) / 1000, MAX_TICK), clock);
      clock.at = next.at;
      if (!next.goesOn) setPlaying(false);
      tell();
    }
    before = now;
    schedule();
  }
  function schedule() {
    if (clock.playing && isSeen && !document.hidden) request ??= requestAnimationFrame(tick);
    else {
      if (request !== null) cancelAnimationFrame(request);
      request = null;
      before = null;
    }
  }
  /** @param {boolean} playing */
  function setPlaying(playing) {
    if (playing === clock.playing) return;
    clock.playing = playing;
    before = null;
    playListeners.forEach((listener) => listener(playing));
    schedule();
  }
  document.addEventListener("visibilitychange", schedule);

  /** @type {Clock} */
  const clock = {
    at: 0,
    playing: false,
    ...settings,
    seek: (at) => {
      clock.at = Math.min(clock.length, Math.max(0, at));
      tell();
    },
    play: () => {
      if (!clock.loop && clock.at >= clock.length) clock.at = 0;
      if (clock.length > 0) setPlaying(true);
    },
    pause: () => setPlaying(false),
    set: (more) => {
      Object.assign(clock, more);
      clock.at = Math.min(clock.at, clock.length);
    },
    see: (seen) => { isSeen = seen; schedule(); },
    onTime: (listener) => { timeListeners.add(listener); return () => timeListeners.delete(listener); },
    onPlay: (listener) => { playListeners.add(listener); return () => playListeners.delete(listener); },
    dispose: () => {
      setPlaying(false);
      document.removeEventListener("visibilitychange", schedule);
      timeListeners.clear();
      playListeners.clear();
    },
  };
  return clock;
}
