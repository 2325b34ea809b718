// Figures of a run: which columns there are, which are shown, and the panels that show them.

import { escaped, symbolMarkup, symbolText } from "./symbol.js";

/** @typedef {import("./types.js").Figure} Figure */
/** @typedef {import("./types.js").FilmSet} FilmSet */

/**
 * A column of a run. Values are decoded when they are first looked at.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} unit
 * @property {ArrayLike<number>} values
 * @property {ArrayLike<number>} [times]   its own, where it is not a column of the table
 * @property {boolean} [isLog]             whether it is an error, which is read on a logarithmic axis
 */

/** @typedef {{label: string, names: string[]}} ColumnGroup */

// the colours of crates/figure/src/palette.rs
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"];
const COLOURS_ON_DARK = ["#4fb0e8", "#ff8a47", "#33cc9f", "#e5a3c9", "#f2b63c", "#9ad6f7", "#d4d4d4"];
const DASHES = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [12, 3]];

/** Points of a series that are drawn at most. */
const MAX_POINTS = 4000;
/** Coordinates that are drawn unasked. */
const MAX_DEFAULT_COLUMNS = 6;
/** A range that is narrower than this part of its values is noise, and is not blown up. */
const LEAST_RELATIVE_RANGE = 1e-3;
/** Below this an error is rounding. */
const LEAST_ERROR = 1e-18;

export const CONSTRAINT_ERROR = "constraint error";
export const ENERGY_ERROR = "energy error";
const ENERGIES = ["kinetic", "potential", "energy"];
const QUANTITY_OF_UNIT = new Map([
  ["rad", "angle"], ["rad/s", "angular velocity"], ["rad/s^2", "angular acceleration"], ["m", "position"], ["m/s", "velocity"],
  ["m/s^2", "acceleration"], ["N", "force"], ["N m", "torque"], ["J", "energy"], ["W", "power"],
]);

/**
 * @param {string} text  base64 of little-endian 64-bit floats
 */
export function doubles(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return new Float64Array(bytes.buffer);
}

/**
 * The columns of a run, and the errors along it that its film knows.
 * @param {{name: string, unit: string, values: string}[]} columns
 * @param {FilmSet | undefined} filmSet
 * @returns {Column[]}
 */
export function runColumns(columns, filmSet) {
  const lazy = columns.map(({ name, unit, values }) => {
    /** @type {Float64Array | null} */
    let decoded = null;
    return { name, unit, get values() { return (decoded ??= doubles(values)); } };
  });
  const film = filmSet?.films[0];
  if (!filmSet || !film) return lazy;
  const times = CatenaScene.floats(filmSet.times);
  /** @type {Column[]} */
  const errors = [];
  for (const [name, text, unit] of [[ENERGY_ERROR, film.energy, "J"], [CONSTRAINT_ERROR, film.constraint, ""]]) {
    if (text) errors.push({ name, unit, values: CatenaScene.floats(text), times, isLog: true });
  }
  return [...lazy, ...errors];
}

/**
 * The names of outputs that are made of multipliers: constraint forces, whatever they are called.
 * @param {any[]} outline   of the model's text
 * @returns {Set<string>}
 */
export function forcesOf(outline) {
  const outputs = outline.flatMap(({ section, keys = [] }) => (section === "outputs" ? keys : []));
  return new Set(outputs.filter(({ value }) => /\blambda_/.test(String(value?.json))).map(({ key }) => key));
}

/** @param {{name: string, unit: string}} column @param {Set<string>} forces */
const isForce = ({ name, unit }, forces) => forces.has(name) || unit === "N" || unit === "N m" || /_(f[xy]?|m)$/.test(name);

/**
 * The columns with the magnitude of each force of which both components are there.
 * @param {Column[]} columns
 * @param {Set<string>} forces
 * @returns {Column[]}
 */
export function withMagnitudes(columns, forces) {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const magnitudes = columns.flatMap((x) => {
    const [, stem, mark] = /^(?!lambda_)(.+)_(f?)x$/.exec(x.name) ?? [];
    const y = byName.get(`${stem}_${mark}y`);
    const name = /force$/.test(stem) ? stem : `${stem}_f`;
    if (!stem || !y || byName.has(name) || !isForce(x, forces)) return [];
    /** @type {Float64Array | null} */
    let known = null;
    return [{ name, unit: x.unit, get values() { return (known ??= Float64Array.from(x.values, (value, at) => Math.hypot(value, y.values[at]))); } }];
  });
  return [...columns.slice(0, 1), ...magnitudes, ...columns.slice(1)];
}

/**
 * The columns that can be drawn against time, by what they are. Coordinates are what has a velocity.
 * @param {{name: string, unit: string, isLog?: boolean}[]} columns
 * @param {{states?: any[]} | undefined} about
 * @param {Set<string>} [forces]
 * @returns {ColumnGroup[]}
 */
export function columnGroups(columns, about, forces = new Set()) {
  const names = new Set(columns.map(({ name }) => name));
  const states = new Set((about?.states ?? []).map((state) => (typeof state === "string" ? state : state.name)));
  /** @param {{name: string, unit: string, isLog?: boolean}} column */
  const groupOf = (column) => {
    const { name, isLog } = column;
    if (isLog) return "Errors";
    if (ENERGIES.includes(name)) return "Energies";
    if (names.has(`${name}'`)) return "Coordinates";
    if (states.has(name)) return "States";
    if (name.endsWith("'")) return "Velocities";
    if (name.startsWith("lambda_")) return "Multipliers";
    if (!isForce(column, forces)) return "More";
    const stem = /^(.+)_f?[xy]$/.exec(name)?.[1];
    return stem && (names.has(`${stem}_f`) || names.has(stem)) ? "Components of forces" : "Forces";
  };
  const order = ["Coordinates", "Velocities", "States", "Energies", "Errors", "Forces", "Components of forces", "Multipliers", "More"];
  const groups = new Map(order.map((label) => [label, /** @type {string[]} */ ([])]));
  for (const column of columns.slice(1)) groups.get(groupOf(column))?.push(column.name);
  return order.map((label) => ({ label, names: groups.get(label) ?? [] })).filter((group) => group.names.length > 0);
}

/**
 * What is drawn where nobody has chosen: the coordinates that are not found by assembly and the energies, or the states.
 * @param {ColumnGroup[]} groups
 * @param {string[]} solved  coordinates that follow from others
 */
export function defaultPlots(groups, solved) {
  const of = (/** @type {string} */ label) => groups.find((group) => group.label === label)?.names ?? [];
  const coordinates = of("Coordinates");
  // without coordinates nothing has an energy
  if (coordinates.length === 0) return (of("States").length ? of("States") : of("More")).slice(0, MAX_DEFAULT_COLUMNS);
  const free = coordinates.filter((name) => !solved.includes(name));
  return [...(free.length ? free : coordinates).slice(0, MAX_DEFAULT_COLUMNS), ...of("Energies")];
}

/**
 * The range of an axis in places: the logarithms of values where it is logarithmic.
 * @param {ArrayLike<number>[]} series
 * @param {boolean} isLog
 * @returns {[number, number]}
 */
export function rangeOfValues(series, isLog) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of series) {
    for (let at = 0; at < values.length; at++) {
      const place = isLog ? (values[at] > LEAST_ERROR ? Math.log10(values[at]) : NaN) : values[at];
      if (place < low) low = place;
      if (place > high) high = place;
    }
  }
  if (!(high >= low)) return isLog ? [-16, 0] : [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const least = isLog ? 1 : size > 0 ? LEAST_RELATIVE_RANGE * size : 2;
  const lack = Math.max(0, least - (high - low)) / 2;
  const pad = 0.04 * Math.max(high - low, least);
  return [low - lack - pad, high + lack + pad];
}

/**
 * The points of a curve that a screen can tell apart: the least and the largest value of each piece.
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @param {number} most
 * @returns {{x: number[], y: (number | null)[]}}
 */
export function thinned(x, y, most) {
  const count = Math.min(x.length, y.length);
  const known = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
  if (count <= most) {
    const points = Array.from({ length: count }, (_, at) => at);
    return { x: points.map((at) => x[at]), y: points.map((at) => known(y[at])) };
  }
  /** @type {{x: number[], y: (number | null)[]}} */
  const kept = { x: [], y: [] };
  const pieces = Math.floor(most / 2);
  const keep = (/** @type {number} */ at) => { kept.x.push(x[at]); kept.y.push(known(y[at])); };
  for (let piece = 0; piece < pieces; piece++) {
    const [from, to] = [Math.floor((piece * count) / pieces), Math.floor(((piece + 1) * count) / pieces)];
    let [least, largest] = [from, from];
    for (let at = from; at < to; at++) {
      if (y[at] < y[least] || Number.isNaN(y[least])) least = at;
      if (y[at] > y[largest] || Number.isNaN(y[largest])) largest = at;
    }
    for (const at of least === largest ? [least] : [Math.min(least, largest), Math.max(least, largest)]) keep(at);
  }
  // the ends are kept, whatever their values
  if (kept.x[0] !== x[0]) { kept.x.unshift(x[0]); kept.y.unshift(known(y[0])); }
  if (kept.x[kept.x.length - 1] !== x[count - 1]) keep(count - 1);
  return kept;
}

/**
 * The columns that share a panel: one group and one unit, errors each on their own.
 * @param {Column[]} chosen
 * @param {ColumnGroup[]} groups
 */
export function panelsOf(chosen, groups) {
  /** @type {Map<string, {group: string, columns: Column[]}>} */
  const panels = new Map();
  for (const column of chosen) {
    const group = groups.find(({ names }) => names.includes(column.name))?.label ?? "";
    const key = column.isLog ? column.name : `${group} ${column.unit}`;
    const panel = panels.get(key) ?? { group, columns: [] };
    panel.columns.push(column);
    panels.set(key, panel);
  }
  return [...panels.values()];
}

/**
 * A figure for CatenaPlots: the chosen columns against time.
 * @param {Column[]} columns   the first is the time
 * @param {string[]} chosen
 * @param {ColumnGroup[]} groups
 * @param {number | null} [known]   the time up to which the motion is known, if that is not all of it
 * @returns {Figure}
 */
export function runFigure(columns, chosen, groups, known = null) {
  const time = columns[0];
  const shown = chosen.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const panels = panelsOf(shown, groups);
  /** @type {number[][]} */
  const grids = [];
  const range = time ? timeRange(time.values) : [0, 1];
  const x = { label: "<i>t</i>, s", symbol: "<i>t</i>", log: false, range, names: [] };
  return {
    title: "",
    caption: "",
    panels: panels.map(({ group, columns: series }, at) => ({
      title: "",
      spoken: `${series.map(({ name }) => symbolText(name)).join(", ")} over time`,
      function: true,
      equal: false,
      unknown: known,
      showsX: at === panels.length - 1,
      x,
      y: axisOf(series, group),
      series: series.map((column, index) => seriesOf(column, time, index, grids)),
      bar: null,
      map: null,
    })),
    grids,
  };
}

/** @param {ArrayLike<number>} times */
function timeRange(times) {
  const [first, last] = [times[0] ?? 0, times[times.length - 1] ?? 1];
  return last > first ? [first, last] : [first, first + 1];
}

/**
 * @param {Column[]} series
 * @param {string} group
 */
function axisOf(series, group) {
  const { unit, isLog, name } = series[0];
  const quantity = isLog ? name : series.length === 1 ? symbolMarkup(name) : QUANTITY_OF_UNIT.get(unit) ?? group.toLowerCase();
  const values = series.map((column) => column.values);
  return {
    label: unit ? `${quantity}, ${escaped(unit).replace("^2", "²")}` : quantity,
    symbol: quantity,
    log: Boolean(isLog),
    range: rangeOfValues(values, Boolean(isLog)),
    names: [],
  };
}

/**
 * @param {Column} column
 * @param {Column} time
 * @param {number} index
 * @param {number[][]} grids
 */
function seriesOf(column, time, index, grids) {
  const { x, y } = thinned(column.times ?? time.values, column.values, MAX_POINTS);
  const same = grids.findIndex((grid) => grid.length === x.length && grid.every((value, at) => value === x[at]));
  if (same < 0) grids.push(x);
  return {
    name: symbolMarkup(column.name),
    grid: same < 0 ? grids.length - 1 : same,
    y: column.isLog ? y.map((value) => (value !== null && value > LEAST_ERROR ? value : null)) : y,
    line: true,
    marks: false,
    cell: null,
    colour: COLOURS[index % COLOURS.length],
    dark: COLOURS_ON_DARK[index % COLOURS_ON_DARK.length],
    dash: DASHES[Math.floor(index / COLOURS.length) % DASHES.length],
  };
}
