import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What a browser brings, as far as it is needed here. */
class FakeStorage {
  constructor(most = Infinity) { this.items = new Map(); this.most = most; }
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, text) {
    if (text.length > this.most) throw new DOMException("full", "QuotaExceededError");
    this.items.set(key, text);
  }
}

let leave = () => {};
globalThis.window = { addEventListener: (event, listener) => { if (event === "pagehide") leave = listener; } };
const { remembered, rememberer } = await import("../../../crates/page/src/script/memory.js");
const { emptyState } = await import("../../../crates/page/src/script/store.js");

const kept = (name, more = {}) => ({ state: { ...emptyState(), model: { name, text: "" } }, done: [], undone: [], trusted: true, ...more });
const step = (name, text = "") => ({ label: "rename", before: { model: { name: "", text } }, after: { model: { name, text } } });
const write = (what) => {
  rememberer(() => what)();
  leave();
};

beforeEach(() => {
  globalThis.sessionStorage = new FakeStorage();
  globalThis.localStorage = new FakeStorage();
});

test("what was written is remembered, steps and trust with it", () => {
  const what = kept("a", { done: [step("a")], undone: [{ ...step("b"), trust: [true, false] }], trusted: false });
  write(what);
  assert.deepEqual(remembered(), what);
});

test("a tab remembers its own, a new one what was written last", () => {
  write(kept("first"));
  const first = globalThis.sessionStorage;
  globalThis.sessionStorage = new FakeStorage();
  assert.equal(remembered().state.model.name, "first");
  write(kept("second"));
  globalThis.sessionStorage = first;
  assert.equal(remembered().state.model.name, "first");
});

test("what cannot be read is as good as nothing", () => {
  for (const text of ["", "{", "null", "[]", '{"version":0,"state":{}}', '{"version":1,"state":{"view":"x"}}', '{"version":1}']) {
    sessionStorage.setItem("catena", text);
    localStorage.setItem("catena", text);
    assert.equal(remembered(), null, text);
  }
});

test("steps that are damaged are left out, the state is not", () => {
  for (const bad of [[{}], [{ label: "x", before: { extra: 1 }, after: {} }], [{ ...step("a"), trust: "yes" }], "x"]) {
    sessionStorage.setItem("catena", JSON.stringify({ version: 1, ...kept("a"), done: bad }));
    assert.deepEqual(remembered().done, [], JSON.stringify(bad));
    assert.equal(remembered().state.model.name, "a");
  }
});

test("without storage, or when it is full, nothing is lost but the memory", () => {
  globalThis.localStorage = new FakeStorage(10);
  write(kept("a"));
  assert.equal(remembered().state.model.name, "a");
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { configurable: true, get() { throw new DOMException("no", "SecurityError"); } });
  write(kept("b"));
  assert.equal(remembered(), null);
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: new FakeStorage() });
});

test("old steps go when all of them are too long to keep", () => {
  const done = Array.from({ length: 30 }, (_, at) => step(`step ${at}`, "x".repeat(50_000)));
  write(kept("a", { done }));
  const { done: left } = remembered();
  assert.ok(left.length > 3 && left.length < 15, `${left.length} are left`);
  assert.equal(left[left.length - 1].after.model.name, "step 29");
});
