// The state of the page: frozen, changed by patches, with steps of undo that know what they touched.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Patch} Patch */

/** Changes with the same label and keys that follow each other within this time are one step, ms. */
const JOIN_WITHIN = 1000;
const MAX_STEPS = 200;

/** What undo brings back; where one looks and how it looks is no content. */
const CONTENT = /** @type {const} */ (["model", "set", "run", "plots", "ask", "compare"]);
/** Merged key by key; all others are replaced. */
const RECORDS = new Set(["model", "show", "ask", "compare"]);

/**
 * @typedef {{ label: string, before: Record<string, any>, after: Record<string, any>, trust?: [boolean, boolean] }} Step
 * `trust` is whether the model could be run before and after, where the step changed that.
 * @typedef {{ state: State, done: Step[], undone: Step[], trusted: boolean }} Kept
 */

/**
 * @returns {State}
 */
export function emptyState() {
  return {
    model: { name: "", text: "" },
    set: {},
    run: {},
    view: "gallery",
    plots: [],
    show: { trails: true, forces: false, gaps: true, names: false, centres: false, loop: true },
    speed: null,
    time: 0,
    ask: { question: "", options: {} },
    compare: { formulations: [], integrators: [], tolerances: "" },
    theme: "auto",
  };
}

/**
 * @param {Kept} kept
 * @param {() => number} [clock] ms
 */
export function createStore(kept, clock = Date.now) {
  let state = frozen(kept.state);
  /** @type {Record<string, any>} the content at the last step: where a gesture began */
  let settled = contentOf(state);
  let done = kept.done.slice();
  let undone = kept.undone.slice();
  let trusted = kept.trusted;
  let joinUntil = -Infinity;
  /** @type {Set<(state: State, before: State) => void>} */
  const listeners = new Set();

  /** @param {State} next */
  function enter(next) {
    const before = state;
    state = next;
    for (const listener of [...listeners]) listener(state, before);
  }

  /**
   * @param {Patch} patch
   * @param {string} [label]
   * @param {boolean} [trust] whether what comes with the patch may be run; as before if it is not said
   */
  function change(patch, label, trust = trusted) {
    const next = merged(state, patch);
    const trustChange = trust === trusted ? undefined : /** @type {[boolean, boolean]} */ ([trusted, trust]);
    trusted = trust;
    const keys = CONTENT.filter((key) => key in patch && next[key] !== settled[key] && !same(next[key], settled[key]));
    const isStep = Boolean(label) && keys.length > 0;
    if (isStep) record(/** @type {string} */ (label), keys, next, trustChange);
    if (isStep || trustChange || !same(next, state)) enter(next);
  }

  /**
   * @param {string} label
   * @param {readonly (keyof State)[]} keys
   * @param {State} next
   * @param {[boolean, boolean]} [trust]
   */
  function record(label, keys, next, trust) {
    const last = done[done.length - 1];
    const now = clock();
    const joins = last && last.label === label && now < joinUntil && !trust && keys.every((key) => key in last.before);
    const [before, after] = [settled, next].map((side) => Object.fromEntries(keys.map((key) => [key, /** @type {any} */ (side)[key]])));
    if (joins) done = [...done.slice(0, -1), { ...last, after: { ...last.after, ...after } }];
    else done = [...done, trust ? { label, before, after, trust } : { label, before, after }].slice(-MAX_STEPS);
    settled = { ...settled, ...after };
    undone = [];
    joinUntil = now + JOIN_WITHIN;
  }

  /**
   * @param {Step} step
   * @param {"before" | "after"} side
   */
  function restore(step, side) {
    joinUntil = -Infinity;
    const next = frozen({ ...state, ...step[side] });
    if (step.trust) trusted = step.trust[side === "before" ? 0 : 1];
    settled = { ...settled, ...step[side] };
    enter(next);
  }

  return {
    get state() { return state; },
    /** Whether the model may be run without being asked for: it is the user's own, or was run before. */
    get trusted() { return trusted; },
    /** @returns {Kept} what survives a reload */
    get kept() { return { state, done, undone, trusted }; },
    /** The label of the step that undo would take back, or null. */
    get undoable() { return done[done.length - 1]?.label ?? null; },
    get redoable() { return undone[undone.length - 1]?.label ?? null; },
    change,
    undo() {
      const step = done[done.length - 1];
      if (!step) return null;
      done = done.slice(0, -1);
      undone = [...undone, step];
      restore(step, "before");
      return step.label;
    },
    redo() {
      const step = undone[undone.length - 1];
      if (!step) return null;
      undone = undone.slice(0, -1);
      done = [...done, step];
      restore(step, "after");
      return step.label;
    },
    /** @param {(state: State, before: State) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}

/**
 * @param {State} state
 * @param {Patch} patch
 * @returns {State}
 */
function merged(state, patch) {
  /** @type {Record<string, any>} */
  const next = { ...state };
  for (const [key, value] of Object.entries(patch)) {
    if (!(key in state)) throw new Error(`a state has no key ${key}`);
    next[key] = RECORDS.has(key) ? { .../** @type {any} */ (state)[key], .../** @type {any} */ (value) } : value;
    // equal values keep their identity, so that listeners can compare by ===
    if (same(next[key], /** @type {any} */ (state)[key])) next[key] = /** @type {any} */ (state)[key];
  }
  return frozen(/** @type {State} */ (next));
}

/** @param {State} state */
function contentOf(state) {
  return Object.fromEntries(CONTENT.map((key) => [key, state[key]]));
}

/**
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function frozen(value) {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
