// What runs in a worker: the core and its host. It takes a module first and then requests, one at a time; or what is packed in
// the page, which it makes a module of.
//
// The core writes WebAssembly of its own while it computes. That is compiled here and put into the core's table of
// functions, at an index that is free again when the core has no more use for it.

import { unpacked } from "./lzma.js";

/** @type {any} */
let core = null;
/** The number of the request that is answered. */
let id = 0;
/** @type {number[]} */
const freeIndices = [];
const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** What the core said before it ended itself. */
let lastWords = "";

/** @param {boolean} compiles */
const host = (compiles) => ({
  clock: () => performance.now() / 1000,
  /** @param {number} address @param {number} length */
  tell(address, length) {
    const text = decoder.decode(new Uint8Array(core.memory.buffer, address, length));
    if (text.startsWith('{"event":"failed"')) lastWords = JSON.parse(text).message;
    else postMessage({ id, text });
  },
  /** @param {number} address @param {number} length */
  instantiate(address, length) {
    if (!compiles) return -1;
    try {
      const table = core.__indirect_function_table;
      const module = new WebAssembly.Module(new Uint8Array(core.memory.buffer, address, length));
      const { exports } = new WebAssembly.Instance(module, { core: { memory: core.memory, table } });
      const index = freeIndices.pop() ?? table.grow(1);
      table.set(index, exports.run);
      return index;
    } catch {
      return -1;
    }
  },
  /** @param {number} index */
  release(index) {
    core.__indirect_function_table.set(index, null);
    freeIndices.push(index);
  },
});

/** @param {string} request */
const answer = (request) => {
  try {
    const bytes = encoder.encode(request);
    const address = core.catena_alloc(bytes.length);
    new Uint8Array(core.memory.buffer, address, bytes.length).set(bytes);
    core.catena_answer(address, bytes.length);
  } catch (error) {
    // the core has ended itself, and must not be called again
    const megabytes = Math.round(core.memory.buffer.byteLength / 2 ** 20);
    postMessage({ id, ended: lastWords || String(error), megabytes });
    core = null;
  }
};

/** @param {string} base64 */
const compiled = (base64) => {
  const letters = atob(base64.trim());
  // ten times as fast as `Uint8Array.from`
  const packed = new Uint8Array(letters.length);
  for (let at = 0; at < packed.length; at += 1) packed[at] = letters.charCodeAt(at);
  return WebAssembly.compile(unpacked(packed));
};

/** @param {MessageEvent} message */
onmessage = ({ data }) => {
  if (data.packed) {
    compiled(data.packed).then((module) => postMessage({ module }), (error) => postMessage({ error: String(error) }));
  } else if (data.module) {
    core = new WebAssembly.Instance(data.module, { catena: host(data.compiles !== false) }).exports;
  } else {
    id = data.id;
    lastWords = "";
    answer(data.request);
  }
};
