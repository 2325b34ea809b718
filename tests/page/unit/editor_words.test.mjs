// Words of the language that the editor knows by itself: they are those of the reader.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { DRAWINGS } from "../../../crates/page/src/script/editor_completions.js";
import { JOINT_TYPES } from "../../../crates/page/src/script/editor_knowledge.js";
import { linesOf } from "../../../crates/page/src/script/editor_tokens.js";

const root = new URL("../../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

test("every type of joint is offered", () => {
  const folder = "crates/model/src/mechanism/joints/";
  const names = readdirSync(new URL(folder, root)).flatMap((file) => [...read(folder + file).matchAll(/^ {4}name: "([\w-]+)",$/gm)].map(([, name]) => name));
  assert.deepEqual([...JOINT_TYPES].sort(), names.sort());
});

test("every kind of drawing is offered", () => {
  const row = /\| `as` \| (.*) \|/.exec(read("book/model-files.md"))?.[1] ?? "";
  for (const name of DRAWINGS) assert.ok(row.includes(`\`${name}\``), `${name} is described in the book`);
  assert.deepEqual([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name), DRAWINGS);
});

test("every ready system is cut into tokens without an open end", () => {
  const folder = "crates/systems/models/";
  for (const file of readdirSync(new URL(folder, root))) {
    const lines = linesOf(read(folder + file));
    const last = lines[lines.length - 1];
    assert.deepEqual([last?.state.open.length, last?.state.quote, last?.state.expects], [0, "", "key"], file);
    for (const { line, scanned } of lines) {
      if (/^\s*#/.test(line)) assert.deepEqual(scanned.tokens.map(({ kind }) => kind), ["comment"], `${file}: ${line}`);
      if (/^\[/.test(line)) assert.equal(scanned.tokens[0]?.kind, "section", `${file}: ${line}`);
      for (const { kind } of scanned.tokens.slice(0, 1)) assert.ok(["comment", "section", "key", "operator", "string", "name", "number", "function"].includes(kind), `${file}: ${line}`);
    }
  }
});
