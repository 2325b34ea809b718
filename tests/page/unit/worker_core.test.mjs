import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "../../../crates/page/src/script/worker_core.js";

/** A worker that does what the test says. */
class Puppet {
  static made = [];
  constructor() {
    this.heard = [];
    this.ended = false;
    Puppet.made.push(this);
  }
  postMessage(message) { this.heard.push(message); }
  terminate() { this.ended = true; }
  says(event) { this.onmessage({ data: { id: 1, text: JSON.stringify(event) } }); }
}

function start(maxWorkers = 2, maxSeconds = 60) {
  Puppet.made = [];
  return pool(() => new Puppet(), Promise.resolve("the core"), maxWorkers, maxSeconds);
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a worker gets the core first, then the request, and its events are handed on", async () => {
  const core = start();
  const told = [];
  const reply = core.ask({ do: "run" }, { progress: (part) => told.push(part), part: (part) => told.push(part) });
  await soon();
  const [worker] = Puppet.made;
  assert.deepEqual(worker.heard, [{ module: "the core" }, { id: 1, request: '{"do":"run"}' }]);
  worker.says({ event: "progress", part: 0.5 });
  worker.says({ event: "part", part: { run: 1 } });
  worker.says({ event: "done", reply: { certificate: 2 } });
  assert.deepEqual(await reply, { certificate: 2 });
  assert.deepEqual(told, [0.5, { run: 1 }]);
});

test("questions run side by side, and those beyond the workers wait their turn", async () => {
  const core = start(2);
  const places = [];
  const replies = ["a", "b", "c"].map((name) => core.ask({ do: name }, { queued: (position) => places.push([name, position]) }));
  await soon();
  assert.equal(Puppet.made.length, 2);
  assert.deepEqual(places, [["c", 1]]);
  Puppet.made[1].says({ event: "done", reply: "b" });
  await soon();
  assert.equal(Puppet.made[1].heard.at(-1).request, '{"do":"c"}');
  Puppet.made[0].says({ event: "done", reply: "a" });
  Puppet.made[1].says({ event: "done", reply: "c" });
  assert.deepEqual(await Promise.all(replies), ["a", "b", "c"]);
  assert.equal(Puppet.made.length, 2);
});

test("a cancelled question takes its worker with it, and a fresh one is ready", async () => {
  const core = start(1);
  const control = new AbortController();
  const cancelled = core.ask({ do: "ask" }, { signal: control.signal });
  const waiting = core.ask({ do: "model" });
  await soon();
  control.abort();
  await assert.rejects(cancelled, { name: "AbortError" });
  await soon();
  assert.ok(Puppet.made[0].ended);
  assert.equal(Puppet.made.length, 2);
  Puppet.made[1].says({ event: "done", reply: "model" });
  assert.equal(await waiting, "model");
  await assert.rejects(core.ask({ do: "ask" }, { signal: control.signal }), { name: "AbortError" });
});

test("a question that waits can be cancelled without harm to the others", async () => {
  const core = start(1);
  const control = new AbortController();
  const first = core.ask({ do: "run" });
  const second = core.ask({ do: "ask" }, { signal: control.signal });
  await soon();
  control.abort();
  await assert.rejects(second, { name: "AbortError" });
  assert.ok(!Puppet.made[0].ended);
  Puppet.made[0].says({ event: "done", reply: 1 });
  assert.equal(await first, 1);
});

test("what takes too long is ended, and what ends itself is a reply of its own", async () => {
  const slow = start(1, 0.01);
  const late = await slow.ask({ do: "run" });
  assert.equal(late.error.kind, "limit");
  assert.match(late.error.message, /longer than 0.01 s/);
  assert.ok(Puppet.made[0].ended);

  const core = start(1);
  const panicked = core.ask({ do: "run" });
  await soon();
  Puppet.made[0].onmessage({ data: { id: 1, ended: "index out of bounds", megabytes: 40 } });
  const { error } = await panicked;
  assert.equal(error.kind, "failed");
  assert.match(error.message, /index out of bounds/);
  const full = core.ask({ do: "run" });
  await soon();
  Puppet.made[1].onmessage({ data: { id: 2, ended: "unreachable", megabytes: 2048 } });
  assert.equal((await full).error.kind, "limit");
});

test("a core that cannot be started says what the page needs", async () => {
  Puppet.made = [];
  const core = pool(() => new Puppet(), Promise.reject(new Error("no gzip")), 1, 60);
  const { error } = await core.ask({ do: "catalogue" });
  assert.equal(error.kind, "failed");
  assert.match(error.message, /no gzip/);
  assert.equal((await core.ask({ do: "catalogue" })).error.kind, "failed");
});
