// What survives a reload: the state and its steps of undo, in the storage of the tab and of the browser.

import { STATE_VERSION } from "./types.js";
import { validState } from "./valid.js";

/** @typedef {import("./store.js").Kept} Kept */
/** @typedef {import("./store.js").Step} Step */

const KEY = "catena";
/** Changes come in bursts; they are written when there was none for this long, ms. */
const QUIET = 300;
/** Old steps of undo are left out beyond this many characters: browsers store about five million. */
const MAX_STEPS_SIZE = 1_000_000;

/**
 * What this tab showed last, or else any other tab; null if there is nothing that can be read.
 * @returns {Kept | null}
 */
export function remembered() {
  for (const storage of storages()) {
    try {
      const kept = JSON.parse(storage.getItem(KEY) ?? "null");
      if (kept?.version !== STATE_VERSION) continue;
      const state = validState(kept.state);
      if (state) return { state, done: steps(kept.done), undone: steps(kept.undone), trusted: kept.trusted !== false };
    } catch {
      // what cannot be read is as good as nothing
    }
  }
  return null;
}

/**
 * @param {() => Kept} current
 * @returns {() => void} to be called after every change
 */
export function rememberer(current) {
  let timer = 0;
  const write = () => {
    clearTimeout(timer);
    timer = 0;
    const { state, done, undone, trusted } = current();
    const text = JSON.stringify({ version: STATE_VERSION, state, done: newest(done), undone: newest(undone), trusted });
    for (const storage of storages()) {
      try {
        storage.setItem(KEY, text);
      } catch {
        // full or forbidden: the page works without
      }
    }
  };
  window.addEventListener("pagehide", () => { if (timer) write(); });
  return () => {
    clearTimeout(timer);
    timer = setTimeout(write, QUIET);
  };
}

/**
 * @returns {Storage[]}
 */
function storages() {
  /** @type {Storage[]} */
  const found = [];
  for (const take of [() => sessionStorage, () => localStorage]) {
    try {
      found.push(take());
    } catch {
      // private mode, or a policy
    }
  }
  return found;
}

/**
 * @param {Step[]} all
 * @returns {Step[]}
 */
function newest(all) {
  let size = 0;
  const first = all.findLastIndex((step) => (size += JSON.stringify(step).length) > MAX_STEPS_SIZE);
  return all.slice(first + 1);
}

/**
 * @param {any} list
 * @returns {Step[]}
 */
function steps(list) {
  if (!Array.isArray(list)) return [];
  const isTrust = (/** @type {any} */ trust) => trust === undefined || (Array.isArray(trust) && trust.length === 2 && trust.every((side) => typeof side === "boolean"));
  const whole = (/** @type {any} */ side) => validState(side, true) !== null;
  return list.every((step) => typeof step?.label === "string" && isTrust(step.trust) && whole(step.before) && whole(step.after)) ? list : [];
}
