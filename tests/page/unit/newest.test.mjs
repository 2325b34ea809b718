import assert from "node:assert/strict";
import { test } from "node:test";
import { newestFirst } from "../../../crates/page/src/script/newest.js";
import { sameRun } from "../../../crates/page/src/script/runner.js";

test("one request is on its way, and of those that wait only the newest is sent", async () => {
  const sent = [];
  let most = 0;
  let flying = 0;
  const line = newestFirst(async (item) => {
    sent.push(item);
    most = Math.max(most, ++flying);
    await new Promise((done) => setTimeout(done, 5));
    flying--;
  });
  for (let item = 0; item < 50; item++) line.ask(item);
  await line.idle();
  assert.deepEqual(sent, [0, 49]);
  line.ask(50);
  await line.idle();
  assert.deepEqual(sent, [0, 49, 50]);
  assert.equal(most, 1);
});

test("what is dropped is not sent, and a failure does not stop the line", async () => {
  const sent = [];
  const line = newestFirst(async (item) => { sent.push(item); await Promise.resolve(); if (item === "bad") throw new Error("bad"); });
  line.ask(1);
  line.ask(2);
  line.drop();
  await line.idle();
  assert.deepEqual(sent, [1]);
  line.ask("bad");
  await line.idle().catch(() => {});
  line.ask(3);
  await line.idle();
  assert.deepEqual(sent, [1, "bad", 3]);
});

test("runs are the same where model, values and options are", () => {
  const run = { model: { name: "a", text: "x" }, set: { L: "1" }, options: {} };
  assert.ok(sameRun(run, structuredClone(run)));
  assert.ok(!sameRun(run, { ...run, set: { L: "2" } }));
  assert.ok(!sameRun(run, { ...run, options: { rtol: "1" } }));
  assert.ok(!sameRun(run, null));
  assert.ok(sameRun(null, null));
});
