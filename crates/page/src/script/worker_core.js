// The core inside the page: workers that run it as WebAssembly, one request each at a time.
//
// The core cannot be interrupted, so that a request that is cancelled or exceeds its budget takes its worker with it; the
// next one starts in a few milliseconds, because the page has compiled the core already.

/** @typedef {import("./types.js").Core} Core */
/** @typedef {import("./types.js").Request} Request */
/** @typedef {import("./types.js").Watch} Watch */

/** Questions that run side by side; more of them wait. */
const MAX_WORKERS = 4;
/** Seconds that a request may take. */
const MAX_SECONDS = 600;

/**
 * @typedef {object} Job
 * @property {string} request
 * @property {Watch} watch
 * @property {(reply: any) => void} resolve
 * @property {(error: DOMException) => void} reject
 *
 * @typedef {object} Member a worker and what it does
 * @property {Worker} worker
 * @property {Job | null} job
 * @property {any} timer
 */

/** Whether the page has a core inside. */
export function hasCore() {
  return document.getElementById("core") !== null;
}

/**
 * Starts the core: the first worker is ready when the first request comes.
 * @returns {Core}
 */
export function workerCore() {
  const script = document.getElementById("worker")?.textContent ?? "";
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const makeWorker = () => new Worker(address);
  const module = compiled(makeWorker(), document.getElementById("core")?.textContent ?? "");
  return pool(makeWorker, module, Math.max(1, Math.min(MAX_WORKERS, (navigator.hardwareConcurrency || 2) - 1)), MAX_SECONDS);
}

/**
 * Has the core unpacked and compiled by a worker that does nothing else: the page does not stand still meanwhile.
 * @param {Worker} worker
 * @param {string} packed
 * @returns {Promise<WebAssembly.Module>}
 */
function compiled(worker, packed) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data.module) resolve(data.module);
      else reject(data.error);
    };
    worker.onerror = (event) => reject(event.message || "the worker ended");
    worker.postMessage({ packed });
  });
}

/**
 * Answers requests with as many workers as are needed and allowed.
 * @param {() => Worker} makeWorker
 * @param {Promise<WebAssembly.Module>} module
 * @param {number} maxWorkers
 * @param {number} maxSeconds
 * @returns {Core}
 */
export function pool(makeWorker, module, maxWorkers, maxSeconds) {
  /** @type {Member[]} */
  const members = [];
  /** @type {Job[]} */
  const waiting = [];
  let count = 0;

  const enlist = () => {
    /** @type {Member} */
    const member = { worker: makeWorker(), job: null, timer: 0 };
    member.worker.onmessage = ({ data }) => hear(member, data);
    member.worker.onerror = (event) => dismiss(member, failed(event.message || "the worker ended", 0));
    members.push(member);
    module.then(
      (core) => member.worker.postMessage({ module: core }),
      (error) => dismiss(member, broken(error)),
    );
    return member;
  };

  /** @param {Member} member @param {any} reply what its job gets, if it has one */
  const dismiss = (member, reply) => {
    const at = members.indexOf(member);
    if (at < 0) return;
    members.splice(at, 1);
    member.worker.terminate();
    finish(member, reply);
  };

  /** @param {Member} member @param {any} reply */
  const finish = (member, reply) => {
    const job = member.job;
    member.job = null;
    clearTimeout(member.timer);
    if (job) job.resolve(reply);
    next();
  };

  /** @param {Member} member @param {{ id: number, text?: string, ended?: string, megabytes?: number }} message */
  const hear = (member, { text, ended, megabytes }) => {
    const job = member.job;
    if (!job) return;
    if (ended !== undefined) return dismiss(member, failed(ended, megabytes ?? 0));
    const event = JSON.parse(text ?? "null");
    if (event.event === "done") finish(member, event.reply);
    else if (event.event === "progress") job.watch.progress?.(event.part);
    else if (event.event === "part") job.watch.part?.(event.part);
  };

  /** Gives waiting jobs to workers that are free, those that have worked before first: they remember models. */
  const next = () => {
    while (waiting.length > 0) {
      const member = members.find((one) => !one.job) ?? (members.length < maxWorkers ? enlist() : null);
      if (!member) break;
      const job = /** @type {Job} */ (waiting.shift());
      member.job = job;
      count += 1;
      const message = { id: count, request: job.request };
      module.then(() => {
        if (member.job === job) member.worker.postMessage(message);
      }, () => {});
      member.timer = setTimeout(() => dismiss(member, late(maxSeconds)), maxSeconds * 1000);
    }
    for (const [position, job] of waiting.entries()) job.watch.queued?.(position + 1);
  };

  /** @param {Job} job */
  const cancel = (job) => {
    job.reject(new DOMException("cancelled", "AbortError"));
    const member = members.find((one) => one.job === job);
    if (member) {
      member.job = null;
      dismiss(member, null);
      // the next request does not wait for a worker to start
      if (members.length === 0) enlist();
    } else if (waiting.includes(job)) {
      waiting.splice(waiting.indexOf(job), 1);
    }
  };

  enlist();
  return {
    ask(request, watch = {}) {
      return new Promise((resolve, reject) => {
        /** @type {Job} */
        const job = { request: JSON.stringify(request), watch, resolve, reject };
        if (watch.signal?.aborted) return cancel(job);
        watch.signal?.addEventListener("abort", () => cancel(job), { once: true });
        waiting.push(job);
        next();
      });
    },
  };
}

/** Megabytes from which on the end of a worker is put down to its memory. */
const FULL_MEMORY = 1900;

/** @param {string} words @param {number} megabytes */
function failed(words, megabytes) {
  if (megabytes >= FULL_MEMORY) {
    const help = "Ask for fewer rows or columns, a shorter motion, or use the program `catena`, which has all memory of this machine.";
    return { error: { kind: "limit", message: `this needs more than the ${Math.round(megabytes / 1024)} GB of memory that a page may use`, help } };
  }
  const help = "This is a fault of the program, not of your model. The core was started again: nothing that you made is lost.";
  return { error: { kind: "failed", message: `the core ended unexpectedly: ${words}`, help } };
}

/** @param {number} seconds */
function late(seconds) {
  const help = "Ask for less: a shorter motion, a looser tolerance, a coarser grid; or use the program `catena`, which is faster and has no such bound.";
  return { error: { kind: "limit", message: `this took longer than ${seconds} s and was ended`, help } };
}

/** @param {unknown} error */
function broken(error) {
  const help = "The page needs a browser with WebAssembly in workers: Chrome 103, Firefox 113, Safari 16.4 or later.";
  return { error: { kind: "failed", message: `the core inside this page cannot be started: ${error}`, help } };
}
