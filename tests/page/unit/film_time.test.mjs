import assert from "node:assert/strict";
import { test } from "node:test";
import { clockAt, frameOf } from "../../../crates/page/src/script/film.js";
import { advanced } from "../../../crates/page/src/script/clock.js";
import { scaledBox } from "../../../crates/page/src/script/zoom.js";
import { valueAtTime } from "../../../crates/page/src/script/plot_panel.js";

test("frames and times belong together, between frames too and where time runs back", () => {
  for (const times of [[0, 0.1, 0.2, 0.4], [3, 2, 1, 0]]) {
    for (const frame of [0, 0.5, 1.25, 2.75, 3]) assert.ok(Math.abs(frameOf(times, clockAt(times, frame)) - frame) < 1e-9, `${times} ${frame}`);
  }
  assert.equal(frameOf([0, 1, 2], 7), 2);
  assert.equal(frameOf([0, 1, 2], -7), 0);
  assert.equal(frameOf([5], 5), 0);
  assert.equal(clockAt([5], 0), 5);
});

test("a clock goes round or stops at its end", () => {
  assert.deepEqual(advanced(9, 2, { length: 10, speed: 1, loop: true }), { at: 1, goesOn: true });
  assert.deepEqual(advanced(9, 2, { length: 10, speed: 1, loop: false }), { at: 10, goesOn: false });
  assert.deepEqual(advanced(1, 2, { length: 10, speed: 0.5, loop: false }), { at: 2, goesOn: true });
  assert.deepEqual(advanced(0, 2, { length: 0, speed: 1, loop: true }), { at: 0, goesOn: false });
});

test("zooming leaves the point under the pointer where it is, within bounds", () => {
  const box = scaledBox({ x: 0, y: 0, w: 600, h: 400 }, 0.5, [150, 100], 600);
  assert.deepEqual(box, { x: 75, y: 50, w: 300, h: 200 });
  assert.equal(scaledBox(box, 1e-9, [150, 100], 600).w, 1.5);
  assert.equal(scaledBox(box, 1e9, [150, 100], 600).w, 12_000);
});

test("values between rows are interpolated, and held at the ends", () => {
  assert.equal(valueAtTime([0, 1, 2], [0, 10, 30], 1.5), 20);
  assert.equal(valueAtTime([0, 1, 2], [0, 10, 30], 9), 30);
  assert.equal(valueAtTime([0, 1, 2], [0, 10, 30], -1), 0);
});
