// node tests/web/reader.mjs MODULE
//
// Random programs, written as modules and interpreted, give the same bits; places in the table of functions are used again.
// The module is the example `web_reader` of `crates/compile`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const PROGRAMS = 300;
const freeIndices = [];
let written = 0;
let core = null;
const catena = {
  instantiate(address, length) {
    const { memory, __indirect_function_table: table } = core;
    const module = new WebAssembly.Module(new Uint8Array(memory.buffer, address, length));
    const index = freeIndices.pop() ?? table.grow(1);
    table.set(index, new WebAssembly.Instance(module, { core: { memory, table } }).exports.run);
    written += 1;
    return index;
  },
  release(index) {
    core.__indirect_function_table.set(index, null);
    freeIndices.push(index);
  },
};
core = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])), { catena }).exports;
const places = core.__indirect_function_table.length;
for (let seed = 0; seed < PROGRAMS; seed += 1) {
  const operations = 1 + ((seed * seed) % 3500);
  assert.equal(core.differing_bits(seed, operations), 0, `${operations} operations, seed ${seed}`);
}
assert.equal(written, PROGRAMS);
assert.equal(core.__indirect_function_table.length, places + 1);
console.log(`${PROGRAMS} random programs: modules and interpreter agree in every bit`);
