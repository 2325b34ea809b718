// A tour of three minutes: steps that point at real controls. It can be left at any time and goes on where it was left.

import { make } from "./dom.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").ViewName} ViewName */

/**
 * @typedef {object} TourStep
 * @property {ViewName | null} view null: wherever one is
 * @property {string[]} at what it points at, by selector: the first one that is there
 * @property {string} title
 * @property {string} text
 */

/** @type {TourStep[]} */
const STEPS = [
  { view: "gallery", at: [".gallery-card"], title: "Mechanisms that move", text: "Every card is a system whose motion was just computed on your computer. Press one to open it; the tour goes on with the one that is open now." },
  { view: "motion", at: [".view-motion .stage-box", ".view-motion"], title: "The motion", text: "This is the mechanism, moving. Press the space bar to stop it and to let it go on. You can take hold of it with the mouse and put it into another start pose." },
  { view: "motion", at: [".view-motion .sliders", ".view-motion"], title: "Change something", text: "Masses, lengths and start values have sliders. Let one go and the motion is computed again, at once." },
  { view: "motion", at: [".view-motion .motion-plots", ".view-motion"], title: "Plots follow the film", text: "Choose what is plotted. The line in the plots and the film share one time: drag either of them." },
  { view: "motion", at: [".view-motion .verdict", ".view-motion"], title: "Is it right?", text: "Each result is computed a second time, more exactly, and compared with the laws of energy. The verdict says good, doubtful or wrong, and why." },
  { view: "equations", at: [".view-equations .editor", ".view-equations summary", ".view-equations"], title: "The model is a text", text: "Whatever you change elsewhere is written here, and you may edit it. Mistakes are underlined while you type, with a sentence about what to do." },
  { view: "equations", at: [".view-equations [data-tour=derivation]", ".view-equations"], title: "Where the equations come from", text: "Energies first, then Lagrange’s equations, step by step and checked by numbers. Fold what you know, copy what you need as LaTeX." },
  { view: "build", at: [".view-build [data-tour=sketch]", ".view-build"], title: "Build your own", text: "Draw links, set pins and sliders, add springs and motors on the grid. The model file is written along while you draw." },
  { view: "compare", at: [".view-compare"], title: "Which method?", text: "The same motion by several formulations and integrators, side by side: how exact each one is and what it costs." },
  { view: "questions", at: [".view-questions"], title: "Ask more", text: "Natural frequencies, resonance, periodic motions, chaos, positions of a linkage: pick a question, press the button, and watch the answer fill in." },
  { view: null, at: ["[data-tool=save]", "[data-tool=menu]"], title: "Keep it, pass it on", text: "Save the model, data, pictures, an animation or a report. A link holds everything you see. Undo takes back any step, and nothing is lost when you reload." },
  { view: null, at: ["[data-tool=help]", "[data-tool=menu]"], title: "That is all", text: "Press ? for the keys. The tour is in the menu, if you want to see it again." },
];

const KEY = "catena-tour";
/** Between the target, its ring and the card, px. */
const ROOM = 12;
/** Views fill in after they are shown; the ring follows them, ms. */
const FOLLOW_EVERY = 200;

/** Whether the reader has begun the tour before. */
export function knowsTour() {
  return kept() !== null;
}

/**
 * Begins where it was left.
 * @param {App} app
 */
export function startTour(app) {
  if (document.querySelector(".tour-card")) return;
  const left = kept() ?? 0;
  let at = left < STEPS.length - 1 ? left : 0;
  const ring = make("div", { class: "tour-ring", "aria-hidden": "true" });
  const title = make("h2", { id: "tour-title" });
  const text = make("p", { id: "tour-text" });
  const count = make("span", { class: "quiet" });
  const back = make("button", { class: "button small", type: "button", onclick: () => show(at - 1) }, "Back");
  const next = make("button", { class: "button small primary", type: "button", onclick: () => (at === STEPS.length - 1 ? leave() : show(at + 1)) });
  const card = make("div", { class: "card tour-card", role: "dialog", "aria-labelledby": "tour-title", "aria-describedby": "tour-text", tabindex: "-1" },
    title, text,
    make("div", { class: "row" }, count, back, next, make("button", { class: "button small plain", type: "button", onclick: leave }, "Leave")));
  document.body.append(ring, card);

  /** @param {number} step */
  function show(step) {
    at = step;
    keep(at);
    const { view } = STEPS[at];
    if (view && app.state.view !== view) app.change({ view });
    title.textContent = STEPS[at].title;
    text.textContent = STEPS[at].text;
    count.textContent = `${at + 1} of ${STEPS.length}`;
    back.disabled = at === 0;
    next.textContent = at === STEPS.length - 1 ? "Done" : "Next";
    const target = targetOf(STEPS[at]);
    target?.scrollIntoView({ block: "nearest" });
    place();
    card.focus({ preventScroll: true });
  }
  const place = () => settle(ring, card, targetOf(STEPS[at]));
  const follow = setInterval(place, FOLLOW_EVERY);
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) leave();
    else if (event.key === "ArrowRight" && card.contains(/** @type {Node} */ (event.target))) next.click();
    else if (event.key === "ArrowLeft" && card.contains(/** @type {Node} */ (event.target)) && at > 0) show(at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKey, true);
  window.addEventListener("scroll", place, { passive: true });
  window.addEventListener("resize", place);
  const before = document.activeElement;
  function leave() {
    clearInterval(follow);
    document.removeEventListener("keydown", onKey, true);
    window.removeEventListener("scroll", place);
    window.removeEventListener("resize", place);
    ring.remove();
    card.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  }
  show(at);
}

/**
 * @param {TourStep} step
 * @returns {Element | null}
 */
function targetOf(step) {
  for (const selector of step.at) {
    const found = [...document.querySelectorAll(selector)].find((element) => element.getClientRects().length > 0);
    if (found) return found;
  }
  return null;
}

/**
 * The ring about the target, the card where there is room for it.
 * @param {HTMLElement} ring
 * @param {HTMLElement} card
 * @param {Element | null} target
 */
function settle(ring, card, target) {
  const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
  const [w, h] = [card.offsetWidth, card.offsetHeight];
  ring.hidden = target === null;
  const area = target?.getBoundingClientRect() ?? new DOMRect(width / 2, height / 3, 0, 0);
  const top = Math.max(area.top, 0), bottom = Math.min(area.bottom, height);
  const left = Math.max(area.left, 0), right = Math.min(area.right, width);
  put(ring, left - 4, top - 4);
  ring.style.width = `${right - left + 8}px`;
  ring.style.height = `${bottom - top + 8}px`;
  const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(ROOM, Math.min(value, most - ROOM));
  const middle = within((left + right - w) / 2, width - w);
  if (bottom + ROOM + h < height - ROOM) put(card, middle, bottom + ROOM);
  else if (top - ROOM - h > ROOM) put(card, middle, top - ROOM - h);
  else if (right + ROOM + w < width - ROOM) put(card, right + ROOM, within(top, height - h));
  else if (left - ROOM - w > ROOM) put(card, left - ROOM - w, within(top, height - h));
  // a large target: the card lies on its lower corner, above the tabs of a phone
  else put(card, within(width - w - 2 * ROOM, width - w), height - h - (width < 860 ? 72 : 2 * ROOM));
}

/**
 * @param {HTMLElement} element
 * @param {number} left
 * @param {number} top
 */
function put(element, left, top) {
  element.style.left = `${Math.round(left)}px`;
  element.style.top = `${Math.round(top)}px`;
}

/** @returns {number | null} */
function kept() {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : Math.min(Math.max(Number(text) || 0, 0), STEPS.length - 1);
  } catch {
    return null;
  }
}

/** @param {number} at */
function keep(at) {
  try {
    localStorage.setItem(KEY, String(at));
  } catch {
    // then it begins anew next time
  }
}
