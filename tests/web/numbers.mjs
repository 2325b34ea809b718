// node tests/web/numbers.mjs CORE PROGRAM
//
// The numbers of the core in WebAssembly: against the native program, to 1e-9 over 5 s of regular motions; compiled against
// interpreted, bit for bit; sines and cosines against those of Node, in units of the last place.

import assert from "node:assert/strict";
import { compiled, floats, native, runOf, start } from "./core.mjs";

const [core, program] = process.argv.slice(2);
const module = compiled(core);
const REGULAR = ["single-pendulum", "four-bar", "slider-crank-bodies", "scissor-lift", "quick-return"];
const MAX_DIFFERENCE = 1e-9;
const MAX_ULPS = 2;

/** Largest difference of two columns, relative to the largest number in them. */
function difference(one, other) {
  assert.equal(one.length, other.length);
  const size = one.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0) / size;
}

async function againstNative() {
  const { ask, end } = native(program);
  const answer = start(module);
  for (const name of REGULAR) {
    const request = { do: "run", model: { name }, options: { t_end: "5" }, film: false };
    const [inside, outside] = [runOf(answer(request)), runOf(await ask(request))];
    assert.deepEqual(inside.columns.map((column) => column.name), outside.columns.map((column) => column.name));
    let worst = { difference: 0, name: "" };
    for (const [at, column] of inside.columns.entries()) {
      if (!column.values) continue;
      const found = difference(floats(column.values), floats(outside.columns[at].values));
      if (!(found <= worst.difference)) worst = { difference: found, name: column.name };
    }
    console.log(`${name}: differs from native by ${worst.difference.toExponential(1)} in ${worst.name || "nothing"}`);
    assert.ok(worst.difference <= MAX_DIFFERENCE, name);
  }
  end();
}

/** Every function of formulas, of an angle that grows. */
function everyFunction(functions) {
  const arguments_ = { atan2: "sin(x), cos(x)", dsinc: "2, x", min: "x, 3", max: "x, 3", asin: "sin(x)/2", acos: "sin(x)/2", log: "1 + x", sqrt: "x" };
  const outputs = functions.map((name) => `f_${name} = "${name}(${arguments_[name] ?? "x/10"})"`);
  return `title = "Functions"\n[states]\nx = "1"\ny = "sin(x)^2.5 + x^1.3 - exp(-x)*cos(3*x)"\n[initial]\nx = 0.1\ny = 0\n[outputs]\n${outputs.join("\n")}\n[run]\nt_end = 5\nevery = 0.001\n`;
}

function compiledAgainstInterpreted() {
  const catalogue = start(module)({ do: "catalogue" }).reply;
  const models = catalogue.systems.map(({ name }) => ({ name }));
  models.push({ name: "functions", text: everyFunction(catalogue.functions) });
  for (const model of models) {
    const request = { do: "run", model, options: { t_end: "2" }, film: false };
    const [compiledRun, interpreted] = [true, false].map((compiles) => runOf(start(module, { compiles })(request)));
    assert.deepEqual(compiledRun.columns, interpreted.columns, `${model.name}: compiled and interpreted bits differ`);
  }
  console.log(`${models.length} models: compiled and interpreted runs agree in every bit`);
}

/** Distance in units of the last place of the expected number. */
function ulps(value, expected) {
  const bits = new BigInt64Array(new Float64Array([Math.abs(expected)]).buffer);
  const next = new Float64Array(new BigInt64Array([bits[0] + 1n]).buffer)[0];
  return Math.abs(value - expected) / (next - Math.abs(expected));
}

function sines() {
  for (const reach of [0.7, 3, 100, 1e4, 9.9e4, 1e6]) {
    const text = `title = "Sines"\n[parameters]\nreach = ${reach}\n[states]\nx = "1"\n[initial]\nx = 0\n[outputs]\nangle = "reach*x"\ns = "sin(angle)"\nc = "cos(angle)"\n[run]\nt_end = 1\nevery = 1e-5\n`;
    const { columns } = runOf(start(module)({ do: "run", model: { name: "sines", text }, options: { no_certify: "true" }, film: false }));
    const [angle, s, c] = ["angle", "s", "c"].map((name) => floats(columns.find((column) => column.name === name).values));
    let worst = 0;
    for (let at = 0; at < angle.length; at += 1) {
      for (const [value, expected] of [[s[at], Math.sin(angle[at])], [c[at], Math.cos(angle[at])]]) {
        // near a zero of the function its own last place is the wrong measure
        if (Math.abs(expected) > 1e-9) worst = Math.max(worst, ulps(value, expected));
        else assert.ok(Math.abs(value - expected) < 1e-25);
      }
    }
    console.log(`sines and cosines up to ${reach}: ${angle.length} angles, at most ${worst.toFixed(2)} units of the last place`);
    assert.ok(worst <= MAX_ULPS);
  }
}

await againstNative();
compiledAgainstInterpreted();
sines();
