import assert from "node:assert/strict";
import { test } from "node:test";
import { completionsOf } from "../../../crates/page/src/script/editor_completions.js";
import { contextAt } from "../../../crates/page/src/script/editor_context.js";
import { partsOf } from "../../../crates/page/src/script/editor_outline.js";

const SECTIONS = [
  { heading: "title", keys: [] },
  { heading: "[parameters]", keys: [] },
  { heading: "[coordinates]", keys: ["text", "angle"] },
  { heading: "[energy]", keys: ["kinetic", "potential", "dissipation"] },
  { heading: "[initial]", keys: [] },
  { heading: "[events]", keys: ["when", "direction", "terminal"] },
  { heading: "[[body]]", keys: ["name", "mass", "length", "points"] },
  { heading: "[[joint]]", keys: ["name", "type", "between"] },
];

/** What is offered at the bar `|` of a text. */
function offered(marked, names = []) {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const context = contextAt(text, caret);
  if (!context) return [];
  const knowledge = {
    parts: partsOf(text),
    sections: SECTIONS,
    functions: ["sin", "cos", "sqrt"],
    units: ["mm", "ms", "deg"],
    formulations: ["minimal", "projection"],
    integrators: ["dop853"],
    joints: ["revolute", "prismatic"],
    names,
  };
  return completionsOf(context, knowledge).map(({ insert }) => insert);
}

const MECHANISM = `[parameters]
L1 = 1
[ground]
points = { O = [0, 0], D = ["L1", 0] }
[[body]]
name = "crank"
mass = 1
length = 0.4
points = { P = [0.1, 0.2] }
`;

test("behind a bracket the sections are offered that are not there yet", () => {
  assert.deepEqual(offered("[parameters]\na = 1\n[|"), ["[coordinates]", "[energy]", "[initial]", "[events]", "[[body]]", "[[joint]]"]);
  assert.deepEqual(offered("[ene|]"), ["[energy]"]);
  assert.deepEqual(offered("[[jo|"), ["[[joint]]"]);
});

test("what replaces a heading takes its closing brackets along", () => {
  const context = contextAt("[[bo]]\n", 4);
  assert.deepEqual([context?.from, context?.to], [0, 6]);
});

test("in a section its keys are offered, without those that are there", () => {
  assert.deepEqual(offered('[energy]\nkinetic = "1"\n|'), ["potential = ", "dissipation = "]);
  assert.deepEqual(offered('[[body]]\nname = "a"\n[[body]]\n|'), ["name = ", "mass = ", "length = ", "points = "]);
});

test("names of the user's own are not invented", () => {
  assert.deepEqual(offered("[parameters]\n|"), []);
  assert.deepEqual(offered('title = "|"'), []);
  assert.deepEqual(offered('[[body]]\nname = "|"'), []);
});

test("initial values are coordinates and their rates, in quotation marks where they have a prime", () => {
  assert.deepEqual(offered('[coordinates]\nphi = "angle"\n[initial]\nph|'), ["phi = ", '"phi\'" = ']);
  assert.deepEqual(offered('[coordinates]\nphi = "angle"\n[initial]\n"ph|"'), ["phi = ", '"phi\'" = ']);
});

test("formulas know parameters, coordinates, functions and points of bodies", () => {
  assert.deepEqual(offered(`${MECHANISM}[outputs]\nx = "2*crank_|"`), [
    "crank_x",
    "crank_y",
    "crank_angle",
    "crank_A_x",
    "crank_A_y",
    "crank_B_x",
    "crank_B_y",
    "crank_P_x",
    "crank_P_y",
  ]);
  assert.deepEqual(offered(`${MECHANISM}[outputs]\nx = "L|"`).slice(0, 1), ["L1"]);
  assert.deepEqual(offered('[outputs]\nx = "s|"'), ["sin()", "sqrt()"]);
});

test("names that the model had when it could last be read are offered too", () => {
  assert.deepEqual(offered('[outputs]\nx = "spring1_l|"', [{ name: "spring1_length", detail: "definition" }]), ["spring1_length"]);
});

test("behind a number there are units, and inside of one there is nothing", () => {
  assert.deepEqual(offered('[parameters]\nl = "400 m|"'), ["mm", "ms"]);
  assert.deepEqual(offered('[parameters]\nl = "(1 + 2) d|"'), ["deg"]);
  assert.deepEqual(offered('[parameters]\nl = "40|"'), []);
});

test("ends of joints are points of bodies and of the ground", () => {
  assert.deepEqual(offered(`${MECHANISM}[[joint]]\nbetween = ["ground.|", "crank.A"]`), ["ground.O", "ground.D"]);
  assert.deepEqual(offered(`${MECHANISM}[[joint]]\nbetween = ["ground.O", "cr|"]`), ["crank.A", "crank.B", "crank.P", "crank"]);
});

test("types of joints and methods are offered with and without quotation marks", () => {
  assert.deepEqual(offered('[[joint]]\ntype = "re|"'), ["revolute"]);
  assert.deepEqual(offered("[[joint]]\ntype = |"), ['"revolute"', '"prismatic"']);
  assert.deepEqual(offered('[run]\nintegrator = "|"'), ["auto", "dop853"]);
});

test("keys of inline tables are offered where the language has some", () => {
  assert.deepEqual(offered("[events]\nhit = { |"), ["when = ", "direction = ", "terminal = "]);
  assert.deepEqual(offered('[events]\nhit = { when = "x", t|'), ["terminal = "]);
  assert.deepEqual(offered('[events]\nhit = { when = "x", terminal = |'), ["true", "false"]);
});

test("remarks, and what stands behind a value, are left alone", () => {
  assert.deepEqual(offered("[energy]\n# kin|"), []);
  assert.deepEqual(offered("[energy]\nkinetic |"), []);
  assert.deepEqual(offered('[energy]\nkinetic = "1" |'), []);
});
