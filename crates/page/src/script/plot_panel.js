// The plots of a run with the buttons that choose them.

import { make } from "./dom.js";
import { columnGroups, defaultPlots, forcesOf, runColumns, runFigure, withMagnitudes } from "./plots.js";
import { makeChooser } from "./column_chooser.js";
import { foundByAssembly } from "./quantities.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").RunPart} RunPart */
/** @typedef {import("./types.js").ModelReply} ModelReply */
/** @typedef {import("./plots.js").Column} Column */
/** @typedef {import("./plots.js").ColumnGroup} ColumnGroup */

/** Stands in the state where the reader wants no plot at all; no column is called so. */
const NO_PLOTS = "(none)";

/**
 * The value of a column at a time between two rows.
 * @param {ArrayLike<number>} times
 * @param {ArrayLike<number>} values
 * @param {number} time
 */
export function valueAtTime(times, values, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const step = times[high] - times[low];
  const part = step > 0 ? Math.min(1, Math.max(0, (time - times[low]) / step)) : 0;
  return values[low] + part * (values[high] - values[low]);
}

/**
 * @param {App} app
 * @param {(time: number) => void} onSeek
 */
export function makePlotPanel(app, onSeek) {
  /** @type {Column[]} of the run, and with those that are computed here */
  let sent = [];
  let columns = sent;
  /** @type {ColumnGroup[]} */
  let groups = [];
  /** @type {string[]} */
  let solved = [];
  /** @type {CatenaPlotsHandle | null} */
  let plots = null;
  /** @type {number | null} */
  let cursor = null;
  /** @type {number | null} the time from which on the motion is not known */
  let known = null;
  const chooser = makeChooser((names) => app.change({ plots: names.length ? names : [NO_PLOTS] }, "plots"));
  const area = make("div", { class: "plot-area" });
  const empty = make("p", { class: "quiet plot-empty" }, "Run the model to see its coordinates and energies over time.");
  const note = make("p", { class: "quiet small-text plot-unknown" });
  const element = make("div", { class: "plot-panel stack" }, chooser.element, note, area, empty);
  chooser.element.hidden = true;

  const chosen = () => {
    const known = app.state.plots.filter((name) => name === NO_PLOTS || columns.some((column) => column.name === name));
    return (known.length ? known : defaultPlots(groups, solved)).filter((name) => name !== NO_PLOTS);
  };
  /** Orders the columns; whether that changes anything. @param {ModelReply | null} reply */
  function describe(reply) {
    const before = JSON.stringify([groups, solved]);
    const forces = forcesOf(reply?.outline ?? []);
    columns = withMagnitudes(sent, forces);
    groups = columnGroups(columns, reply?.about, forces);
    solved = reply ? foundByAssembly(reply) : [];
    return JSON.stringify([groups, solved]) !== before;
  }
  function draw() {
    const names = chosen();
    chooser.element.hidden = columns.length === 0;
    chooser.show(groups, names);
    plots?.dispose();
    plots = null;
    empty.hidden = columns.length > 0;
    note.hidden = known === null || names.length === 0;
    note.textContent = `Hatched: not predicted beyond t = ${known} s. The motion is chaotic.`;
    if (columns.length === 0 || names.length === 0) return;
    plots = CatenaPlots.create(area, runFigure(columns, names, groups, known));
    plots.onCursor(onSeek);
    if (cursor !== null) plots.setCursor(cursor);
  }

  return {
    element,
    /**
     * @param {RunPart} run
     * @param {ModelReply | null} reply
     * @param {number | null} until   the time up to which the motion is known; null for all of it
     */
    showRun(run, reply, until) {
      known = until;
      sent = runColumns(run.columns, run.film);
      describe(reply);
      draw();
    },
    /** The model is known better than when it was run. @param {ModelReply} reply */
    showModel(reply) {
      if (columns.length && describe(reply)) draw();
    },
    clear() {
      columns = [];
      groups = [];
      draw();
    },
    /** @param {number | null} time */
    knowUntil(time) {
      if (time === known) return;
      known = time;
      if (columns.length) draw();
    },
    choose: () => { if (columns.length) draw(); },
    redraw: () => plots?.redraw(),
    /** @param {number} time @param {boolean} readable */
    setCursor(time, readable) {
      cursor = time;
      plots?.setCursor(time, readable);
    },
    /**
     * Values of columns at a time; undefined where one of them is not there.
     * @param {string[]} names
     * @param {number} time
     */
    valuesAt(names, time) {
      const found = names.map((name) => columns.find((column) => column.name === name));
      if (found.length === 0 || found.some((column) => column === undefined)) return undefined;
      return found.map((column) => valueAtTime(columns[0].values, /** @type {Column} */ (column).values, time));
    },
  };
}
