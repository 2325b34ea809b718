import assert from "node:assert/strict";
import { test } from "node:test";
import { eventParser, httpCore } from "../../../crates/page/src/script/core.js";

const STREAM = "event: queued\ndata: {\"event\":\"queued\",\"position\":2}\n\nevent: progress\r\ndata: {\"event\":\"progress\",\"part\":0.5}\r\n\r\n: a comment\n\nevent: part\ndata: {\"event\":\"part\",\"part\":{\"run\":1}}\n\nevent: done\ndata: {\"event\":\"done\",\"reply\":{\"ok\":\"é\"}}\n\n";

test("events are the same wherever the stream is cut", () => {
  const whole = eventParser()(STREAM);
  assert.deepEqual(whole.map(({ event }) => event), ["queued", "progress", "part", "done"]);
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const parse = eventParser();
    assert.deepEqual([...parse(STREAM.slice(0, cut)), ...parse(STREAM.slice(cut))], whole);
  }
});

/** Answers the next request in place of a server. */
function answer(body, type, status = 200) {
  globalThis.fetch = async () => new Response(body, { status, headers: { "Content-Type": type } });
}

test("a request is answered by its last event, and told the others", async () => {
  answer(STREAM, "text/event-stream");
  const told = [];
  const watch = { queued: (at) => told.push(["queued", at]), progress: (at) => told.push(["progress", at]), part: (what) => told.push(["part", what]) };
  assert.deepEqual(await httpCore().ask({ do: "run" }, watch), { ok: "é" });
  assert.deepEqual(told, [["queued", 2], ["progress", 0.5], ["part", { run: 1 }]]);
});

test("a server that is gone is an error in words, not an exception", async () => {
  globalThis.fetch = async () => { throw new TypeError("failed to fetch"); };
  assert.equal((await httpCore().ask({ do: "run" })).error.message, "the program behind this page does not answer");
  answer("event: progress\ndata: {\"part\":0.5}\n\n", "text/event-stream");
  assert.equal((await httpCore().ask({ do: "run" })).error.kind, "failed");
  answer("<html>bad gateway", "text/html", 502);
  assert.match((await httpCore().ask({ do: "run" })).error.message, /502/);
});

test("a reply without a stream is a reply", async () => {
  answer("{\"error\":{\"kind\":\"busy\",\"message\":\"busy\"}}", "application/json", 503);
  assert.equal((await httpCore().ask({ do: "run" })).error.kind, "busy");
});

test("what is cancelled ends with AbortError", async () => {
  const control = new AbortController();
  globalThis.fetch = async (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const asked = httpCore().ask({ do: "run" }, { signal: control.signal });
  control.abort();
  await assert.rejects(asked, { name: "AbortError" });
});
