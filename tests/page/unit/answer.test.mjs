import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, decodedColumns, orderBy } from "../../../crates/page/src/script/answer_table.js";
import { counted, sentence, shortNumber } from "../../../crates/page/src/script/prose.js";

const encoded = (...numbers) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");

test("columns come as numbers or as words", () => {
  const [values, words] = decodedColumns([{ name: "x", unit: "m", values: encoded(1.5, NaN) }, { name: "class", unit: "", texts: ["periodic", "chaotic"] }]);
  assert.deepEqual([...(values?.cells ?? [])], [1.5, NaN]);
  assert.deepEqual(words?.cells, ["periodic", "chaotic"]);
});

test("rows are sorted by value, and what is not known comes last both ways", () => {
  const column = { name: "x", unit: "", cells: [2, NaN, -1, 10] };
  assert.deepEqual(orderBy(column, false), [2, 0, 3, 1]);
  assert.deepEqual(orderBy(column, true), [3, 0, 2, 1]);
});

test("a file of comma-separated values keeps all digits and quotes what it must", () => {
  const columns = [{ name: "a,b", unit: "", cells: [0.1 + 0.2, NaN] }, { name: "word", unit: "", cells: ['say "it"', "plain"] }];
  assert.equal(csvOf(columns), '"a,b",word\n0.30000000000000004,"say ""it"""\n,plain\n');
});

test("numbers are written as people read them", () => {
  assert.deepEqual([0, -0.25, 1234567, 1.2345e-7, NaN, 22.192627523].map((value) => shortNumber(value)), ["0", "−0.25", "1.235×10⁶", "1.235×10⁻⁷", "–", "22.1926"]);
  assert.equal(shortNumber(-Infinity), "−∞");
});

test("messages of the core become sentences, and counts have their noun", () => {
  assert.equal(sentence("an operand is missing"), "An operand is missing.");
  assert.equal(sentence("`rtol` cannot be `x`"), "`rtol` cannot be `x`.");
  // names of files and quantities stay as they are
  for (const name of ["four-bar.toml: no such file", "theta' is not known", "link1 is loose", "t_end is before"]) assert.equal(sentence(name), `${name}.`);
  assert.equal(counted(1, "row"), "1 row");
  assert.equal(counted(0, "degree of freedom", "degrees of freedom"), "0 degrees of freedom");
});
