// Questions that were asked in this session: a few at a time, the others wait; what is known of each is kept.

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").AskReply} AskReply */
/** @typedef {import("./types.js").Failure} Failure */
/** @typedef {import("./types.js").Request} Request */

/** More at once would only share the same cores. */
const MAX_AT_ONCE = 2;
/** Older answers are let go. */
const MAX_KEPT = 24;

/**
 * @typedef {object} Job
 * @property {number} id
 * @property {string} question
 * @property {Request} request
 * @property {string} model        its title
 * @property {"waiting" | "running" | "done" | "failed" | "cancelled"} phase
 * @property {number | null} progress   0…1
 * @property {number | null} queued     position in the queue of the server
 * @property {any} figure               the picture so far
 * @property {AskReply | null} reply
 * @property {Failure | null} error
 * @property {number} began             ms
 * @property {number | null} took       ms
 * @property {AbortController} control
 */

/**
 * @param {App} app
 * @param {(job: Job) => void} changed
 */
export function createJobs(app, changed) {
  /** @type {Job[]} newest first */
  let jobs = [];
  let count = 0;

  /**
   * @param {Request} request
   * @param {string} model
   * @returns {Job}
   */
  function ask(request, model) {
    /** @type {Job} */
    const job = {
      id: ++count,
      question: request.question,
      request,
      model,
      phase: "waiting",
      progress: null,
      queued: null,
      figure: null,
      reply: null,
      error: null,
      began: performance.now(),
      took: null,
      control: new AbortController(),
    };
    jobs = [job, ...jobs];
    const finished = jobs.filter(({ phase }) => phase !== "waiting" && phase !== "running");
    for (const old of finished.slice(MAX_KEPT)) jobs = jobs.filter((kept) => kept !== old);
    startNext();
    changed(job);
    return job;
  }

  function startNext() {
    const running = jobs.filter(({ phase }) => phase === "running").length;
    const waiting = jobs.filter(({ phase }) => phase === "waiting").reverse();
    for (const job of waiting.slice(0, Math.max(0, MAX_AT_ONCE - running))) run(job);
  }

  /** @param {Job} job */
  async function run(job) {
    job.phase = "running";
    job.began = performance.now();
    const tell = () => job.phase === "running" && changed(job);
    try {
      const reply = await app.core.ask(job.request, {
        signal: job.control.signal,
        progress(part) {
          job.progress = part;
          job.queued = null;
          tell();
        },
        queued(position) {
          job.queued = position;
          tell();
        },
        part(event) {
          job.figure = event.figure ?? event.part?.figure ?? job.figure;
          tell();
        },
      });
      end(job, reply.error ? (reply.error.kind === "cancelled" ? "cancelled" : "failed") : "done", reply);
    } catch {
      end(job, "cancelled", null);
    }
  }

  /**
   * @param {Job} job
   * @param {Job["phase"]} phase
   * @param {any} reply
   */
  function end(job, phase, reply) {
    if (job.phase !== "running" && job.phase !== "waiting") return;
    job.phase = phase;
    job.took = performance.now() - job.began;
    if (phase === "done") job.reply = reply;
    if (phase === "failed") job.error = reply.error;
    startNext();
    changed(job);
  }

  return {
    get all() {
      return jobs;
    },
    ask,
    /** @param {Job} job */
    cancel(job) {
      job.control.abort();
      if (job.phase === "waiting") end(job, "cancelled", null);
    },
    /** @param {Job} job */
    forget(job) {
      job.control.abort();
      jobs = jobs.filter((kept) => kept !== job);
      startNext();
    },
  };
}
