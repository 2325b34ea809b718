import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestedOptions } from "../../../crates/page/src/script/questions_examples.js";
import { misfit } from "../../../crates/page/src/script/questions_fit.js";
import { cellsOf, readRange, writeRange } from "../../../crates/page/src/script/range_text.js";

const row = (key, kind, valueName) => ({ key, flag: key, kind, valueName, unit: "", default: "", help: "" });
const OVER = row("over", "repeated", "NAME=RANGE");
const question = (example, options = [OVER]) => ({ name: "x", summary: "", needs: "", example, options, runOptions: [], defaults: {}, defaultModel: "", moves: false, parallel: false });
const SYSTEMS = [{ name: "shaken", text: '[parameters]\nf = 0.5\nR = 1 # friction\n[coordinates]\ntheta = "angle"\n' }];
const MODEL = {
  name: "mine",
  parameters: [{ name: "g", value: 9.81 }, { name: "c", value: 0.2 }, { name: "freq", value: 2 }],
  coordinates: [{ name: "phi" }, { name: "x" }],
  angles: ["phi"],
  states: [],
  given: ["phi"],
  freedom: 2,
};

test("ranges are read and written as the command line has them", () => {
  for (const text of ["f=0.05:2:79", "theta'=-6:6:200", "c=1e-3:1:10:log", "R=0.5,1", "drive=0.9:1.1"]) assert.equal(writeRange(readRange(text)), text);
  assert.equal(readRange("f = 1 : 2 : 3").count, "3");
});

test("a range that lacks its ends is not asked for", () => {
  assert.equal(writeRange({ name: "f", way: "steps", from: "1", to: "", count: "5", values: "" }), "");
  assert.equal(writeRange({ name: "", way: "values", from: "", to: "", count: "", values: "1,2" }), "");
});

test("cells are counted where counts are numbers", () => {
  assert.equal(cellsOf(["a=0:1:20", "b=1,2,3"]), 60);
  assert.equal(cellsOf(["a=0:1"]), null);
});

test("the example itself is taken for its own model, with as many points as a first look needs", () => {
  const own = { ...MODEL, name: "shaken" };
  assert.deepEqual(suggestedOptions(question("shaken --over f=0.05:2:30 --over R=0.5,1"), own, SYSTEMS), { over: ["f=0.05:2:30", "R=0.5,1"] });
  assert.deepEqual(suggestedOptions(question("shaken --over f=0.05:2:600"), own, SYSTEMS), { over: ["f=0.05:2:60"] });
});

test("for another model ranges are scaled to its own parameters, a frequency for a frequency", () => {
  assert.deepEqual(suggestedOptions(question("shaken --over f=0.05:2:79"), MODEL, SYSTEMS), { over: ["freq=0.2:8:60"] });
  assert.deepEqual(suggestedOptions(question("shaken --over f=0.05:2:79 --over R=0.5,1"), MODEL, SYSTEMS), { over: ["freq=0.2:8:40", "c=0.1,0.2"] });
});

test("values at the start become those of the model, rates stay rates", () => {
  assert.deepEqual(suggestedOptions(question(`shaken --over theta=-pi:pi:200 --over "theta'=-6:6:200"`), MODEL, SYSTEMS), { over: ["phi=-pi:pi:40", "phi'=-6:6:40"] });
});

test("a range of angles is not carried over to a length", () => {
  assert.deepEqual(suggestedOptions(question('shaken --over "theta=10 deg,45 deg"'), { ...MODEL, angles: [] }, SYSTEMS), {});
});

test("nothing is suggested where the model has nothing of the kind", () => {
  assert.deepEqual(suggestedOptions(question("shaken --over f=0.05:2:79"), { ...MODEL, parameters: [{ name: "g", value: 9.81 }] }, SYSTEMS), {});
});

test("a drive is suggested unless motors leave nothing to drive", () => {
  const drive = question("shaken --drive theta", [row("drive", "word", "COORDINATE")]);
  assert.deepEqual(suggestedOptions(drive, MODEL, SYSTEMS), { drive: "phi" });
  assert.deepEqual(suggestedOptions(drive, { ...MODEL, freedom: 0 }, SYSTEMS), {});
});

test("a question that cannot be asked about a model says why", () => {
  const reply = (diagnosis, outline = []) => ({ problems: [], warnings: [], about: {}, outline, diagnosis: { coordinates: 2, constraints: 0, states: 0, freedom_by_rank: 2, freedom_by_count: 2, ...diagnosis } });
  const formula = (section, json) => ({ section, keys: [{ key: "theta", value: { json } }] });
  const drive = "one degree of freedom to drive, or motors";
  assert.match(misfit(drive, reply({})), /2 degrees of freedom/);
  assert.equal(misfit(drive, reply({ freedom_by_rank: 1 })), "");
  assert.equal(misfit(drive, reply({ freedom_by_rank: 0 })), "");
  assert.match(misfit(drive, reply({ coordinates: 0, states: 3 })), /no coordinates/);
  const frequency = "a drive with a frequency among the parameters";
  assert.match(misfit(frequency, reply({}, [formula("forces", "m*theta'' + theta"), { section: "run", keys: [{ key: "t_end", value: { json: 5 } }] }])), /time t/);
  assert.equal(misfit(frequency, reply({}, [formula("forces", "A*cos(Omega*t)")])), "");
  assert.match(misfit("constraints", reply({})), /no constraints/);
  assert.match(misfit("a chain of links", reply({})), /no chain/);
  assert.equal(misfit("a chain of links", reply({}, [{ section: "chain", keys: [{ key: "links", value: { json: 5 } }] }])), "");
  assert.match(misfit("a motion that goes on", reply({ freedom_by_rank: 0 })), /prescribe/);
  // nobody knows yet
  assert.equal(misfit(drive, null), "");
});
