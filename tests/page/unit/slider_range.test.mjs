import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldText, positionOf, positionsOf, setText, sliderRange, valueAtPosition } from "../../../crates/page/src/script/slider_range.js";

const parameter = { kind: "parameter", isAngle: false };
const POSITIONS = positionsOf(sliderRange(parameter, 1));
const middle = POSITIONS / 2;

test("a positive parameter goes from a tenth to ten times its value, evenly in size", () => {
  const range = sliderRange(parameter, 0.8);
  assert.equal(valueAtPosition(range, 0), 0.08);
  assert.equal(valueAtPosition(range, middle), 0.8);
  assert.equal(valueAtPosition(range, POSITIONS), 8);
});

test("a negative parameter stays negative and grows to the right", () => {
  const range = sliderRange(parameter, -2);
  assert.equal(valueAtPosition(range, 0), -20);
  assert.equal(valueAtPosition(range, POSITIONS), -0.2);
  assert.equal(positionOf(range, -2), middle);
});

test("a parameter of zero goes to both sides", () => {
  const range = sliderRange(parameter, 0);
  assert.deepEqual([valueAtPosition(range, 0), valueAtPosition(range, middle), valueAtPosition(range, POSITIONS)], [-1, 0, 1]);
});

test("angles go through a half turn to both sides and are set in degrees", () => {
  const range = sliderRange({ kind: "start", isAngle: true }, Math.PI / 2);
  assert.equal(setText(range, valueAtPosition(range, 0)), "-180 deg");
  assert.equal(setText(range, valueAtPosition(range, positionOf(range, Math.PI / 2))), "90 deg");
  const far = sliderRange({ kind: "start", isAngle: true }, 0, 4 * Math.PI);
  assert.ok(far.to >= 4 * Math.PI);
});

test("what is set lies on the slider, wherever it is", () => {
  for (const [quantity, own, now] of [
    [parameter, 1, 5000], [parameter, 1, 1e-6], [parameter, 1, -3], [parameter, 0, 40], [parameter, -1, 2],
    [{ kind: "rate", isAngle: false }, 0, 300], [{ kind: "start", isAngle: false }, 0.2, -9], [{ kind: "start", isAngle: true }, 0, -20],
  ]) {
    const range = sliderRange(quantity, own, now);
    assert.ok(range.from <= now && now <= range.to, `${JSON.stringify(quantity)} ${own} ${now}: ${JSON.stringify(range)}`);
    const position = positionOf(range, now);
    assert.ok(position >= 0 && position <= POSITIONS);
  }
});

test("a place on a slider and its value belong together", () => {
  for (const [quantity, own] of [[parameter, 9.81], [parameter, 0], [{ kind: "rate", isAngle: false }, 12], [{ kind: "start", isAngle: true }, 1]]) {
    const range = sliderRange(quantity, own);
    for (const position of [0, 37, 200, 301, POSITIONS]) {
      const back = positionOf(range, valueAtPosition(range, position));
      assert.ok(Math.abs(back - position) <= 3, `${JSON.stringify(range)} ${position} → ${back}`);
    }
  }
});

test("counts are whole and at least one", () => {
  const range = sliderRange({ kind: "size", isAngle: false }, 20);
  assert.equal(valueAtPosition(range, 0), 1);
  assert.equal(positionsOf(range), 79);
  assert.equal(valueAtPosition(range, 79), 80);
  assert.equal(valueAtPosition(range, 33), 34);
});

test("values are written short", () => {
  assert.equal(setText({ scale: "log", from: 0.1, to: 10 }, 0.1 + 0.2), "0.3");
  assert.equal(fieldText(true, Math.PI / 3, undefined), "60 deg");
  assert.equal(fieldText(false, 0.013333333333, undefined), "0.0133333");
  assert.equal(fieldText(true, 0, "1.0471975511965976"), "60 deg");
  assert.equal(fieldText(true, 0, "pi/3"), "pi/3");
  assert.equal(fieldText(false, 0, "0.25"), "0.25");
});

test("every step of a slider is another value: no key is pressed in vain", () => {
  for (const [quantity, own, now] of [
    [parameter, 1], [parameter, 9.81], [parameter, 0], [parameter, -3], [parameter, 1, 5000], [{ kind: "size", isAngle: false }, 5],
    [{ kind: "rate", isAngle: false }, 12], [{ kind: "start", isAngle: false }, 0.2], [{ kind: "start", isAngle: true }, 1],
  ]) {
    const range = sliderRange(quantity, own, now);
    const values = Array.from({ length: positionsOf(range) + 1 }, (_, position) => valueAtPosition(range, position));
    assert.ok(values.every((value, at) => at === 0 || value > values[at - 1]), `${JSON.stringify(range)}`);
    assert.ok(values.every((value, at) => positionOf(range, value) === at), `${JSON.stringify(range)}`);
  }
});
