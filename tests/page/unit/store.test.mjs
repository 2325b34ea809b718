import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore, emptyState } from "../../../crates/page/src/script/store.js";

/** A store with a clock that is moved by hand. */
function storeWithClock() {
  const clock = { now: 0 };
  const store = createStore({ state: emptyState(), done: [], undone: [], trusted: true }, () => clock.now);
  return { store, clock };
}

const rename = (name) => ({ model: { name } });

test("a state cannot be written to, however deep", () => {
  const { store } = storeWithClock();
  store.change({ set: { L: "1" }, ask: { question: "modes" } });
  assert.throws(() => { store.state.view = "motion"; }, TypeError);
  assert.throws(() => { store.state.set.L = "2"; }, TypeError);
  assert.throws(() => { store.state.ask.options.x = "1"; }, TypeError);
});

test("records are merged key by key, everything else is replaced", () => {
  const { store } = storeWithClock();
  store.change({ show: { forces: true }, set: { a: "1" }, ask: { question: "modes", options: { x: "1" } } });
  store.change({ show: { names: true }, set: { b: "2" }, ask: { options: { y: "2" } } });
  assert.deepEqual(store.state.show, { ...emptyState().show, forces: true, names: true });
  assert.deepEqual(store.state.set, { b: "2" });
  assert.deepEqual(store.state.ask, { question: "modes", options: { y: "2" } });
});

test("a key that no state has is refused", () => {
  const { store } = storeWithClock();
  assert.throws(() => store.change({ colour: "red" }), /a state has no key colour/);
});

test("listeners hear of changes and of nothing else, and equal parts stay the same object", () => {
  const { store } = storeWithClock();
  store.change({ set: { a: "1" } });
  const heard = [];
  const stop = store.subscribe((state, before) => heard.push([state.set === before.set, state.time]));
  store.change({ set: { a: "1" }, time: 2 });
  store.change({ set: { a: "1" } });
  assert.deepEqual(heard, [[true, 2]]);
  stop();
  store.change({ time: 3 });
  assert.equal(heard.length, 1);
});

test("undo takes back one labelled step after the other, redo brings them again", () => {
  const { store, clock } = storeWithClock();
  for (const name of ["a", "b", "c"]) {
    store.change(rename(name), `rename to ${name}`);
    clock.now += 5000;
  }
  assert.equal(store.undoable, "rename to c");
  assert.equal(store.undo(), "rename to c");
  assert.equal(store.undo(), "rename to b");
  assert.equal(store.state.model.name, "a");
  assert.equal(store.redo(), "rename to b");
  assert.equal(store.state.model.name, "b");
  store.change(rename("d"), "rename to d");
  assert.equal(store.redoable, null);
  assert.equal(store.redo(), null);
  store.undo();
  store.undo();
  store.undo();
  assert.equal(store.undo(), null);
  assert.equal(store.state.model.name, "");
});

test("a gesture is one step: what it changed on the way without a label is taken back with it", () => {
  const { store } = storeWithClock();
  store.change({ set: { L: "1" } }, "set L");
  for (const value of ["1.1", "1.2", "1.3"]) store.change({ set: { L: value } });
  store.change({ set: { L: "1.4" } }, "drag L");
  store.undo();
  assert.deepEqual(store.state.set, { L: "1" });
});

test("a gesture that ends where its last move was is a step as well", () => {
  const { store } = storeWithClock();
  store.change({ set: { L: "1.4" } });
  let told = 0;
  store.subscribe(() => { told += 1; });
  store.change({ set: { L: "1.4" } }, "drag L");
  assert.equal(store.undoable, "drag L");
  assert.equal(told, 1);
  store.undo();
  assert.deepEqual(store.state.set, {});
});

test("typing without a pause is one step, a pause begins the next", () => {
  const { store, clock } = storeWithClock();
  for (const text of ["t", "ti", "tit"]) {
    store.change({ model: { text } }, "edit");
    clock.now += 300;
  }
  clock.now += 2000;
  store.change({ model: { text: "title" } }, "edit");
  store.undo();
  assert.equal(store.state.model.text, "tit");
  store.undo();
  assert.equal(store.state.model.text, "");
  store.redo();
  assert.equal(store.state.model.text, "tit");
});

test("typing after undo does not join what was taken back", () => {
  const { store } = storeWithClock();
  store.change({ model: { text: "a" } }, "edit");
  store.undo();
  store.change({ model: { text: "b" } }, "edit");
  store.undo();
  assert.equal(store.state.model.text, "");
  assert.equal(store.undoable, null);
});

test("undo leaves alone where one looks and what other steps changed", () => {
  const { store, clock } = storeWithClock();
  store.change(rename("a"), "rename");
  clock.now += 5000;
  store.change({ view: "motion", theme: "dark", time: 4 });
  store.change({ plots: ["energy"] }, "plot energy");
  store.undo();
  assert.equal(store.state.model.name, "a");
  assert.equal(store.state.view, "motion");
  assert.equal(store.state.theme, "dark");
  assert.deepEqual(store.state.plots, []);
});

test("a step that changes nothing is none", () => {
  const { store } = storeWithClock();
  store.change({ set: {} }, "reset");
  store.change({ view: "motion" }, "look");
  assert.equal(store.undoable, null);
});

test("steps go on after a reload", () => {
  const { store } = storeWithClock();
  store.change(rename("a"), "rename");
  const again = createStore(JSON.parse(JSON.stringify(store.kept)));
  assert.equal(again.undo(), "rename");
  assert.equal(again.state.model.name, "");
});

test("undo of a stranger's model gives back the trust in one's own, redo asks again", () => {
  const { store } = storeWithClock();
  store.change(rename("stranger"), "open a link", false);
  assert.equal(store.trusted, false);
  store.undo();
  assert.equal(store.trusted, true);
  store.redo();
  assert.equal(store.trusted, false);
  store.change({}, undefined, true);
  assert.equal(store.trusted, true);
  assert.equal(createStore(JSON.parse(JSON.stringify(store.kept))).trusted, true);
});
