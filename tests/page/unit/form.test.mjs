import assert from "node:assert/strict";
import { test } from "node:test";
import { keyNamed, labelOf } from "../../../crates/page/src/script/form.js";
import { methodRows, withTexts, withValues } from "../../../crates/page/src/script/methods.js";
import { quantitiesOf } from "../../../crates/page/src/script/quantities.js";

test("labels are the help of a row, with its unit once and without the command line", () => {
  assert.equal(labelOf({ key: "formulation", kind: "word", help: "How constraints enter (see `catena list formulations`)" }), "How constraints enter");
  assert.equal(labelOf({ key: "t_end", kind: "number", help: "End of the run, s", unit: "s" }), "End of the run, s");
  assert.equal(labelOf({ key: "omega", kind: "number", help: "frequency", unit: "rad/s" }), "frequency, rad/s");
});

test("an error is shown at the first field that it names", () => {
  const rows = [{ key: "rtol", kind: "positive" }, { key: "first_step", flag: "first-step", kind: "positive" }];
  assert.equal(keyNamed(rows, "`rtol` cannot be `abc`"), "rtol");
  assert.equal(keyNamed(rows, "a longer `--first-step` goes on"), "first_step");
  assert.equal(keyNamed(rows, "the model is wrong"), null);
});

test("options of a method are those that a run does not have itself", () => {
  const method = { name: "baumgarte", summary: "", reference: "", options: [{ name: "omega", help: "frequency", unit: "rad/s", default: 10 }, { name: "rtol", help: "", unit: "", default: null }] };
  const rows = methodRows(method, [{ key: "rtol", kind: "positive" }]);
  assert.deepEqual(rows.map(({ key, default: value, unit }) => [key, value, unit]), [["omega", "10", "rad/s"]]);
});

test("options of methods go into texts and back", () => {
  assert.deepEqual(withValues(["omega=10", "norm = max", "nonsense"]), { omega: "10", norm: "max" });
  assert.deepEqual(withTexts({ omega: "10" }), ["omega=10"]);
  assert.deepEqual(withValues(undefined), {});
});

test("the quantities of a model are its parameters, values at the start, and guesses where assembly finds them", () => {
  const reply = {
    problems: [], warnings: [], outline: [],
    about: {
      parameters: [{ name: "L", value: 1, follows: false }, { name: "J", value: 0.1, follows: true }],
      coordinates: [{ name: "theta", text: "angle", angle: null }, { name: "x", text: "" }],
      initial: [{ name: "theta", value: 1 }], constraints: ["phi"], states: ["z"],
    },
    diagnosis: { angles: ["theta"], start: { values: [{ name: "theta", value: 1, unit: "rad", rate: 2, rate_unit: "rad/s" }, { name: "x", value: 3, unit: "m", rate: 0, rate_unit: "m/s" }] } },
  };
  assert.deepEqual(quantitiesOf(reply).map(({ setName, kind, value, unit, isAngle }) => [setName, kind, value, unit, isAngle]), [
    ["L", "parameter", 1, "", false], ["J", "parameter", 0.1, "", false],
    ["theta", "start", 1, "rad", true], ["theta'", "rate", 2, "rad/s", false],
    ["guess.x", "solved", 3, "m", false], ["z", "start", 0, "", false],
  ]);
  assert.deepEqual(quantitiesOf({ problems: [], warnings: [], outline: [] }), []);
  // without constraints every coordinate has its own value, given or not
  const free = { ...reply, about: { ...reply.about, constraints: [], initial: [] } };
  assert.deepEqual(quantitiesOf(free).map(({ setName }) => setName), ["L", "J", "theta", "theta'", "x", "x'", "z"]);
});

test("sizes come from the outline, with what is set", () => {
  const outline = [
    { key: "title", value: { json: "x" } },
    { section: "sizes", keys: [{ key: "n", value: { json: 2, number: 2 } }] },
    { section: "chain", keys: [{ key: "links", value: { json: 20, number: 20 } }, { key: "mass", value: { json: 1, number: 1 } }] },
  ];
  const reply = { problems: [], warnings: [], outline, about: {} };
  assert.deepEqual(quantitiesOf(reply, { links: "7" }).map(({ name, kind, value }) => [name, kind, value]), [["n", "size", 2], ["links", "size", 7]]);
});
