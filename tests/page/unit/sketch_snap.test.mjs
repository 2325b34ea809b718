// Snapping, typed sizes and names.
import test from "node:test";
import assert from "node:assert/strict";
import { gridStep, snap, toGrid, typedSize } from "../../../crates/page/src/script/sketch_snap.js";
import { isName, lettered, numbered, pointName } from "../../../crates/page/src/script/sketch_names.js";
import { frameInertia, hull, isInside, nearestOn, principal, tidy } from "../../../crates/page/src/script/sketch_geometry.js";
import { Camera } from "../../../crates/page/src/script/sketch_camera.js";

const around = { spots: [], step: 0.1, reach: 0.04 };

test("the grid has 1, 2 or 5 of a power of ten between its lines, at least 22 px", () => {
  for (const scale of [0.7, 13, 250, 333, 9999]) {
    const step = gridStep(scale);
    assert.ok(step * scale >= 22 * (1 - 1e-9), `${step} at ${scale}`);
    assert.ok(step * scale < 60, `${step} at ${scale}`);
    const digit = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5].some((known) => Math.abs(known - digit) < 1e-9), `${step}`);
  }
});

test("a spot within reach goes before the grid", () => {
  assert.deepEqual(snap([0.33, 0.52], { ...around, spots: [[0.35, 0.53]] }), { at: [0.35, 0.53], kind: "spot", hint: "" });
  assert.deepEqual(snap([0.29, 0.52], { ...around, spots: [[0.35, 0.53]] }).at, [0.3, 0.5]);
  assert.deepEqual(toGrid([0.34, -0.26], 0.1), [0.3, -0.3]);
});

test("a line does not end on the spot it begins at", () => {
  assert.notEqual(snap([0.01, 0.01], { ...around, spots: [[0, 0]], from: [0, 0] }).kind, "spot");
});

test("a line near a round angle has a round length along it", () => {
  const at = [0.433 + 0.004, 0.25 + 0.001];
  const { at: [x, y], kind } = snap(at, { ...around, from: [0, 0] });
  assert.equal(kind, "angle");
  assert.ok(Math.abs(Math.hypot(x, y) - 0.5) < 1e-9 && Math.abs(Math.atan2(y, x) - Math.PI / 6) < 1e-9);
});

test("a line can be as long as another link, and says so", () => {
  const lengths = [{ name: "crank", length: 0.537 }];
  const { at, kind, hint } = snap([0.536 * Math.cos(0.7), 0.536 * Math.sin(0.7)], { ...around, from: [0, 0], lengths });
  assert.equal(kind, "length");
  assert.ok(Math.abs(Math.hypot(...at) - 0.537) < 1e-9);
  assert.equal(hint, "as long as crank");
});

test("the length of another link does not draw away from a place of the grid that is aimed at", () => {
  const lengths = [{ name: "bar", length: Math.hypot(1, 0.4) }];
  const { at, hint } = snap([1.002, 0.403], { ...around, from: [0, 0], lengths });
  assert.deepEqual([at, hint], [[1, 0.4], "as long as bar"]);
});

test("without snapping the place is taken as it is", () => {
  assert.deepEqual(snap([0.123, 0.456], { ...around, off: true }).at, [0.123, 0.456]);
});

test("sizes are typed as a length, a length and an angle, or an angle", () => {
  assert.deepEqual(typedSize("0.8"), { length: 0.8, angle: null });
  assert.deepEqual(typedSize("80 cm, 90"), { length: 0.8, angle: Math.PI / 2 });
  assert.deepEqual(typedSize("400mm"), { length: 0.4, angle: null });
  assert.deepEqual(typedSize("@ -45"), { length: null, angle: -Math.PI / 4 });
  for (const wrong of ["", "abc", "-1", "0", "1, 2, 3", "."]) assert.equal(typedSize(wrong), null, wrong);
});

test("names are the first that are free", () => {
  assert.equal(numbered("link", ["link1", "link3"]), "link2");
  assert.equal(lettered(["A", "B"]), "C");
  assert.equal(lettered("ABCDEFGHJKLMNPQRSTUVWXYZ"), "A1");
  assert.equal(pointName(["P", "A"]), "Q");
  assert.ok(isName("crank_2") && isName("θ") && !isName("2a") && !isName("a b") && !isName("ground"));
});

test("a frame of rods has the centre and the inertia of its rods", () => {
  const rod = frameInertia([[0, 0], [2, 0]]);
  assert.deepEqual([rod.mass, rod.centre, rod.inertia], [2, [1, 0], 2 * 4 / 12]);
  // a square of side 1: four rods of 1 kg, each 1/12 about its middle, half a metre from the centre
  const square = frameInertia([[0, 0], [1, 0], [1, 1], [0, 1]]);
  assert.ok(Math.abs(square.inertia - 4 * (1 / 12 + 1 / 4)) < 1e-12);
});

test("points that rounding has put beside a line make a bar, not a plate", () => {
  assert.equal(hull([[0, 0], [0.447214, 3e-7], [0.894427, 0]]).length, 2);
  assert.equal(hull([[0, 0], [1, 0.2], [2, 0]]).length, 3);
  assert.ok(isInside([0.5, 0.5], hull([[0, 0], [1, 0], [1, 1], [0, 1]])));
  assert.deepEqual(nearestOn([0.5, 1], [0, 0], [2, 0]), [0.5, 0]);
});

test("angles stay within half a turn, and half a turn is counter-clockwise", () => {
  assert.equal(principal(-Math.PI), Math.PI);
  assert.ok(Math.abs(principal(7) - (7 - 2 * Math.PI)) < 1e-12);
});

test("places that are as good as round are round, others stay", () => {
  assert.deepEqual(tidy([0.9999995, 3e-7], 1), [1, 0]);
  assert.deepEqual(tidy([0.12345, 0.4472136], 1), [0.12345, 0.4472136]);
});

test("a camera keeps what is under the pointer, and its corner when the window grows", () => {
  const camera = new Camera();
  const held = camera.toWorld([100, 50]);
  camera.zoom(1.7, [100, 50]);
  assert.ok(Math.hypot(camera.toWorld([100, 50])[0] - held[0], camera.toWorld([100, 50])[1] - held[1]) < 1e-12);
  const corner = camera.toWorld([0, 0]);
  camera.resize(900, 300);
  assert.ok(Math.hypot(camera.toWorld([0, 0])[0] - corner[0], camera.toWorld([0, 0])[1] - corner[1]) < 1e-12);
  camera.fit([[0, 0], [10, 2]]);
  for (const at of [[0, 0], [10, 2]]) assert.ok(camera.toScreen(at).every((px, axis) => px > 0 && px < [900, 300][axis]));
});
