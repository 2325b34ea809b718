import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorsOf, grabAt, grabbablePoints, grabOf, localPlace, nearestFrame, wayOf, worldPlace } from "../../../crates/page/src/script/grab.js";

test("a place on a body and the same place in the world belong together", () => {
  const values = [2, 1, Math.PI / 2];
  const at = localPlace([0, 1, 2], values, [2, 1.5]);
  assert.ok(Math.abs(at[0] - 0.5) < 1e-12 && Math.abs(at[1]) < 1e-12, `${at}`);
  const [x, y] = worldPlace({ tracks: [0, 1, 2], at }, values);
  assert.ok(Math.abs(x - 2) < 1e-12 && Math.abs(y - 1.5) < 1e-12);
  assert.deepEqual(worldPlace({ tracks: [0, 1], at: [0.5, 0] }, values), [2.5, 1]);
});

test("the way of a point on a turning body is a circle", () => {
  const frames = 9;
  const tracks = new Float32Array(3 * frames);
  for (let frame = 0; frame < frames; frame++) tracks[2 * frames + frame] = (frame * Math.PI) / 4;
  const { xs, ys } = wayOf({ tracks: [0, 1, 2], at: [2, 0] }, tracks, frames);
  for (let frame = 0; frame < frames; frame++) assert.ok(Math.abs(Math.hypot(xs[frame], ys[frame]) - 2) < 1e-6);
  assert.ok(Math.abs(ys[2] - 2) < 1e-6);
});

test("the nearest frame is found, and of a motion that repeats the one nearest in time", () => {
  const count = 401;
  const turn = (at) => (2 * Math.PI * at) / 100;
  const way = { xs: Array.from({ length: count }, (_, at) => Math.cos(turn(at))), ys: Array.from({ length: count }, (_, at) => Math.sin(turn(at))) };
  assert.equal(nearestFrame(way, [0, 1.2], 120), 125);
  assert.equal(nearestFrame(way, [0, 1.2], 320), 325);
  assert.equal(nearestFrame(way, [-2, 0], 0), 50);
});

test("pins on the ground cannot be taken, others can", () => {
  assert.deepEqual(anchorsOf({ k: "p", a: [0, 0, 0, 1, 2], b: [0, 0] }), []);
  assert.deepEqual(anchorsOf({ k: "p", a: [0, 0, 0, 1, 2], b: [1, 0, 3, 4, 5] }), [[1, 0, 3, 4, 5]]);
  assert.deepEqual(anchorsOf({ k: "s", a: [0, 0], b: [0, 0, 0, 1] }), [[0, 0, 0, 1]]);
  assert.deepEqual(anchorsOf({ k: "t", a: [0, 0, 0, 1] }), []);
});

test("a grab is an anchor: its place, and the tracks of what carries it", () => {
  assert.deepEqual(grabOf([0.1, 0.2, 3, 4, 5]), { tracks: [3, 4, 5], at: [0.1, 0.2] });
  assert.deepEqual(grabOf([0.1, 0.2, 3, 4]), { tracks: [3, 4], at: [0.1, 0.2] });
});

/** A film of one body: 100 px a metre, the origin in the middle of 200 × 200 px. */
function sceneOf(pieces, now) {
  const film = { corner: [-1, 1], scale: 100, size: 200 };
  // one frame: the film knows only where everything is now
  const x = (metres) => (metres - film.corner[0]) * film.scale;
  const y = (metres) => (film.corner[1] - metres) * film.scale;
  return {
    film, pieces, now, stage: null, x, y, frames: 1, tracks: now,
    place: ([px, py, tx, ty, ta]) => {
      if (tx === undefined) return [x(px), y(py)];
      const [c, s] = ta === undefined ? [1, 0] : [Math.cos(now[ta]), Math.sin(now[ta])];
      return [x(now[tx] + px * c - py * s), y(now[ty] + px * s + py * c)];
    },
  };
}

test("a point within reach is taken before the body under it", () => {
  const stage = {};
  const body = { k: "r", c: [0, 1, 2], element: { parentElement: stage } };
  const pin = { k: "p", a: [0.5, 0, 0, 1, 2], b: [0, 0, 3, 4], element: { parentElement: stage } };
  const scene = { ...sceneOf([body, pin], [0, 0, 0, 0.5, 0]), stage };
  assert.deepEqual(grabAt(scene, [152, 101], 10, body.element), { tracks: [3, 4], at: [0, 0] });
  const taken = grabAt(scene, [120, 100], 10, body.element);
  assert.deepEqual(taken.tracks, [0, 1, 2]);
  assert.ok(Math.abs(taken.at[0] - 0.2) < 1e-12 && Math.abs(taken.at[1]) < 1e-12);
  assert.equal(grabAt(scene, [20, 20], 10, null), null);
});

test("points that coincide are listed once, with their names", () => {
  const name = { k: "n", a: [0, 0, 3, 4], element: { textContent: "bob" } };
  const pin = { k: "p", a: [0.5, 0, 0, 1, 2], b: [0, 0, 3, 4], element: {} };
  const disc = { k: "m", a: [0, 0, 3, 4], element: {} };
  const points = grabbablePoints(sceneOf([pin, disc, name], [0, 0, 0, 0.5, 0]));
  assert.deepEqual(points, [{ grab: { tracks: [3, 4], at: [0, 0] }, name: "bob" }]);
});

test("a point that stands on the ground, or never moves, is not taken", () => {
  const support = { k: "m", a: [0.5, 0], element: {} };
  const pin = { k: "p", a: [0, 0, 0, 1], b: [0, 0, 0, 1], element: {} };
  assert.deepEqual(grabbablePoints(sceneOf([support, pin], [0.5, 0])), []);
  const still = { ...sceneOf([pin], [0.5, 0]), frames: 2, tracks: [0.5, 0.5, 0, 0] };
  assert.deepEqual(grabbablePoints(still), []);
  assert.equal(grabAt(still, [150, 100], 10, null), null);
  const moving = { ...still, tracks: [0.5, 0.6, 0, 0] };
  assert.equal(grabbablePoints(moving).length, 1);
});
