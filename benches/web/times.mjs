// node benches/web/times.mjs CORE PROGRAM
//
// Ten runs, each the best of several: the native program, the core in WebAssembly with its interpreter, and with the modules
// that it writes. Times are those of the certificate: deriving, compiling and moving, without reading the model and without
// the second run that estimates the error.

import { compiled, native, runOf, start } from "../../tests/web/core.mjs";

const [core, program] = process.argv.slice(2);
const REPEATS = 9;
const RUNS = [
  ["double-pendulum", { t_end: "10" }],
  ["triple-pendulum", { t_end: "100", rtol: "1e-9" }],
  ["chain", { links: 20 }],
  ["elastic-pendulum", { t_end: "10" }],
  ["lorenz", { t_end: "40" }],
  ["four-bar", { t_end: "10" }],
  ["four-bar-bodies", { t_end: "10" }],
  ["slider-crank", { t_end: "5" }],
  ["scissor-lift", { t_end: "5" }],
  ["quick-return", { t_end: "5" }],
];

/** Milliseconds of a run, the best of several. */
async function best(answer, request) {
  let least = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const { certificate } = runOf(await answer(request));
    least = Math.min(least, 1000 * (certificate.preparation_seconds + certificate.seconds));
  }
  return least;
}

const module = compiled(core);
const { ask, end } = native(program);
console.log("| run | native, ms | interpreted, ms | with modules, ms | interpreted / native | with modules / native |");
console.log("|---|---|---|---|---|---|");
for (const [name, options, set] of RUNS) {
  const request = { do: "run", model: { name }, set: set ?? {}, options: { ...options, no_certify: "true" }, film: false };
  const outside = await best(ask, request);
  const interpreted = await best(start(module, { compiles: false }), request);
  const written = await best(start(module), request);
  const ratio = (time) => (time / outside).toFixed(1);
  const about = Object.entries({ ...set, ...options }).map(([key, value]) => `${key} ${value}`).join(", ");
  console.log(`| ${name}, ${about} | ${outside.toFixed(1)} | ${interpreted.toFixed(1)} | ${written.toFixed(1)} | ${ratio(interpreted)} | ${ratio(written)} |`);
}
end();
