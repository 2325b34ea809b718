import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { commandLine, modelWord, readExample, shellWord, shellWords } from "../../../crates/page/src/script/command_line.js";

const row = (key, kind, flag = key) => ({ key, flag, kind, valueName: "", unit: "", default: "", help: "" });
const ROWS = [row("over", "repeated"), row("columns", "words"), row("t_end", "number", "to"), row("linear", "switch"), row("from", "number")];

/** What a POSIX shell makes of a command line. */
const readByShell = (line) => execFileSync("sh", ["-c", `printf '%s\\0' ${line}`]).toString().split("\0").slice(0, -1);

test("a shell reads every word as it was meant", () => {
  const words = ["four-bar", "theta2'=12", "2*pi", "$HOME", "a b", 'say "it"', "it's $5", "\\", "`date`", "", "!x", "{a,b}", "~", "x\ny", "φ=1", "rod_*"];
  assert.deepEqual(readByShell(words.map(shellWord).join(" ")), words);
  assert.deepEqual(shellWords(words.filter((word) => word && !word.includes("\n")).map(shellWord).join(" ")), words.filter((word) => word && !word.includes("\n")));
});

test("words that need no quotation marks have none, and primes stand in double ones", () => {
  assert.equal(shellWord("f=0.05:2:79"), "f=0.05:2:79");
  assert.equal(shellWord("theta2'=12"), `"theta2'=12"`);
});

test("a question becomes the command that asks it", () => {
  const line = commandLine({
    command: ["analyze", "response"],
    model: "triple-pendulum",
    set: { "theta1'": "2" },
    rows: ROWS,
    options: { over: ["f=0.05:2:79", "R=0.5,1"], columns: ["x", "y"], t_end: "2 min", linear: true, from: "-90 deg", unknown: "1" },
  });
  assert.equal(
    line,
    `catena analyze response triple-pendulum --set "theta1'=2" --over f=0.05:2:79 --over R=0.5,1 --columns x,y --to '2 min' --linear '--from=-90 deg'`,
  );
});

test("what is left out or switched off is not written", () => {
  assert.equal(commandLine({ command: ["run"], model: "chain", rows: ROWS, options: { over: [], linear: false, t_end: "" } }), "catena run chain");
});

test("a ready system has its name, and one that was edited is a file", () => {
  const systems = [{ name: "chain", text: "[chain]" }];
  assert.deepEqual(modelWord({ name: "chain", text: "[chain]" }, systems), { word: "chain", isFile: false });
  assert.deepEqual(modelWord({ name: "chain", text: "[chain] " }, systems), { word: "chain.toml", isFile: true });
  assert.equal(modelWord({ name: "../-rf", text: "" }, systems).word, "..--rf.toml");
  assert.equal(modelWord({ name: "-rf", text: "" }, systems).word, "./-rf.toml");
});

test("an example is read back into options", () => {
  const example = `driven-pendulum --set drive=1.35 --over theta=-pi:pi:200 --over "theta'=-6:6:200" --linear --plot basins.png --from=-2`;
  assert.deepEqual(readExample(example, ROWS), {
    model: "driven-pendulum",
    set: { drive: "1.35" },
    options: { over: ["theta=-pi:pi:200", "theta'=-6:6:200"], linear: true, from: "-2" },
  });
});
