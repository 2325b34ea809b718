// Changes of a model's text in place.
import test from "node:test";
import assert from "node:assert/strict";
import { outlineOf } from "./toml_outline.mjs";
import { TextPatch, typed, written, writtenAngle } from "../../../crates/page/src/script/text_patch.js";
import { itemNamed, itemsOf, tableOf } from "../../../crates/page/src/script/text_outline.js";
import { splitPair } from "../../../crates/page/src/script/sketch_fields.js";

const TEXT = `# head
title = "T" # äöü 🙂

[parameters]   # all
L = 0.4        # crank
half = "L/2"

[ground]
points = { O = [0, 0], D = ["L", 0], E = [1, 1] }   # fixed

[[body]]
name = "crank"
length = "L"      # as long
mass = "2 kg"


[[body]]
name = "plate"
mass = 1
[body.points]
P = [1, 2]   # corner

[initial]
"crank_angle'" = 3
`;
const patch = () => new TextPatch(TEXT, outlineOf(TEXT));
/** What differs, line by line. */
const differing = (text) => {
  const [before, after] = [TEXT.split("\n"), text.split("\n")];
  return { gone: before.filter((line) => !after.includes(line)), come: after.filter((line) => !before.includes(line)) };
};

test("a value is replaced where it stands", () => {
  const its = patch();
  its.set(itemNamed(its.outline, "body", "plate"), "mass", "3");
  assert.deepEqual(differing(its.result()), { gone: ["mass = 1"], come: ["mass = 3"] });
});

test("a number behind the name of a parameter changes the parameter", () => {
  const its = patch();
  assert.ok(its.setNumber(itemNamed(its.outline, "body", "crank"), "length", 0.55));
  assert.deepEqual(differing(its.result()), { gone: ["L = 0.4        # crank"], come: ["L = 0.55       # crank"] });
  assert.deepEqual([...its.parameters], ["L"]);
});

test("a formula is left alone", () => {
  const its = patch();
  assert.equal(its.setNumber(tableOf(its.outline, "parameters"), "half", 7), false);
  assert.equal(its.result(), TEXT);
});

test("a new key goes behind the last one of its section, before tables with headings of their own", () => {
  const its = patch();
  its.set(itemNamed(its.outline, "body", "plate"), "inertia", "0.5");
  assert.match(its.result(), /mass = 1\ninertia = 0\.5\n\[body\.points\]/);
});

test("a new item goes behind the last of its kind, and a section of a new kind where it belongs", () => {
  const its = patch();
  its.add("body", [["name", '"link"'], ["mass", "1", "kg"]]);
  its.add("joint", [["name", '"J"']]);
  its.setIn("guess", "x", "1");
  const text = its.result();
  const order = [...text.matchAll(/^\[+([\w.]+)\]+/gm)].map((found) => found[1]);
  assert.deepEqual(order, ["parameters", "ground", "body", "body", "body.points", "body", "joint", "initial", "guess"]);
  assert.deepEqual(differing(text).gone, []);
  assert.match(text, /mass = 1 +# kg\n/);
});

test("points are added to inline tables and to tables with headings", () => {
  const its = patch();
  its.addPoint(undefined, "F", [2, 3]);
  its.addPoint(itemNamed(its.outline, "body", "plate"), "Q", [0.5, 0]);
  its.addPoint(itemNamed(its.outline, "body", "crank"), "M", [0.2, 0]);
  const text = its.result();
  assert.match(text, /E = \[1, 1\], F = \[2, 3\] } +# fixed/);
  assert.match(text, /P = \[1, 2\] {3}# corner\nQ = \[0\.5, 0\]\n/);
  assert.match(text, /mass = "2 kg"\npoints = { M = \[0\.2, 0\] }\n/);
});

test("points are taken out one by one, and the last one with its table", () => {
  const its = patch();
  const ground = tableOf(its.outline, "ground");
  its.removePoint(ground, "D");
  assert.match(its.result(), /points = { O = \[0, 0\], E = \[1, 1\] } +# fixed/);
  its.removePoint(ground, "E");
  assert.match(its.result(), /points = { O = \[0, 0\] } +# fixed/);
  its.removePoint(ground, "O");
  assert.doesNotMatch(its.result(), /points = {/);
});

test("an item goes with its lines and nothing else", () => {
  const its = patch();
  its.remove(itemNamed(its.outline, "body", "crank"));
  const { gone, come } = differing(its.result());
  assert.deepEqual(gone, ['name = "crank"', 'length = "L"      # as long', 'mass = "2 kg"']);
  assert.deepEqual(come, []);
  assert.equal(itemsOf(outlineOf(its.result()), "body").length, 1);
});

test("everything that is taken out and put back in one patch stays whole", () => {
  const its = patch();
  for (const body of itemsOf(its.outline, "body")) its.remove(body);
  its.add("body", [["name", '"new"']]);
  its.unset(tableOf(its.outline, "initial"), "crank_angle'");
  const after = outlineOf(its.result());
  assert.deepEqual(itemsOf(after, "body").map((item) => item.keys[0].value.json), ["new"]);
});

test("an empty text gets its first section without an empty line", () => {
  const its = new TextPatch("", []);
  its.add("body", [["name", '"a"']]);
  assert.equal(its.result(), '[[body]]\nname = "a"\n');
});

test("a text without a line break at its end is continued on a new line", () => {
  const text = 'title = "x"';
  const its = new TextPatch(text, outlineOf(text));
  its.add("body", [["name", '"a"']]);
  assert.equal(its.result(), 'title = "x"\n\n[[body]]\nname = "a"\n');
});

test("numbers have six digits and angles are degrees", () => {
  assert.deepEqual([Math.SQRT2, 1e-12, -0.1 - 0.2, 3, 1234567.8].map(written), ["1.41421", "0", "-0.3", "3", "1234570"]);
  assert.deepEqual([Math.PI / 3, 0, -Math.PI].map(writtenAngle), ['"60 deg"', "0", '"-180 deg"']);
});

test("what is typed into a field is a number or a formula in quotes", () => {
  assert.deepEqual(["2", ".5", "5.", "1e-3", "400 mm", 'a"b'].map(typed), ["2", "0.5", "5.0", "1e-3", '"400 mm"', '"a\\"b"']);
  assert.deepEqual(splitPair("atan2(1, 2), L"), ["atan2(1, 2)", "L"]);
  for (const wrong of ["1", "1,", "", ", 2"]) assert.equal(splitPair(wrong), null);
});
