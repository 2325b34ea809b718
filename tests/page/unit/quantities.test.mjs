import assert from "node:assert/strict";
import { test } from "node:test";
import { quantitiesOf } from "../../../crates/page/src/script/quantities.js";
import { outlineOf } from "./toml_outline.mjs";

const TEXT = `title = "Crank"
[parameters]
g = 9.81        # gravity, m/s^2
J = "m*l^2/12"  # rod about its centre (uniform), kg m^2
q = 2           # how weak the damping is
bare = 1
[[motor]]
name = "drive"
joint = "O"
angle = "45 deg + 30 rpm*t"
[[motor]]
joint = "P"
angle = "-omega*t"
`;
const reply = (text) => ({
  problems: [], warnings: [], outline: outlineOf(text),
  about: { parameters: ["g", "J", "q", "bare", "crank_mass"].map((name) => ({ name, value: 1, follows: false })), coordinates: [], mechanism: {} },
});
const found = new Map(quantitiesOf(reply(TEXT), {}, TEXT).map((quantity) => [quantity.name, quantity]));

test("a parameter says what its comment says, with the unit apart", () => {
  const said = (name) => [found.get(name).text, found.get(name).unit];
  assert.deepEqual(said("g"), ["gravity", "m/s^2"]);
  assert.deepEqual(said("J"), ["rod about its centre (uniform)", "kg m^2"]);
  assert.deepEqual(said("q"), ["how weak the damping is", ""]);
  assert.deepEqual(said("bare"), ["", ""]);
  assert.deepEqual(said("crank_mass"), ["", "kg"]);
  const unwritten = quantitiesOf({ ...reply(""), outline: [] }).find(({ name }) => name === "g");
  assert.deepEqual([unwritten.text, unwritten.unit], ["gravity", "m/s^2"]);
});

test("a motor's speed that is a number of the text has a slider, one that is a parameter has not", () => {
  const { value, unit, place } = found.get("drive");
  assert.deepEqual([value, unit, TEXT.slice(...place)], [30, "rpm", "30"]);
  assert.ok(!found.has("motor2"));
});
