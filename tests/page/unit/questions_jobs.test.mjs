import assert from "node:assert/strict";
import { test } from "node:test";
import { createJobs } from "../../../crates/page/src/script/questions_jobs.js";

/** A core whose answers come when the test says so. */
function slowCore() {
  const asked = [];
  const ask = (request, watch) =>
    new Promise((resolve, reject) => {
      watch.signal.addEventListener("abort", () => reject(new DOMException("cancelled", "AbortError")));
      asked.push({ request, watch, resolve });
    });
  return { asked, app: { core: { ask } } };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const question = (name) => ({ do: "ask", question: name, model: { name: "m", text: "" } });

test("two questions are asked at once, and the next begins when one is answered", async () => {
  const { asked, app } = slowCore();
  const jobs = createJobs(app, () => {});
  const all = ["a", "b", "c"].map((name) => jobs.ask(question(name), "m"));
  assert.deepEqual(all.map(({ phase }) => phase), ["running", "running", "waiting"]);
  asked[0].resolve({ words: [] });
  await settled();
  assert.deepEqual(all.map(({ phase }) => phase), ["done", "running", "running"]);
  assert.equal(asked[2].request.question, "c");
});

test("what is known of a cancelled question stays", async () => {
  const { asked, app } = slowCore();
  const jobs = createJobs(app, () => {});
  const job = jobs.ask(question("a"), "m");
  asked[0].watch.progress(0.4);
  asked[0].watch.part({ figure: { panels: [1] } });
  jobs.cancel(job);
  await settled();
  assert.equal(job.phase, "cancelled");
  assert.deepEqual(job.figure, { panels: [1] });
});

test("a question that waits is cancelled without being asked", async () => {
  const { asked, app } = slowCore();
  const jobs = createJobs(app, () => {});
  const [first, , third] = ["a", "b", "c"].map((name) => jobs.ask(question(name), "m"));
  jobs.cancel(third);
  assert.equal(third.phase, "cancelled");
  jobs.cancel(first);
  await settled();
  assert.equal(asked.length, 2, "nothing takes the place of a question that is gone");
});

test("a refusal is kept with its words, and listeners hear of every end once", async () => {
  const { asked, app } = slowCore();
  const ends = [];
  const jobs = createJobs(app, (job) => job.phase !== "running" && job.phase !== "waiting" && ends.push(job.phase));
  const job = jobs.ask(question("a"), "m");
  asked[0].resolve({ error: { kind: "refused", message: "no", help: "do" } });
  await settled();
  jobs.cancel(job);
  await settled();
  assert.deepEqual([job.phase, job.error?.help, ends.join()], ["failed", "do", "failed"]);
});

test("answers of long ago are let go, but none that is still coming", async () => {
  const { asked, app } = slowCore();
  const jobs = createJobs(app, () => {});
  const first = jobs.ask(question("first"), "m");
  for (let round = 0; round < 40; round++) {
    jobs.ask(question(String(round)), "m");
    asked[asked.length - 1].resolve({ words: [] });
    await settled();
  }
  assert.ok(jobs.all.length < 30);
  assert.ok(jobs.all.includes(first), "it is still running");
});
