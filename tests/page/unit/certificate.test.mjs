import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, eventsOf, factsOf, knownUntil, short } from "../../../crates/page/src/script/certificate.js";
import { errorText, outcomeName, outcomeOptions, recommended } from "../../../crates/page/src/script/compare_table.js";
import { toggledGroup } from "../../../crates/page/src/script/column_chooser.js";

test("numbers have the digits that they are worth", () => {
  assert.deepEqual([0, 1e-4, 4.314e-5, 0.0033, 478, 12345, 1.5e9].map((value) => short(value)), ["0", "1e-4", "4.3e-5", "0.0033", "478", "12345", "1.5e9"]);
  assert.equal(short(22.192627, 6), "22.1926");
  assert.deepEqual([227e-6, 0.0427, 3.2].map(duration), ["227 µs", "42.7 ms", "3.2 s"]);
});

const certificate = {
  formulation: "projection", integrator: "dopri5", chosen: ["projection: 8 constraints", "dopri5: a tolerance"], stop: "finished", time: 10,
  energy: 22.19, energy_residual: 4e-5, constraint_error: 1.7e-15, constraint_rate_error: 1.8e-15, degrees_of_freedom: { degrees: 1, rows: 201, raised: null },
  steps: 478, rejected: 84, evaluations: 4806, seconds: 0.0067, remarks: ["one"], error_estimate: 0.0033, estimate_holds_until: 8, part_of_motion: 0.00057, chaotic: false,
};

test("a certificate is told in words, with how long its estimate holds", () => {
  const facts = Object.fromEntries(factsOf(certificate).map(({ term, text }) => [term, text]));
  assert.equal(facts.Method, "projection with dopri5");
  assert.equal(facts.Reached, "t = 10 s, the end");
  assert.match(facts.Error, /accurate to 0\.0033, 0\.057 % of the motion.*holds until 8 s/);
  assert.equal(facts.Constraints, "kept to 1.7e-15, their rates to 1.8e-15");
  assert.equal(facts["Degrees of freedom"], "1 on 201 of 201 rows");
  assert.equal(facts.Remark, "one");
});

test("a chaotic motion is known up to the time that the verdict names", () => {
  const chaotic = { ...certificate, chaotic: true, verdict_reason: "its error is 0.1 % of the motion, up to 7.25 s: the motion is chaotic" };
  assert.equal(knownUntil(chaotic), 7.25);
  assert.equal(knownUntil({ ...chaotic, verdict_reason: "" }), 8);
  assert.equal(knownUntil({ ...chaotic, verdict_reason: "up to the end", estimate_holds_until: 10 }), null);
  assert.equal(knownUntil(certificate), null);
  assert.equal(knownUntil(null), null);
});

test("a run that stopped says where and why, and that its error is not known", () => {
  const facts = Object.fromEntries(factsOf({ ...certificate, stop: "failed", reason: "no way on", time: 4.2, error_estimate: null, degrees_of_freedom: null, constraint_error: 0 }).map(({ term, text }) => [term, text]));
  assert.equal(facts.Reached, "t = 4.2 s");
  assert.equal(facts["Stopped because"], "no way on");
  assert.equal(facts.Error, "not estimated");
  assert.ok(!("Constraints" in facts));
});

test("events are names with their times", () => {
  assert.deepEqual(eventsOf([{ name: "event", texts: ["a", "b"] }, { name: "t", values: "text" }], () => [1, 2]), [{ name: "a", time: 1 }, { name: "b", time: 2 }]);
  assert.deepEqual(eventsOf(undefined, () => []), []);
});

test("an outcome is run again with its own method and tolerance", () => {
  const outcome = { formulation: "penalty", integrator: "radau5", tolerance: 1e-6, step: null, error: 0.0075, within_reference: false, holds_until: 0.2 };
  assert.equal(outcomeName(outcome), "penalty, radau5, 1e-6");
  assert.deepEqual(outcomeOptions(outcome, false), { formulation: "penalty", integrator: "radau5" });
  assert.deepEqual(outcomeOptions(outcome, true), { formulation: "penalty", integrator: "radau5", rtol: "0.000001", atol: "0.000001" });
  assert.equal(errorText(outcome, 1), "≥ 0.0075 at 0.2 s");
  assert.equal(errorText({ ...outcome, within_reference: true }, 1), "≤ 0.0075");
  assert.equal(errorText({ ...outcome, error: null }, 1), "–");
});

test("a press on a group draws it or takes it away", () => {
  const group = { label: "Energies", names: ["kinetic", "energy"] };
  assert.deepEqual(toggledGroup(["x"], group), ["x", "kinetic", "energy"]);
  assert.deepEqual(toggledGroup(["x", "energy"], group), ["x"]);
});

test("the run that a recommendation names is found by formulation, integrator and tolerance or step", () => {
  const run = (formulation, integrator, tolerance, step = null) => ({ formulation, integrator, tolerance, step, failure: null });
  const outcomes = [run("projection", "dop853", 1e-8), run("baumgarte", "dop853", 1e-5), run("baumgarte", "dop853", 1e-8), run("minimal", "rk4", null, 0.1), run("minimal", "rk4", null, 0.05)];
  const found = (text) => outcomes.indexOf(recommended(outcomes, text));
  assert.equal(found("take `baumgarte` with `dop853` at tolerance 1e-8: the fastest; for long runs `projection`"), 2);
  assert.equal(found("take `projection` with `dop853` at tolerance 1e-8: the fastest"), 0);
  assert.equal(found("take `minimal` with `rk4` at step 0.05: the fastest"), 4);
  assert.equal(found("none of them follows the motion to its end: ask for tighter tolerances"), -1);
});
