// Asks the core about the model whenever it has become another one, and keeps the newest answer for everybody.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Checked} Checked */
/** @typedef {import("./types.js").Core} Core */
/** @typedef {import("./types.js").Failure} Failure */

/** Typing and dragging come in bursts; the core is asked when they pause for this long, ms. */
const QUIET = 120;

/**
 * @param {{ state: State, subscribe: (listener: (state: State, before: State) => void) => any }} store
 * @param {Core} core
 * @param {(error: Failure) => void} fail
 */
export function checker(store, core, fail) {
  /** @type {Checked | null} */
  let checked = null;
  /** @type {AbortController | null} */
  let asked = null;
  let timer = 0;
  /** @type {Set<(checked: Checked) => void>} */
  const listeners = new Set();

  async function ask() {
    clearTimeout(timer);
    asked?.abort();
    const control = new AbortController();
    asked = control;
    const { model, set } = store.state;
    const request = { do: "model", model, set };
    try {
      const reply = await core.ask(request, { signal: control.signal });
      if (control.signal.aborted) return;
      if (reply.error) return fail(reply.error);
      checked = { request, reply };
      for (const listener of [...listeners]) listener(checked);
    } catch {
      // another question took its place
    }
  }

  store.subscribe((state, before) => {
    if (state.model === before.model && state.set === before.set) return;
    clearTimeout(timer);
    // another model is wanted at once; a text that is being typed can wait
    timer = setTimeout(ask, state.model.name === before.model.name ? QUIET : 0);
  });

  return {
    get checked() { return checked; },
    ask,
    /** @param {(checked: Checked) => void} listener */
    onChecked(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}
