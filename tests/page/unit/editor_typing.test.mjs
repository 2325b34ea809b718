import assert from "node:assert/strict";
import { test } from "node:test";
import { indented, paired, unpaired } from "../../../crates/page/src/script/editor_typing.js";

/** A text with its selection between bars; one bar is a caret. */
function selected(marked) {
  const from = marked.indexOf("|");
  const last = marked.lastIndexOf("|");
  return { text: marked.replaceAll("|", ""), from, to: last === from ? from : last - 1 };
}

function shown(result) {
  if (!result) return null;
  const { text, from, to } = result;
  return from === to ? `${text.slice(0, from)}|${text.slice(from)}` : `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
}

test("lines of the selection are indented together and come back", () => {
  assert.equal(shown(indented(selected("a\nb|c\nd|e"), false)), "a\n  b|c\n  d|e");
  assert.equal(shown(indented(selected("a\n  b|c\n  d|e"), true)), "a\nb|c\nd|e");
  assert.equal(shown(indented(selected("|a"), true)), "|a");
});

test("a quotation mark brings its partner, and typing that one steps over it", () => {
  assert.equal(shown(paired(selected("x = |"), '"')), 'x = "|"');
  assert.equal(shown(paired(selected('x = "a|"'), '"')), 'x = "a"|');
});

test("no partner comes where a letter follows, behind a letter, or inside of a remark", () => {
  assert.equal(paired(selected("x = |y"), '"'), null);
  assert.equal(paired(selected("x|"), '"'), null);
  assert.equal(paired(selected("# say |"), '"'), null);
  assert.equal(paired(selected('x = "a |'), '"'), null);
});

test("marks are put around a selection on one line", () => {
  assert.equal(shown(paired(selected("x = |a + b|"), '"')), 'x = "|a + b|"');
  assert.equal(paired(selected("x = |a\nb|"), '"'), null);
});

test("a closing bracket that was not opened is a letter like any other", () => {
  assert.equal(paired(selected("a|]"), "]"), null);
  assert.equal(shown(paired(selected("[a|]"), "]")), "[a]|");
});

test("an empty pair goes away with its first mark", () => {
  assert.equal(shown(unpaired(selected('x = "|"'))), "x = |");
  assert.equal(unpaired(selected('x = "a|"')), null);
});
