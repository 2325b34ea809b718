import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { unpacked } from "../../../crates/page/src/script/lzma.js";

/** What `xz` makes of bytes. */
function packed(bytes, options) {
  return new Uint8Array(execFileSync("xz", ["--format=lzma", `--lzma1=${options}`, "--stdout"], { input: bytes }));
}

/** Bytes that look like a program: words that come again, runs, and noise. The same ones every time. */
function sample(count) {
  const bytes = new Uint8Array(count);
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let at = 0; at < count;) {
    const length = 1 + random(random(4) === 0 ? 400 : 12);
    const back = at > 0 && random(3) > 0 ? 1 + random(Math.min(at, random(2) === 0 ? 40 : 200_000)) : 0;
    for (let more = 0; more < length && at < count; more += 1, at += 1) bytes[at] = back > 0 ? bytes[at - back] : random(256);
  }
  return bytes;
}

test("what xz packs is unpacked, whatever its settings", () => {
  for (const count of [0, 1, 2, 1000, 300_000]) {
    const bytes = sample(count);
    for (const options of ["preset=9e,lc=4,pb=0,nice=273", "preset=6", "preset=1,lc=0,lp=2,pb=4"]) {
      assert.deepEqual(unpacked(packed(bytes, options)), bytes, `${count} bytes, ${options}`);
    }
  }
});

test("what is cut off is damaged, and not read for ever", () => {
  const whole = packed(sample(10_000), "preset=9e");
  assert.throws(() => unpacked(whole.slice(0, whole.length / 2)), /damaged/);
  assert.throws(() => unpacked(new Uint8Array(20)), /damaged/);
});
