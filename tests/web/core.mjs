// The core in Node, behind the same host as in a browser: `crates/page/src/script/worker.js`, which here unpacks nothing.

import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { unpacked } from "../../crates/page/src/script/lzma.js";

const WORKER = new URL("../../crates/page/src/script/worker.js", import.meta.url);

/** The module of a file that `install/page` made. */
export function compiled(file) {
  const bytes = readFileSync(file);
  return new WebAssembly.Module(file.endsWith(".lzma") ? unpacked(bytes) : bytes);
}

/**
 * An instance that answers requests: `{ reply, parts, ended }`. With `compiles: false` the core interprets what it would
 * otherwise write as WebAssembly.
 */
export function start(module, { compiles = true } = {}) {
  let heard = [];
  const post = (message) => heard.push(message);
  const script = readFileSync(WORKER, "utf8").replace(/^import .*$/m, "");
  const worker = new Function("postMessage", "onmessage", `${script}\nreturn (data) => onmessage({ data });`);
  const send = worker(post, null);
  send({ module, compiles });
  return (request) => {
    heard = [];
    send({ id: 1, request: typeof request === "string" ? request : JSON.stringify(request) });
    const events = heard.filter((message) => message.text).map((message) => JSON.parse(message.text));
    return {
      reply: events.find((event) => event.event === "done")?.reply,
      parts: events.filter((event) => event.event === "part").map((event) => event.part),
      ended: heard.find((message) => message.ended !== undefined)?.ended,
    };
  };
}

/** The native program as `catena worker`, with the number of its process; `ask` promises what `start` gives. */
export function native(program) {
  const child = spawn(program, ["worker"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const parts = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the program ended");
      const event = JSON.parse(value);
      if (event.event === "part") parts.push(event.part);
      if (event.event === "done") return { reply: event.reply, parts };
    }
  };
  return { ask, pid: child.pid, end: () => child.stdin.end() };
}

/** Numbers of a column. */
export function floats(base64) {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float64Array(bytes.buffer);
}

/** What a request for a run was answered with; throws what was refused. */
export function runOf({ reply, parts, ended }) {
  if (ended !== undefined) throw new Error(`the core ended: ${ended}`);
  if (reply.error) throw new Error(`${reply.error.message}: ${reply.error.help}`);
  return { columns: parts[0].run.columns, certificate: reply.certificate };
}
