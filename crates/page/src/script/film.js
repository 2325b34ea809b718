// Films in the page: one or several side by side, with a clock of their own, that can be zoomed and taken hold of.

import { make, parsed } from "./dom.js";
import { makeClock } from "./clock.js";
import { zoomable } from "./zoom.js";
import { grabAt, grabbablePoints, wayOf, worldPlace } from "./grab.js";

/** @typedef {import("./types.js").FilmSet} FilmSet */
/** @typedef {import("./types.js").Grab} Grab */
/** @typedef {import("./zoom.js").Box} Box */
/** @typedef {import("./grab.js").Scene} Scene */

/**
 * What is shown of a film.
 * @typedef {{trails?: boolean, forces?: boolean, gaps?: boolean, names?: boolean, centres?: boolean}} Shown
 */

/**
 * Who follows a hand that has taken hold of something; places are in metres.
 * @typedef {object} Hold
 * @property {(to: [number, number]) => void} move
 * @property {(to: [number, number]) => void} end
 * @property {() => void} cancel
 */

/**
 * @typedef {object} FilmOptions
 * @property {Shown} [show]
 * @property {boolean} [loop]
 * @property {number | null} [speed]     null for the speed that the film suggests
 * @property {boolean} [zooms]           whether the reader can zoom; true unless said otherwise
 * @property {View | null} [view]        the part of the world that is seen at first
 * @property {string} [label]            for screen readers
 * @property {(grab: Grab, to: [number, number]) => Hold | null} [onGrab]
 */

/**
 * A part of the world, m; `isWhole` where the reader has not zoomed.
 * @typedef {Box & {isWhole: boolean}} View
 */

/**
 * @typedef {object} MountedFilm
 * @property {(frame: number) => void} seek       a frame that need not be whole
 * @property {(time: number) => void} seekTime    the frame at which the film's clock shows this
 * @property {() => void} play
 * @property {() => void} pause
 * @property {import("./clock.js").Clock} clock
 * @property {number} frame                       that is shown
 * @property {number} frames
 * @property {() => number} time                  what the film's clock shows
 * @property {Float32Array} times
 * @property {(listener: (time: number, frame: number) => void) => () => void} onTime
 * @property {(options: FilmOptions) => void} set
 * @property {(tracks: string | ArrayLike<number> | null) => void} setTracks   one pose; null returns to the film
 * @property {(event: {clientX: number, clientY: number, pointerType?: string, target?: EventTarget | null}) => Grab | null} pieceAt
 * @property {() => {grab: Grab, name: string}[]} points
 * @property {(grab: Grab) => [number, number]} placeOf      where a grabbed point is, m
 * @property {(grab: Grab) => {xs: Float64Array, ys: Float64Array}} wayOf
 * @property {(mark: {at: [number, number], to?: [number, number], held?: boolean} | null) => void} mark   shows the hand
 * @property {(world: [number, number]) => [number, number]} onScreen    a place in the world in pixels of the element
 * @property {() => View | null} view
 * @property {(view: View | null) => void} look    null shows everything
 * @property {(factor: number) => void} zoom
 * @property {Scene[]} scenes
 * @property {() => void} dispose
 */

/** How near a pointer must be to a point to take it, px. */
const REACH = { mouse: 11, touch: 24 };
const SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {HTMLElement} element
 * @param {FilmSet} filmSet
 * @param {FilmOptions} [options]
 * @returns {MountedFilm}
 */
export function mountFilm(element, filmSet, options = {}) {
  const times = CatenaScene.floats(filmSet.times);
  const last = Math.max(times.length - 1, 0);
  const duration = last > 0 ? filmSet.duration : 0;
  const shown = { trails: true, forces: false, gaps: true, names: false, centres: false, tail: filmSet.tail };
  const clock = makeClock({ length: duration, speed: options.speed ?? filmSet.speed, loop: options.loop ?? true });
  const box = make("div", { class: "film-view" });
  /** @type {Pane[]} */
  const panes = [];
  for (const film of filmSet.films) {
    const pane = paneOf(film, options, () => onGrab);
    if (!pane) continue;
    panes.push(pane);
    box.append(pane.figure);
  }
  let onGrab = options.onGrab;
  element.append(box);

  const state = { frame: 0, isPosed: false };
  /** @type {Set<(time: number, frame: number) => void>} */
  const listeners = new Set();
  const timeAt = (/** @type {number} */ frame) => clockAt(times, frame);
  function draw() {
    const began = performance.now();
    for (const { scene } of panes) {
      if (!state.isPosed) scene.seek(state.frame);
      scene.draw(shown);
    }
    mounted.cost = performance.now() - began;
  }
  clock.onTime((at) => {
    state.frame = duration > 0 ? (at / duration) * last : 0;
    state.isPosed = false;
    draw();
    listeners.forEach((listener) => listener(timeAt(state.frame), state.frame));
  });
  const seen = new IntersectionObserver((entries) => clock.see(entries[entries.length - 1].isIntersecting));
  seen.observe(box);

  /** @param {FilmOptions} more */
  function set(more) {
    if (more.show) Object.assign(shown, more.show);
    if ("onGrab" in more) onGrab = more.onGrab;
    clock.set({ loop: more.loop ?? clock.loop, speed: more.speed === undefined ? clock.speed : more.speed ?? filmSet.speed });
    for (const name of /** @type {const} */ (["trails", "forces", "names", "centres"])) box.classList.toggle(`show-${name}`, shown[name]);
    draw();
  }

  const seek = (/** @type {number} */ frame) => clock.seek(last > 0 ? (frame / last) * duration : 0);
  const first = panes[0];
  /** @type {MountedFilm & {cost: number}} */
  const mounted = {
    seek,
    seekTime: (time) => seek(frameOf(times, time)),
    play: clock.play,
    pause: clock.pause,
    clock,
    get frame() { return state.frame; },
    frames: times.length,
    time: () => timeAt(state.frame),
    times,
    onTime: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    set,
    setTracks: (tracks) => {
      state.isPosed = tracks !== null;
      box.classList.toggle("is-posed", state.isPosed);
      if (tracks !== null) {
        const values = typeof tracks === "string" ? CatenaScene.floats(tracks) : tracks;
        for (const { scene } of panes) if (values.length <= scene.now.length) scene.pose(values);
      }
      draw();
    },
    pieceAt: (event) => first?.pieceAt(event) ?? null,
    points: () => (first ? grabbablePoints(first.scene) : []),
    placeOf: (grab) => worldPlace(grab, first.scene.now),
    wayOf: (grab) => wayOf(grab, first.scene.tracks, first.scene.frames),
    mark: (mark) => first?.mark(mark),
    onScreen: (world) => first.onScreen(world),
    view: () => first?.view() ?? null,
    look: (view) => panes.forEach((pane) => pane.look(view)),
    zoom: (factor) => panes.forEach((pane) => pane.zoom.by(factor)),
    scenes: panes.map((pane) => pane.scene),
    cost: 0,
    dispose: () => {
      seen.disconnect();
      clock.dispose();
      listeners.clear();
      box.remove();
    },
  };
  set({ show: options.show ?? {} });
  if (options.view) mounted.look(options.view);
  return mounted;
}

/**
 * @typedef {object} Pane
 * @property {HTMLElement} figure
 * @property {Scene} scene
 * @property {import("./zoom.js").Zoom} zoom
 * @property {(event: {clientX: number, clientY: number, pointerType?: string, target?: EventTarget | null}) => Grab | null} pieceAt
 * @property {() => View} view
 * @property {(view: View | null) => void} look
 * @property {(world: [number, number]) => [number, number]} onScreen
 * @property {(mark: {at: [number, number], to?: [number, number], held?: boolean} | null) => void} mark
 */

/**
 * One film of the set.
 * @param {import("./types.js").Film} film
 * @param {FilmOptions} options
 * @param {() => FilmOptions["onGrab"]} onGrab
 * @returns {Pane | null}
 */
function paneOf(film, options, onGrab) {
  const svg = /** @type {SVGSVGElement | null} */ (parsed(film.svg, "image/svg+xml"));
  if (!svg) return null;
  svg.classList.add("scene");
  svg.removeAttribute("tabindex");
  if (options.label || film.label) svg.setAttribute("aria-label", options.label || film.label);
  const figure = make("figure", { class: "film" }, svg);
  const scene = new CatenaScene.Scene(film, figure);
  /** @type {Set<number>} */
  const held = new Set();
  const zoom = zoomable(svg, film.width, film.height, (event) => options.zooms === false || held.has(event.pointerId));

  /** @param {{clientX: number, clientY: number, pointerType?: string, target?: EventTarget | null}} event */
  const pieceAt = (event) => {
    const place = zoom.at(event);
    const reach = (event.pointerType === "touch" ? REACH.touch : REACH.mouse) / zoom.pixels();
    const under = event.target instanceof Element ? event.target : document.elementFromPoint(event.clientX, event.clientY);
    return grabAt(scene, place, reach, under);
  };
  /** @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
  const worldAt = (event) => {
    const [x, y] = zoom.at(event);
    return [film.corner[0] + x / film.scale, film.corner[1] - y / film.scale];
  };
  followHands(svg, held, pieceAt, worldAt, onGrab);
  return {
    figure, scene, zoom, pieceAt,
    view: () => {
      const { x, y, w, h } = zoom.box();
      return { x: film.corner[0] + x / film.scale, y: film.corner[1] - y / film.scale, w: w / film.scale, h: h / film.scale, isWhole: zoom.isWhole() };
    },
    look: (view) => {
      if (!view) return zoom.whole();
      zoom.show({ x: scene.x(view.x), y: scene.y(view.y), w: view.w * film.scale, h: view.h * film.scale }, view.isWhole);
    },
    onScreen: ([x, y]) => {
      const matrix = svg.getScreenCTM();
      const area = figure.getBoundingClientRect();
      const point = matrix ? new DOMPoint(scene.x(x), scene.y(y)).matrixTransform(matrix) : new DOMPoint();
      return [point.x - area.left, point.y - area.top];
    },
    mark: markerOf(svg, scene),
  };
}

/**
 * Pointers that take hold of a piece; all others are left to the zoom.
 * @param {SVGSVGElement} svg
 * @param {Set<number>} held
 * @param {(event: PointerEvent) => Grab | null} pieceAt
 * @param {(event: PointerEvent) => [number, number]} worldAt
 * @param {() => FilmOptions["onGrab"]} onGrab
 */
function followHands(svg, held, pieceAt, worldAt, onGrab) {
  /** @type {Map<number, Hold>} */
  const holds = new Map();
  // capture: before the zoom takes the pointer
  svg.addEventListener("pointerdown", (event) => {
    const listener = onGrab();
    if (!listener || held.size > 0 || (event.pointerType === "mouse" && event.button !== 0)) return;
    const grab = pieceAt(event);
    const hold = grab && listener(grab, worldAt(event));
    if (!hold) return;
    held.add(event.pointerId);
    holds.set(event.pointerId, hold);
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("is-held");
    event.preventDefault();
  }, { capture: true });
  svg.addEventListener("pointermove", (event) => {
    const hold = holds.get(event.pointerId);
    if (hold) hold.move(worldAt(event));
    else if (event.pointerType === "mouse" && event.buttons === 0) svg.classList.toggle("can-take", Boolean(onGrab() && pieceAt(event)));
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    svg.addEventListener(end, (event) => {
      const hold = holds.get(event.pointerId);
      if (!hold) return;
      held.delete(event.pointerId);
      holds.delete(event.pointerId);
      svg.classList.remove("is-held");
      if (end === "pointerup") hold.end(worldAt(event));
      else hold.cancel();
    });
  }
  // a finger on a piece moves it and does not scroll the page
  svg.addEventListener("touchstart", (event) => {
    const touch = event.touches[0];
    const at = { clientX: touch.clientX, clientY: touch.clientY, pointerType: "touch", target: event.target };
    if (event.touches.length === 1 && onGrab() && pieceAt(/** @type {any} */ (at))) event.preventDefault();
  }, { passive: false });
}

/**
 * A ring about the point that is held, and a line to where the hand is if the point cannot follow.
 * @param {SVGSVGElement} svg
 * @param {Scene} scene
 */
function markerOf(svg, scene) {
  const group = document.createElementNS(SPACE, "g");
  const line = document.createElementNS(SPACE, "path");
  const ring = document.createElementNS(SPACE, "circle");
  group.setAttribute("class", "hand");
  group.append(line, ring);
  svg.append(group);
  group.style.display = "none";
  /** @param {{at: [number, number], to?: [number, number], held?: boolean} | null} mark */
  return (mark) => {
    group.style.display = mark ? "" : "none";
    if (!mark) return;
    const [x, y] = [scene.x(mark.at[0]), scene.y(mark.at[1])];
    const pixel = 1 / (svg.getScreenCTM()?.a || 1);
    ring.setAttribute("cx", x.toFixed(2));
    ring.setAttribute("cy", y.toFixed(2));
    ring.setAttribute("r", (9 * pixel).toFixed(3));
    group.style.strokeWidth = `${2 * pixel}px`;
    line.setAttribute("d", mark.to ? `M${x.toFixed(2)} ${y.toFixed(2)}L${scene.x(mark.to[0]).toFixed(2)} ${scene.y(mark.to[1]).toFixed(2)}` : "");
    group.classList.toggle("is-held", Boolean(mark.held));
  };
}

/**
 * What the clock of a film shows at a frame.
 * @param {ArrayLike<number>} times
 * @param {number} frame
 */
export function clockAt(times, frame) {
  const last = times.length - 1;
  if (last < 0) return 0;
  const first = Math.min(Math.floor(frame), Math.max(last - 1, 0));
  const next = Math.min(first + 1, last);
  return times[first] + (frame - first) * (times[next] - times[first]);
}

/**
 * The frame at which the clock of a film shows a value.
 * @param {ArrayLike<number>} times  in order, up or down
 * @param {number} value
 */
export function frameOf(times, value) {
  const last = times.length - 1;
  if (last < 1) return 0;
  const sense = times[last] < times[0] ? -1 : 1;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sense * (times[middle] - value) <= 0) low = middle;
    else high = middle;
  }
  const step = times[high] - times[low];
  return step ? Math.min(last, Math.max(0, low + (value - times[low]) / step)) : low;
}
