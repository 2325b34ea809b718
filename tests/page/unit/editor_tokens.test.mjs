import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_LINE, formulaTokens, linesOf, scanLine } from "../../../crates/page/src/script/editor_tokens.js";

/** The tokens of a line as pairs of kind and text. */
const kinds = (line, state = FIRST_LINE) => scanLine(line, state).tokens.map(({ from, to, kind }) => [kind, line.slice(from, to)]);
const inSection = (section) => ({ ...FIRST_LINE, section });

test("a key, its value and a remark are told apart", () => {
  assert.deepEqual(kinds("m = 2.5e-3  # kg", inSection("parameters")), [
    ["key", "m"],
    ["operator", "="],
    ["number", "2.5e-3"],
    ["comment", "# kg"],
  ]);
});

test("a formula inside of quotation marks has tokens of its own, and units stand behind numbers only", () => {
  assert.deepEqual(kinds(`tip = "l1*cos(theta1') + 30 mm"`, inSection("definitions")).slice(2), [
    ["string", '"'],
    ["name", "l1"],
    ["operator", "*"],
    ["function", "cos"],
    ["operator", "("],
    ["name", "theta1'"],
    ["operator", ")"],
    ["operator", "+"],
    ["number", "30"],
    ["unit", "mm"],
    ["string", '"'],
  ]);
});

test("degrees may stand behind a parenthesis", () => {
  assert.equal(formulaTokens("(45 + 15) deg").at(-1)?.kind, "unit");
});

test("a text for people is one string, whatever stands in it", () => {
  assert.deepEqual(kinds('title = "2*x # no remark"').slice(2), [
    ["string", '"'],
    ["string", "2*x # no remark"],
    ["string", '"'],
  ]);
});

test("a number sign inside of a string begins no remark, and an escaped mark does not end it", () => {
  assert.equal(kinds('title = "a \\" # b" # c').at(-1)?.[1], "# c");
});

test("headings name their section for the lines that follow", () => {
  const lines = linesOf('[[body]]\nname = "crank"\n[chain.pivot]\nx = 1');
  assert.deepEqual(lines.map(({ state }) => state.section), ["", "body", "body", "chain.pivot"]);
  assert.equal(lines[1]?.state.isItem, true);
  assert.equal(lines[3]?.state.isItem, false);
});

test("keys of inline tables know what they stand in", () => {
  const { keys } = scanLine('points = { O = [0, 0], D = ["L1", 0] }', inSection("ground"));
  assert.deepEqual(keys.map(({ path }) => path), [["points"], ["points", "O"], ["points", "D"]]);
});

test("a list over several lines stays a value until its bracket closes", () => {
  const lines = linesOf('[draw]\nrod = [["0", "0"],\n  ["x", "y"]]\nm = 1');
  assert.equal(lines[2]?.state.expects, "value");
  assert.deepEqual(lines[2]?.state.path, ["rod"]);
  assert.equal(lines[3]?.state.expects, "key");
});

test("a string of three marks goes on over the ends of lines", () => {
  const lines = linesOf('description = """one\ntwo # three\n""" # four\ntitle = "x"');
  assert.equal(lines[1]?.state.quote, '"""');
  assert.deepEqual(kinds("two # three", lines[1]?.state), [["string", "two # three"]]);
  assert.equal(lines[3]?.state.expects, "key");
});

test("counters of copies belong to the name that they stand in", () => {
  assert.deepEqual(formulaTokens("rod{i+1}_x*{n}").map(({ kind }) => kind), ["name", "operator", "copy"]);
});

test("no line loses or repeats a letter, whatever is typed", () => {
  const pieces = ['"', "'", "[", "]", "{", "}", "=", "#", ",", " ", "a", "1", "'''", '"""', "\\", "."];
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  let state = FIRST_LINE;
  for (let round = 0; round < 3000; round++) {
    const line = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
    const scanned = scanLine(line, state);
    let end = 0;
    for (const { from, to } of scanned.tokens) {
      assert.ok(from >= end && to > from && to <= line.length, JSON.stringify({ line, tokens: scanned.tokens }));
      end = to;
    }
    state = round % 20 ? scanned.state : FIRST_LINE;
  }
});
