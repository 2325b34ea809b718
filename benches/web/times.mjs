// node --single-threaded benches/web/times.mjs CORE PROGRAM
//
// Ten runs: the native program, the core in WebAssembly with its interpreter, and with the modules that it writes. Times are
// those of the processor for a whole request, from reading the model to the reply in JSON, without the second run that
// estimates the error; the mean of many, after the first ones, in which a browser compiles the core. Linux alone counts
// the time of the native program.

import { readFileSync } from "node:fs";
import { compiled, native, runOf, start } from "../../tests/web/core.mjs";

const [core, program] = process.argv.slice(2);
/** Requests that are not counted, and milliseconds of those that are. */
const FIRST = 6;
const COUNTED = 1000;
/** Milliseconds of a tick of the clock of processes. */
const TICK = 10;
const RUNS = [
  ["double-pendulum", { t_end: "10" }],
  ["triple-pendulum", { t_end: "100", rtol: "1e-9" }],
  ["chain", { t_end: "5" }, { links: "20" }],
  ["elastic-pendulum", { t_end: "10" }],
  ["lorenz", { t_end: "40" }],
  ["four-bar", { t_end: "10" }],
  ["four-bar-bodies", { t_end: "10" }],
  ["slider-crank", { t_end: "5" }],
  ["scissor-lift", { t_end: "5" }],
  ["quick-return", { t_end: "5" }],
];

/** Milliseconds of the processor for a request. */
async function time(answer, spent, request) {
  for (let at = 0; at < FIRST; at += 1) runOf(await answer(request));
  const before = spent();
  let count = 0;
  while (spent() - before < COUNTED) {
    runOf(await answer(request));
    count += 1;
  }
  return (spent() - before) / count;
}

function spentHere() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What a process has spent; its name is in parentheses and may have blanks. */
function spentBy(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

const module = compiled(core);
const { ask, pid, end } = native(program);
console.log("| run | native, ms | interpreted, ms | with modules, ms | interpreted / native | with modules / native |");
console.log("|---|---|---|---|---|---|");
for (const [name, options, set] of RUNS) {
  const request = { do: "run", model: { name }, set: set ?? {}, options: { ...options, no_certify: "true" }, film: false };
  const outside = await time(ask, () => spentBy(pid), request);
  const interpreted = await time(start(module, { compiles: false }), spentHere, request);
  const written = await time(start(module), spentHere, request);
  const ratio = (time) => (time / outside).toFixed(1);
  const about = Object.entries({ ...set, ...options }).map(([key, value]) => `${key} ${value}`).join(", ");
  console.log(`| ${name}, ${about} | ${outside.toFixed(1)} | ${interpreted.toFixed(1)} | ${written.toFixed(1)} | ${ratio(interpreted)} | ${ratio(written)} |`);
}
end();
