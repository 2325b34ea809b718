// The drawing board without a page: clicks become texts, and what comes too early waits.
import test from "node:test";
import assert from "node:assert/strict";
import { outlineOf } from "./toml_outline.mjs";
import { Board } from "../../../crates/page/src/script/sketch_board.js";
import { adviceOf } from "../../../crates/page/src/script/sketch_advice.js";

/** A board whose text is read when `read` is called, as by a core that takes its time. */
function begun(text = 'title = "T"\n') {
  const labels = [], said = [];
  const app = {
    state: { model: { name: "t", text }, set: { link1_length: "3", g: "0" } },
    change(patch, label) {
      app.state = { ...app.state, model: { ...app.state.model, ...patch.model }, set: patch.set };
      labels.push(label);
    },
    check: () => { app.asked = app.state.model.text; },
    say: (sentence) => said.push(sentence),
  };
  const board = new Board(app, () => {});
  const read = () => {
    let outline = null;
    try { outline = outlineOf(app.state.model.text); } catch { /* no TOML */ }
    board.take(app.state.model.text, { outline, problems: outline ? [] : [{ message: "it is broken", place: { line: 2 } }] });
  };
  read();
  return { app, board, read, labels, said };
}

test("clicks before the text was read wait for it", () => {
  const { app, board, read, labels } = begun();
  board.choose("link");
  for (const at of [[0, 0], [0, 0.5], [0, 0.5], [1, 0.5]]) board.click(at);
  assert.deepEqual(labels, ["draw link1"]);
  assert.equal(app.asked, app.state.model.text, "what a gesture made of the text is asked about at once");
  read();
  assert.deepEqual(labels, ["draw link1", "draw link2"]);
  assert.match(app.state.model.text, /between = \["link1\.B", "link2\.A"\]/);
});

test("a tool that is half used is given up by choosing another one", () => {
  const { board, labels } = begun();
  board.choose("link");
  board.click([0, 0]);
  assert.equal(board.picks.length, 1);
  board.choose("pin");
  assert.equal(board.picks.length, 0);
  assert.equal(board.cancel(), false);
  assert.deepEqual(labels, []);
});

test("a typed length and angle end a link, and nonsense is not taken", () => {
  const { app, board } = begun();
  board.choose("link");
  board.click([0, 0]);
  board.point([1, 0]);
  assert.equal(board.type("long"), false);
  assert.equal(board.type("0.7, 90"), true);
  assert.match(app.state.model.text, /length = 0\.7\nangle = "90 deg"/);
});

test("a length that is typed before the first click is that of the link, a length and an angle need no second one", () => {
  const { app, board, read } = begun();
  board.choose("link");
  assert.ok(board.takesNumber && board.type("80 cm"));
  board.click([0, 0]);
  assert.deepEqual(board.point([3, 0], "mouse", true).map((value) => Number(value.toFixed(9))), [0.8, 0], "the band is as long as the link will be");
  board.click([3, 0]);
  read();
  assert.match(app.state.model.text, /length = 0\.8\nangle = 0\n/);
  assert.ok(board.type("0.5, 90"));
  board.click([0.8, 0]);
  read();
  assert.match(app.state.model.text, /name = "link2"\n.*\nlength = 0\.5\nangle = "90 deg"/);
  assert.equal(board.size, null);
  assert.ok(board.type("2"));
  assert.ok(board.cancel(), "escape gives up what was typed");
});

test("a number that is typed before a click is what the tool asks for", () => {
  const { app, board, read } = begun();
  board.choose("gears");
  assert.equal(board.type("3"), true);
  board.click([0, 0]);
  board.click([0.4, 0]);
  read();
  assert.match(app.state.model.text, /ratio = -0\.333333/);
});

test("nothing is drawn into a text that cannot be read, and that is said", () => {
  const { app, board, read, labels } = begun();
  app.state = { ...app.state, model: { name: "t", text: "title = \n" } };
  board.choose("pin");
  board.click([0, 0]);
  read();
  assert.ok(board.isBroken && board.message.isRefusal);
  assert.deepEqual(labels, []);
  const advice = adviceOf(board, { problems: [{ message: "it is broken", place: { line: 2 } }] });
  assert.equal(advice.kind, "wrong");
  assert.match(advice.text, /line 2: it is broken/);
});

test("a joint in the hand changes lengths when it is let go, and what a slider had set is meant no longer", () => {
  const { app, board, read, labels } = begun();
  board.choose("link");
  board.click([0, 0]);
  board.click([0, 0.5]);
  read();
  board.choose("select");
  assert.ok(board.grab([0, 0.5]));
  board.drag([0, 0.8], "mouse", true);
  assert.match(board.message.text, /link1 0\.8 m at 90°/);
  board.drop();
  assert.equal(labels.at(-1), "move B");
  assert.match(app.state.model.text, /length = 0\.8/);
  assert.deepEqual(app.state.set, { g: "0" });
  assert.equal(board.grab([3, 3]), false);
});

test("what is selected is taken out, and Tab goes through everything once", () => {
  const { app, board, read } = begun();
  board.choose("link");
  board.click([0, 0]);
  board.click([0, 0.5]);
  read();
  board.choose("pin");
  board.click([0, 0]);
  read();
  board.select(null);
  const names = [];
  while (board.selectNext(1)) names.push(`${board.selected.section} ${board.selected.name}`);
  assert.deepEqual(names, ["ground A", "body link1", "joint A"]);
  board.selectNext(-1);
  board.deleteSelected();
  read();
  assert.doesNotMatch(app.state.model.text, /joint|ground/);
  assert.equal(board.selected, null);
});

test("the advice leads from an empty sheet to a mechanism", () => {
  const { board, read } = begun();
  const advice = (diagnosis) => adviceOf(board, { problems: [], diagnosis });
  assert.equal(advice().tool, "link");
  board.choose("link");
  board.click([0, 0]);
  board.click([0, 0.5]);
  read();
  assert.match(advice().text, /Fix a point to the ground/);
  board.choose("pin");
  board.click([0, 0]);
  read();
  const free = { findings: [], freedom_by_rank: 1 };
  assert.deepEqual([advice(free).kind, advice(free).text], ["good", "It can move: 1 degree of freedom."]);
  const stuck = { findings: [{ message: "no way", help: "do this", can_run: false }], freedom_by_rank: 1 };
  assert.deepEqual([advice(stuck).kind, advice(stuck).help], ["wrong", "do this"]);
  assert.match(advice({ findings: [], freedom_by_rank: 0 }).text, /cannot move/);
});

test("by keys a chain goes on where the last link ended, and ends that are off the grid are within a step", () => {
  const { app, board, read } = begun();
  board.choose("link");
  board.step(0, 0, false);
  for (const size of ["0.41, 33", "0.77, -12"]) {
    board.click(board.cursor.at);
    board.type(size);
    read();
  }
  assert.match(app.state.model.text, /between = \["link1\.B", "link2\.A"\]/);
  const end = board.cursor.at;
  board.step(1, 0, false);
  assert.ok(!board.cursor.isOnSpot);
  board.step(-1, 0, false);
  assert.ok(board.cursor.isOnSpot && Math.abs(board.cursor.at[0] - end[0]) < 1e-5, "back on the end");
  board.selectNext(1);
  assert.equal(board.selected.name, "link1", "Tab begins with the first, whatever a tool has selected");
});

test("the crosshair goes by steps of the grid, finely by tenths", () => {
  const { board } = begun();
  board.cursor = { at: [0.3, 0.3], hint: "", isOnSpot: false };
  board.step(1, 0, false);
  const { step } = board.camera;
  assert.ok(Math.abs(board.cursor.at[0] - 0.3 - step) < step);
  assert.ok(Math.abs(board.cursor.at[0] / step - Math.round(board.cursor.at[0] / step)) < 1e-9);
  const from = board.cursor.at[1];
  board.step(0, 1, true);
  assert.ok(Math.abs(board.cursor.at[1] - from) <= 0.15 * step);
});
