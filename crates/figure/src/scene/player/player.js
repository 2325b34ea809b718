// Plays films side by side, with one clock for all, and plots that follow it.
(() => {
  "use strict";

  const { Scene, floats, toggleTheme } = CatenaScene;
  const data = JSON.parse(document.getElementById("catena-data").textContent);
  const byId = (id) => document.getElementById(id);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** The picture under the pointer: wheel and pinch zoom, drag moves, double click shows everything. */
  function zoomable(scene) {
    const { svg } = scene;
    const [width, height] = [scene.film.width, scene.film.height];
    const box = { x: 0, y: 0, w: width, h: height };
    const show = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
    const zoom = (factor, cx = 0.5, cy = 0.5) => {
      const w = Math.min(20 * width, Math.max(width / 400, box.w * factor));
      const h = box.h * w / box.w;
      box.x += (box.w - w) * cx; box.y += (box.h - h) * cy; box.w = w; box.h = h;
      show();
    };
    const part = (event) => {
      const area = svg.getBoundingClientRect();
      return [(event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height];
    };
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !svg.classList.contains("grabbed") && document.activeElement !== svg) return;
      event.preventDefault();
      zoom(Math.exp(event.deltaY * 0.0015), ...part(event));
    }, { passive: false });
    const fingers = new Map();
    svg.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, [event.clientX, event.clientY]); svg.setPointerCapture(event.pointerId); });
    svg.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const area = svg.getBoundingClientRect();
      if (fingers.size === 1 && (event.pointerType === "mouse" || box.w < width)) {
        box.x -= (event.clientX - before[0]) * box.w / area.width;
        box.y -= (event.clientY - before[1]) * box.h / area.height;
        show();
      } else if (fingers.size === 2) {
        const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
        const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
        const is = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
        if (is > 0 && was > 0) zoom(was / is, ...part(event));
      }
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
    const whole = () => { Object.assign(box, { x: 0, y: 0, w: width, h: height }); show(); };
    svg.addEventListener("dblclick", whole);
    return { zoom, whole };
  }

  const scenes = data.films.map((film, at) => new Scene(film, document.querySelectorAll("figure.film")[at]));
  const views = scenes.map(zoomable);
  const times = floats(data.times);
  const last = Math.max(times.length - 1, 0);
  const options = { forces: false, gaps: true, names: false, centres: false, tail: data.tail };
  // `frame` need not be whole; a film takes `data.duration` seconds at a speed of 1
  const state = { frame: 0, playing: !reduced && last > 0, speed: data.speed, loop: true, cost: 0 };
  const plots = data.plots && byId("plots") ? CatenaPlots.create(byId("plots"), data.plots) : null;

  /** What the clock shows at a frame, and the frame at which it shows that. */
  const clockAt = (frame) => {
    const first = Math.min(Math.floor(frame), Math.max(last - 1, 0));
    const next = Math.min(first + 1, last);
    return times[first] + (frame - first) * (times[next] - times[first]);
  };
  const frameOf = (value) => {
    const sense = times[last] < times[0] ? -1 : 1;
    let [low, high] = [0, last];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sense * (times[middle] - value) <= 0) low = middle; else high = middle;
    }
    const step = times[high] - times[low];
    return step ? Math.min(last, Math.max(0, low + (value - times[low]) / step)) : low;
  };
  const clockText = () => data.clock ? `${data.clock[0]} ${clockAt(state.frame).toFixed(data.decimals)} ${data.clock[1]}`.trim() : "";

  // ms
  const READING_TIME = 120;
  const [timeElement, scrub] = [byId("time"), byId("scrub")];
  let toldAt = -Infinity;

  function show() {
    const began = performance.now();
    for (const scene of scenes) {
      scene.seek(state.frame);
      scene.draw(options);
    }
    timeElement.textContent = clockText();
    scrub.value = state.frame;
    // nobody reads numbers that change with every frame, and laying them out costs more than moving the mechanism
    const readable = !state.playing || began - toldAt > READING_TIME;
    if (readable) {
      toldAt = began;
      scrub.setAttribute("aria-valuetext", clockText());
      scenes.forEach(meters);
    }
    if (plots && data.clock) plots.setCursor(clockAt(state.frame), readable);
    state.cost = performance.now() - began;
    window.catenaFrameCost = state.cost;
  }

  /** How far the energy and the constraints are off now, on a logarithmic bar. */
  function meters(scene) {
    const at = Math.round(scene.frame);
    for (const [name, values] of [["energy", scene.energy], ["constraint", scene.constraint]]) {
      const meter = scene.figure.querySelector(`.meter.${name}`);
      if (!meter) continue;
      const value = values[at];
      const part = value > 0 ? Math.max(0, Math.min(1, (Math.log10(value / scene.film[name + "Size"]) + 12) / 12)) : 0;
      meter.style.setProperty("--part", part.toFixed(3));
      meter.querySelector(".value").textContent = value === undefined ? "" : value === 0 ? "0" : value.toExponential(1);
      meter.classList.toggle("high", part > 0.75);
    }
  }

  let shownAt = null;
  function tick(now) {
    if (state.playing && shownAt !== null && !document.hidden) {
      state.frame += (now - shownAt) / 1000 * state.speed / data.duration * last;
      if (state.frame > last) {
        if (state.loop) state.frame %= last;
        else { state.frame = last; play(false); }
      }
      show();
    }
    shownAt = state.playing ? now : null;
    if (state.playing) requestAnimationFrame(tick);
  }

  function play(on) {
    if (on && !state.loop && state.frame >= last) state.frame = 0;
    const begins = on && !state.playing;
    state.playing = on;
    const button = byId("play");
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    button.classList.toggle("on", on);
    if (begins) { shownAt = null; requestAnimationFrame(tick); }
    if (!on) {
      byId("said").textContent = `Paused at ${clockText()}`;
      show();
    }
  }

  function seekFrame(frame) {
    state.frame = Math.min(last, Math.max(0, frame));
    show();
  }

  /** Shows the moment at which the clock shows this. */
  const seek = (value) => seekFrame(frameOf(value));

  function step(frames) {
    play(false);
    seekFrame(Math.round(state.frame) + frames);
  }

  function speed(value) {
    state.speed = value;
    const select = byId("speed");
    if (![...select.options].some((option) => Number(option.value) === value)) {
      select.add(new Option(`${value}×`, value));
    }
    select.value = String(value);
  }

  function toggle(name, on) {
    const box = byId(name);
    if (!box) return;
    box.checked = on === undefined ? !box.checked : on;
    document.body.classList.toggle(`show-${name}`, box.checked);
    if (name in options) options[name] = box.checked;
    if (name === "loop") state.loop = box.checked;
    show();
  }

  byId("play").addEventListener("click", () => play(!state.playing));
  byId("back").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  scrub.addEventListener("input", () => {
    const frame = Number(scrub.value);
    play(false);
    seekFrame(frame);
  });
  byId("speed").addEventListener("change", (event) => speed(Number(event.target.value)));
  for (const name of ["loop", "trails", "forces", "gaps", "names", "centres"]) {
    const box = byId(name);
    if (box) {
      box.addEventListener("change", () => toggle(name, box.checked));
      toggle(name, box.checked);
    }
  }
  byId("zoom-in").addEventListener("click", () => views.forEach((view) => view.zoom(0.8)));
  byId("zoom-out").addEventListener("click", () => views.forEach((view) => view.zoom(1.25)));
  byId("zoom-all").addEventListener("click", () => views.forEach((view) => view.whole()));
  byId("theme").addEventListener("click", () => {
    toggleTheme();
    if (plots) plots.redraw();
  });
  if (plots && data.clock) plots.onCursor((time) => { play(false); seek(time); });

  const keys = {
    " ": () => play(!state.playing),
    k: () => play(!state.playing),
    ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
    Home: () => seekFrame(0),
    End: () => seekFrame(last),
    "+": () => views.forEach((view) => view.zoom(0.8)),
    "-": () => views.forEach((view) => view.zoom(1.25)),
    0: () => views.forEach((view) => view.whole()),
    ",": () => speed(state.speed / 2),
    ".": () => speed(state.speed * 2),
    l: () => toggle("loop"),
    t: () => toggle("trails"),
    f: () => toggle("forces"),
    g: () => toggle("gaps"),
    n: () => toggle("names"),
    c: () => toggle("centres"),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("select, textarea, input:not([type=range]):not([type=checkbox])");
    const act = keys[event.key];
    if (!act || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    // a button that has the focus is pressed by the space bar, and a slider moved by the arrows, as everywhere
    if (event.key === " " && event.target.closest("button, input")) return;
    // in a plot these keys are its own
    if (event.target.closest("#plots") && ["ArrowLeft", "ArrowRight", "Home", "End", "+", "-", "0"].includes(event.key)) return;
    event.preventDefault();
    act(event);
  });

  speed(data.speed);
  show();
  const playing = state.playing;
  state.playing = false;
  play(playing);
  window.catena = { seek, play, state, frames: times.length };
})();
