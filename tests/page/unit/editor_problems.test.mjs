import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOn } from "../../../crates/page/src/script/editor_overlay.js";
import { changeBetween, findingsOf, marksOf } from "../../../crates/page/src/script/editor_problems.js";

const problem = (from, to, source = "model") => ({ message: "wrong", help: "", place: { source, from, to, line: 1, column: 1 } });
const reply = (...problems) => ({ problems, warnings: [] });

test("the one piece in which texts differ is found, also where letters repeat", () => {
  assert.deepEqual(changeBetween("abc", "abXc"), { start: 2, oldEnd: 2, newEnd: 3 });
  assert.deepEqual(changeBetween("aaa", "aa"), { start: 2, oldEnd: 3, newEnd: 2 });
  assert.deepEqual(changeBetween("", ""), { start: 0, oldEnd: 0, newEnd: 0 });
});

test("problems move along with what is typed before them, and stay where something is typed behind them", () => {
  const [before, behind] = findingsOf(reply(problem(0, 2), problem(8, 10)), "ab......cd", "ab...XYZ...cd");
  assert.deepEqual([before?.from, before?.to, behind?.from, behind?.to], [0, 2, 11, 13]);
});

test("no place lies beyond the end of a text that became shorter", () => {
  for (const { from, to } of findingsOf(reply(problem(3, 9), problem(9, 9)), "abcdefghij", "abc")) assert.ok(0 <= from && from <= to && to <= 3);
});

test("a problem of a value beyond the text has no place in it, and names the value", () => {
  const [finding] = findingsOf(reply(problem(0, 2, "L9=1")), "text", "text");
  assert.equal(finding?.setting, "L9=1");
  assert.deepEqual(marksOf(finding ? [finding] : []), []);
});

test("a mark over several lines is underlined on each, and an empty one takes a letter", () => {
  const mark = (from, to) => ({ from, to, tone: "wrong", problem: 0 });
  const places = (marks) => marks.map(({ from, to }) => [from, to]);
  assert.deepEqual(places(marksOn([mark(2, 12)], 0, 5)), [[2, 5]]);
  assert.deepEqual(places(marksOn([mark(2, 12)], 6, 20)), [[0, 6]]);
  assert.deepEqual(places(marksOn([mark(5, 5)], 0, 5)), [[4, 5]], "at the end of a line");
  assert.deepEqual(places(marksOn([mark(6, 6)], 6, 9)), [[0, 1]], "at the beginning of one");
  assert.deepEqual(places(marksOn([mark(6, 6)], 6, 6)), [], "an empty line has no letter");
});

test("what is not finished is no mistake: nothing is underlined for it", () => {
  const messages = ["the model is empty: it has no bodies", "nothing joins `link1` to the ground", "the mass of `link1` is -1"];
  const findings = findingsOf(reply(...messages.map((message) => ({ ...problem(0, 4), message }))), "text", "text");
  assert.deepEqual(findings.map(({ tone }) => tone), ["next", "next", "wrong"]);
  assert.deepEqual(marksOf(findings).map((mark) => mark.problem), [2]);
});
