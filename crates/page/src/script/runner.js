// Runs of a model, one at a time: the motion comes first, its certificate follows.

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").RunPart} RunPart */
/** @typedef {import("./types.js").Failure} Failure */
/** @typedef {import("./types.js").OptionValue} OptionValue */
/** @typedef {{model: import("./types.js").Model, set: Record<string, string>, options: Record<string, OptionValue>}} RunRequest */

/**
 * Where a run stands.
 * @typedef {object} RunState
 * @property {"idle"|"running"|"certifying"|"done"|"failed"} phase   `certifying`: the motion is known, its error is being estimated
 * @property {RunRequest | null} request      of the motion that is known
 * @property {RunPart | null} run
 * @property {any} certificate
 * @property {string} late                    a sentence where the time limit ended the work early
 * @property {Failure | null} error
 * @property {number | null} progress         0 to 1, if it is known
 * @property {number | null} queued           the position in the queue of the server
 */

/**
 * @typedef {object} Runner
 * @property {Readonly<RunState>} state
 * @property {(request: RunRequest) => Promise<void>} run
 * @property {() => void} cancel
 * @property {() => void} forget   ends what is under way, and knows of no run
 * @property {(listener: (state: Readonly<RunState>, before: Readonly<RunState>) => void) => void} onChange
 */

/** Nothing has been run. @type {RunState} */
export const NOTHING = { phase: "idle", request: null, run: null, certificate: null, late: "", error: null, progress: null, queued: null };

/**
 * Whether two runs are of the same motion.
 * @param {RunRequest | null} a
 * @param {RunRequest | null} b
 */
export function sameRun(a, b) {
  if (!a || !b) return a === b;
  return a.model.text === b.model.text && a.model.name === b.model.name && JSON.stringify([a.set, a.options]) === JSON.stringify([b.set, b.options]);
}

/**
 * @param {App} app
 * @returns {Runner}
 */
export function makeRunner(app) {
  let state = NOTHING;
  /** @type {AbortController | null} */
  let control = null;
  /** @type {((state: RunState, before: RunState) => void)[]} */
  const listeners = [];
  /** @param {Partial<RunState>} patch */
  const enter = (patch) => {
    const before = state;
    state = { ...state, ...patch };
    for (const listener of listeners) listener(state, before);
  };

  /** @param {RunRequest} request */
  async function run(request) {
    control?.abort();
    const own = new AbortController();
    control = own;
    const stays = state.run !== null && state.request?.model.text === request.model.text;
    enter({ ...(stays ? {} : NOTHING), phase: "running", late: "", error: null, progress: null, queued: null });
    const isMine = () => control === own;
    try {
      const reply = await app.core.ask({ do: "run", ...request, film: true }, {
        signal: own.signal,
        progress: (part) => { if (isMine()) enter({ progress: part, queued: null }); },
        queued: (position) => { if (isMine()) enter({ queued: position }); },
        part: (event) => {
          if (!isMine()) return;
          const known = event.run ?? event.part?.run;
          if (known) enter({ phase: "certifying", request, run: known, certificate: known.certificate, queued: null });
        },
      });
      if (!isMine()) return;
      if (reply.error) enter({ phase: "failed", error: reply.error });
      else enter({ phase: "done", request, certificate: reply.certificate, late: reply.late ?? "" });
    } catch {
      if (isMine()) enter({ phase: state.run && sameRun(state.request, request) ? "done" : "idle" });
    }
    if (isMine()) control = null;
  }

  return {
    get state() { return state; },
    run,
    cancel: () => control?.abort(),
    forget: () => {
      control?.abort();
      control = null;
      enter(NOTHING);
    },
    onChange: (listener) => { listeners.push(listener); },
  };
}
