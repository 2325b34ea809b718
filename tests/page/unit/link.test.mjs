import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { LinkError, MAX_LINK_LENGTH, MAX_UNPACKED_SIZE, isLink, linkOf, stateOfLink } from "../../../crates/page/src/script/link.js";
import { emptyState } from "../../../crates/page/src/script/store.js";
import { STATE_VERSION } from "../../../crates/page/src/script/types.js";

const state = Object.freeze({
  ...emptyState(),
  model: { name: "mine", text: "title = \"Größe 😀\"\n[parameters]\nφ = 1\n" },
  set: { "theta2'": "12", L: "0.8" },
  run: { rtol: "1e-8", with: ["omega=10", "norm=max"], linear: true },
  view: "questions",
  plots: ["energy", "theta1'"],
  speed: 0.5,
  time: 1.25,
  ask: { question: "modes", options: { count: "3" } },
  theme: "dark",
});
const packed = (value) => `${STATE_VERSION}.${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;
const message = async (link) => {
  const error = await stateOfLink(link).then(() => null, (reason) => reason);
  assert.ok(error instanceof LinkError, `${error}`);
  assert.match(error.help, /./);
  return error.message;
};

test("a link brings back everything but the reader's own colours", async () => {
  const { theme, ...rest } = state;
  const link = await linkOf(state);
  assert.match(link, /^\d+\.[\w-]+$/);
  assert.deepEqual(await stateOfLink(link), rest);
});

test("a link is shorter than what it holds", async () => {
  const long = { ...state, model: { name: "long", text: "x = \"a*sin(b)\"\n".repeat(1000) } };
  assert.ok((await linkOf(long)).length < 1500);
});

test("what a link leaves out is as in a new page", async () => {
  const opened = await stateOfLink(packed({ model: { name: "a", text: "b" } }));
  assert.deepEqual(opened.show, emptyState().show);
  assert.equal(opened.view, "gallery");
});

test("other fragments are no links", () => {
  for (const fragment of ["", "main", "v1", "1", "1e5"]) assert.equal(isLink(fragment), false, fragment);
  assert.equal(isLink("1.abc"), true);
  assert.equal(isLink("17.abc"), true);
});

test("every truncation of a link is damaged, never something else", async () => {
  const link = await linkOf(state);
  for (let length = 2; length < link.length; length += 7) assert.match(await message(link.slice(0, length)), /^this link is damaged: /);
});

test("a link with a wrong letter anywhere is opened or refused, and nothing else happens", async () => {
  const link = await linkOf(state);
  for (let at = 2; at < link.length; at += 5) {
    const other = link[at] === "A" ? "B" : "A";
    await stateOfLink(link.slice(0, at) + other + link.slice(at + 1)).catch((error) => assert.ok(error instanceof LinkError, `${error}`));
  }
});

test("characters that links do not have are named", async () => {
  assert.equal(await message("1.ab cd"), "this link is damaged: it has characters that links do not have");
  assert.equal(await message("1.<script>"), "this link is damaged: it has characters that links do not have");
});

test("what is no state is refused", async () => {
  for (const value of [null, 1, [], "text", { model: "four-bar" }, { set: { a: 1 } }, { view: "elsewhere" }, { extra: 1 }, { time: "1" }, { run: { a: { b: 1 } } }, { plots: "a" }, { model: { name: "a", text: "b", more: 1 } }, { theme: "pink" }]) {
    assert.equal(await message(packed(JSON.stringify(value))), "this link is damaged: what is in it is no view of Catena", JSON.stringify(value));
  }
  assert.equal(await message(packed('{"__proto__":{"x":1}}')), "this link is damaged: what is in it is no view of Catena");
  assert.equal(await message(packed("{")), "this link is damaged: what is in it cannot be read");
  assert.equal({}.x, undefined);
});

test("a link of a newer version says so", async () => {
  assert.match(await message(`${STATE_VERSION + 1}.abcd`), /^this link was made by a newer Catena/);
});

test("a bomb is stopped on its way", async () => {
  const bomb = packed(JSON.stringify({ model: { name: "a", text: " ".repeat(60_000_000) } }));
  assert.ok(bomb.length < MAX_LINK_LENGTH);
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(await message(bomb), `this link unpacks to more than ${MAX_UNPACKED_SIZE / 1e6} MB, which no view of Catena does`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 40_000_000);
});

test("a link that is too long is not even unpacked", async () => {
  assert.equal(await message(`1.${"A".repeat(MAX_LINK_LENGTH + 1)}`), "this link is too long to be a view of Catena");
});
