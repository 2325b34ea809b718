import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_FILE_LENGTH, readFile, viewFile } from "../../../crates/page/src/script/view_file.js";
import { emptyState } from "../../../crates/page/src/script/store.js";

const state = { ...emptyState(), model: { name: "mine", text: "title = \"x\"" }, set: { a: "1" }, view: "compare", theme: "dark" };

test("a view that was saved reopens as it was", () => {
  const { theme, ...rest } = state;
  assert.deepEqual(readFile("mine.catena.json", viewFile(state)), { state: rest });
});

test("other texts are models, named after their files", () => {
  assert.deepEqual(readFile("four.bar.toml", "title = 1"), { model: { name: "four.bar", text: "title = 1" } });
  assert.deepEqual(readFile("empty", ""), { model: { name: "empty", text: "" } });
});

test("what is neither is refused with a sentence", () => {
  const message = (name, text) => readFile(name, text).error.message;
  assert.equal(message("a.png", "\x89PNG\0"), "a.png is no text");
  assert.equal(message("a.json", "{"), "a.json is no JSON that can be read");
  assert.equal(message("a.json", "{}"), "a.json is JSON, but no view of Catena");
  assert.equal(message("a.json", "{\"catena\":\"view\",\"version\":99}"), "a.json was saved by a newer Catena");
  assert.equal(message("a.json", "{\"catena\":\"view\",\"version\":1,\"state\":{\"view\":3}}"), "a.json is damaged: it is no complete view");
  assert.equal(message("big.toml", "x".repeat(MAX_FILE_LENGTH + 1)), "big.toml has 2.0 million characters");
});
