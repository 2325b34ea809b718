import assert from "node:assert/strict";
import { test } from "node:test";
import { symbolMarkup, symbolText } from "../../../crates/page/src/script/symbol.js";

test("letters get their subscripts and dots", () => {
  assert.equal(symbolText("theta12'"), "θ\u0307₁₂");
  assert.equal(symbolText("x"), "x");
  assert.equal(symbolText("lambda_phi"), "λ φ");
  assert.equal(symbolMarkup("L2"), "<i>L</i><sub>2</sub>");
});

test("words stay words", () => {
  assert.equal(symbolText("crank_angle"), "crank angle");
  assert.equal(symbolText("left1_x'"), "left1 x′");
  assert.equal(symbolMarkup("kinetic"), "kinetic");
});

test("nothing in a name becomes an element", () => {
  assert.equal(symbolMarkup("<b>\"&'x"), "&#60;b&#62;&#34;&#38;&#39;x");
});
