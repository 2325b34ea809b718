import assert from "node:assert/strict";
import { test } from "node:test";
import { columnGroups, defaultPlots, doubles, forcesOf, panelsOf, rangeOfValues, runFigure, thinned, withMagnitudes } from "../../../crates/page/src/script/plots.js";

const about = { states: [] };
const columns = [
  { name: "t", unit: "s", values: [0, 1, 2] },
  { name: "x", unit: "m", values: [1, 2, NaN] },
  { name: "theta", unit: "rad", values: [0, 0.5, 1] },
  { name: "x'", unit: "m/s", values: [1, 1, 1] },
  { name: "theta'", unit: "rad/s", values: [1, 1, 1] },
  { name: "lambda_phi", unit: "", values: [3, 3, 3] },
  { name: "pin_fx", unit: "N", values: [3, 3, 3] },
  { name: "kinetic", unit: "J", values: [0, 1, 0] },
  { name: "energy", unit: "J", values: [5, 5, 5] },
  { name: "tip", unit: "", values: [0, 0, 0] },
  { name: "energy error", unit: "J", values: [0, 1e-9, 1e-8], times: [0, 1, 2], isLog: true },
];

test("doubles are little-endian numbers of 64 bits", () => {
  const numbers = new Float64Array([1, -2.5, Math.PI]);
  const text = Buffer.from(numbers.buffer).toString("base64");
  assert.deepEqual([...doubles(text)], [1, -2.5, Math.PI]);
  assert.equal(doubles("").length, 0);
});

test("columns are grouped by what they are, the time in none", () => {
  const groups = Object.fromEntries(columnGroups(columns, about).map(({ label, names }) => [label, names]));
  assert.deepEqual(groups, {
    Coordinates: ["x", "theta"], Velocities: ["x'", "theta'"], Energies: ["kinetic", "energy"], Errors: ["energy error"], Forces: ["pin_fx"], Multipliers: ["lambda_phi"], More: ["tip"],
  });
});

test("a force with both components has a magnitude, which stands before them; so has an output that is made of multipliers", () => {
  const outline = [{ section: "outputs", keys: [{ key: "pin_O_x", value: { json: "-lambda_a" } }, { key: "pin_O_y", value: { json: "lambda_b/2" } }, { key: "tip_x", value: { json: "l*cos(q)" } }] }];
  const forces = forcesOf(outline);
  const all = withMagnitudes([
    { name: "t", unit: "s", values: [0] }, { name: "B_fx", unit: "N", values: [3] }, { name: "B_fy", unit: "N", values: [-4] }, { name: "B_m", unit: "N m", values: [1] },
    { name: "pin_O_x", unit: "", values: [6] }, { name: "pin_O_y", unit: "", values: [8] }, { name: "tip_x", unit: "", values: [1] }, { name: "tip_y", unit: "", values: [1] },
  ], forces);
  const groups = Object.fromEntries(columnGroups(all, about, forces).map(({ label, names }) => [label, names]));
  assert.deepEqual(groups, { Forces: ["B_f", "pin_O_f", "B_m"], "Components of forces": ["B_fx", "B_fy", "pin_O_x", "pin_O_y"], More: ["tip_x", "tip_y"] });
  assert.deepEqual(all.slice(1, 3).map(({ values }) => values[0]), [5, 10]);
});

test("coordinates that assembly finds are not drawn unasked, unless there are no others", () => {
  const groups = columnGroups(columns, about);
  assert.deepEqual(defaultPlots(groups, ["x"]), ["theta", "kinetic", "energy"]);
  assert.deepEqual(defaultPlots(groups, ["x", "theta"]), ["x", "theta", "kinetic", "energy"]);
});

test("a model of states alone is drawn too", () => {
  const states = [{ name: "t", unit: "s" }, { name: "u", unit: "" }, { name: "w", unit: "" }, { name: "kinetic", unit: "J" }, { name: "out", unit: "" }];
  const groups = columnGroups(states, { coordinates: [], states: ["u", "w"] });
  assert.deepEqual(groups.map(({ label }) => label), ["States", "Energies", "More"]);
  assert.deepEqual(defaultPlots(groups, []), ["u", "w"]);
});

test("columns of one unit and one group share a panel, errors stand alone", () => {
  const groups = columnGroups(columns, about);
  const panels = panelsOf(columns.slice(1), groups).map((panel) => panel.columns.map(({ name }) => name));
  assert.deepEqual(panels, [["x"], ["theta"], ["x'"], ["theta'"], ["lambda_phi"], ["pin_fx"], ["kinetic", "energy"], ["tip"], ["energy error"]]);
});

test("a figure has what the plots read, gaps where a value is not known, and one time axis below", () => {
  const figure = runFigure(columns, ["x", "kinetic", "energy", "energy error", "not there"], columnGroups(columns, about));
  assert.equal(figure.panels.length, 3);
  assert.deepEqual(figure.panels.map((panel) => panel.showsX), [false, false, true]);
  assert.deepEqual(figure.panels[0].series[0].y, [1, 2, null]);
  assert.deepEqual(figure.grids, [[0, 1, 2]]);
  assert.deepEqual(figure.panels.map((panel) => panel.y.log), [false, false, true]);
  // an error of nothing cannot stand on a logarithmic axis
  assert.deepEqual(figure.panels[2].series[0].y, [null, 1e-9, 1e-8]);
  assert.equal(figure.panels[1].y.label, "energy, J");
  assert.equal(figure.panels[0].y.label, "<i>x</i>, m");
});

test("a name cannot bring markup into a plot", () => {
  const hostile = [{ name: "t", unit: "s", values: [0, 1] }, { name: "<img src=x onerror=alert(1)>", unit: "<b>", values: [0, 1] }];
  const figure = runFigure(hostile, [hostile[1].name], columnGroups(hostile, { coordinates: [] }));
  // `spoken` is no markup: it becomes an attribute
  const text = JSON.stringify(figure, (key, value) => (key === "spoken" ? undefined : value));
  assert.ok(!/<(?!\/?(i|sub)>)/.test(text), text);
});

test("ranges hold all values with a margin, and noise is not blown up", () => {
  const [low, high] = rangeOfValues([[0, 10]], false);
  assert.ok(low < 0 && low > -1 && high > 10 && high < 11);
  const flat = rangeOfValues([[22.1926, 22.19261]], false);
  assert.ok(flat[1] - flat[0] > 0.02, `${flat}`);
  assert.deepEqual(rangeOfValues([[NaN]], false), [-1, 1]);
  const zero = rangeOfValues([[0, 0]], false);
  assert.ok(zero[0] < 0 && zero[1] > 0);
  const logarithmic = rangeOfValues([[0, 1e-8, 1e-6]], true);
  assert.ok(logarithmic[0] < -8 && logarithmic[1] > -6 && logarithmic[0] > -9);
});

test("a long series keeps its extremes and its ends, in order", () => {
  const x = Array.from({ length: 100_001 }, (_, at) => at);
  const y = x.map((at) => (at === 54_321 ? 7 : at === 99 ? -7 : Math.sin(at / 1000)));
  const kept = thinned(x, y, 4000);
  assert.ok(kept.x.length <= 4002);
  assert.equal(kept.y[kept.x.indexOf(54_321)], 7);
  assert.equal(kept.y[kept.x.indexOf(99)], -7);
  assert.equal(kept.x[0], 0);
  assert.equal(kept.x.at(-1), 100_000);
  assert.ok(kept.x.every((value, at) => at === 0 || value > kept.x[at - 1]));
  assert.deepEqual(thinned([0, 1], [5, NaN], 10), { x: [0, 1], y: [5, null] });
});
