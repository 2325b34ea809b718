// The drawing board: what is drawn, which tool is in the hand, what has been clicked, and what becomes of it.
import { direction, distance, dot, hull, minus, plus, times, turned, unit } from "./sketch_geometry.js";
import { Camera } from "./sketch_camera.js";
import { draftOf } from "./sketch_gesture.js";
import { extentOf, mechanismOf } from "./sketch_model.js";
import { barAngle, hitAt, isGuide, outlineOf } from "./sketch_spots.js";
import { clean, snap, toGrid, typedSize } from "./sketch_snap.js";
import { joinable, movedMechanism, moveSpots, shiftedSpots } from "./sketch_move.js";
import { allItems, described, isThere, itemAt, placeOfItem, sameItem, wordFor } from "./sketch_select.js";
import { removeItem } from "./sketch_acts.js";
import { titleOf } from "./prose.js";
import { toolNamed, useTool } from "./sketch_tools.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */
/** @typedef {import("./sketch_spots.js").Item} Item */
/** @typedef {import("./sketch_spots.js").Spot} Spot */

/** How near a click must be, px. */
const REACH = { mouse: 12, touch: 24 };

export class Board {
  /**
   * @param {App} app
   * @param {() => void} changed   something is to be drawn again
   */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.camera = new Camera();
    /** @type {Draft | null} null before the first reply, and where the model is no mechanism */
    this.draft = null;
    /** The text of the newest reply. @type {string | null} */
    this.repliedText = null;
    /** The text cannot be read at all; the drawing is an older one. */
    this.isBroken = false;
    this.isOther = false;
    this.tool = toolNamed("select");
    /** @type {Pick[]} */
    this.picks = [];
    /** @type {{ at: Vector, hint: string, isOnSpot: boolean } | null} */
    this.cursor = null;
    /** Whether the keyboard leads the cursor. */
    this.isHeld = false;
    /** @type {Item | null} */
    this.selected = null;
    /** Where Tab has led. @type {Item | null} */
    this.visited = null;
    /** @type {{ spot: Spot, to: Vector }[] | null} spots in the hand */
    this.moves = null;
    /** @type {import("./sketch_model.js").Mechanism | null} what is shown instead of the draft */
    this.shown = null;
    /** What was said last, and whether it was a refusal. */
    this.message = { text: "", isRefusal: false };
    /** A number that was typed for the next click. @type {number | null} */
    this.typed = null;
    /** What was typed before a line was begun. @type {ReturnType<typeof typedSize>} */
    this.size = null;
    /** The key whose field is wanted. @type {string | null} */
    this.wanted = null;
    /** Where the hand took hold, and where its spots were. @type {{ at: Vector, from: Vector[] } | null} */
    this.grabbed = null;
    this.hasFitted = false;
    /** Whether somebody has looked or drawn: then the view stays. */
    this.isTouched = false;
    /** @type {(() => void)[]} what waits for the reply to the newest text */
    this.waiting = [];
  }

  /** The mechanism as it is seen now. */
  get mechanism() {
    return this.shown ?? this.draft?.mechanism ?? null;
  }

  /** Whether the drawing shows the text as it is now. */
  get isCurrent() {
    return this.repliedText === this.app.state.model.text;
  }

  /**
   * A reply about a text.
   * @param {string} text
   * @param {any} reply
   */
  take(text, reply) {
    this.repliedText = text;
    this.isBroken = reply.outline === null;
    if (!this.isBroken) this.takeDraft(text, reply);
    if (this.isCurrent) for (const wait of this.waiting.splice(0)) wait();
    this.changed();
  }

  /** @param {string} text @param {any} reply */
  takeDraft(text, reply) {
    const mechanism = mechanismOf(reply, this.draft?.mechanism ?? null);
    this.isOther = mechanism === null;
    // an empty sheet is looked at as a whole
    if (mechanism && extentOf(mechanism).length === 0 && this.draft?.mechanism.bodies.length) this.hasFitted = this.isTouched = false;
    this.draft = mechanism && draftOf(text, reply.outline ?? [], mechanism);
    this.shown = null;
    this.moves = null;
    // what was clicked is looked up in the new drawing
    this.picks = this.draft ? this.picks.map(({ at }) => this.pick(at)) : [];
    if (this.draft && !isThere(this.draft, this.selected)) this.selected = null;
    if (!this.hasFitted && this.draft) this.fit();
  }

  /** Another model: nothing of the old one is meant. */
  forget() {
    this.draft = null;
    this.selected = null;
    this.hasFitted = this.isTouched = false;
    this.cancel();
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.camera.resize(width, height);
    if (this.isTouched) this.changed();
    else this.fit();
  }

  /** @param {number} factor @param {readonly number[]} [px] */
  zoom(factor, px) {
    this.camera.zoom(factor, px);
    this.isTouched = true;
    this.changed();
  }

  /** @param {readonly number[]} px */
  push(px) {
    this.camera.push(px);
    this.isTouched = true;
    this.changed();
  }

  fit() {
    this.camera.fit(this.mechanism ? extentOf(this.mechanism) : []);
    this.hasFitted = this.mechanism !== null;
    this.changed();
  }

  /** Does something when the drawing is that of the newest text. @param {() => void} act */
  whenCurrent(act) {
    if (this.isCurrent) act();
    else this.waiting.push(act);
  }

  /** @param {string} name */
  choose(name) {
    this.cancel();
    this.tool = toolNamed(name);
    this.tell(`${this.tool.label}. ${this.tool.says[0]}`);
  }

  /** Gives up what was begun. @returns {boolean} whether there was something */
  cancel() {
    const had = this.picks.length > 0 || this.moves !== null || this.typed !== null || this.size !== null;
    this.picks = [];
    this.typed = this.size = null;
    this.shown = this.moves = null;
    this.changed();
    return had;
  }

  /** @param {string} text @param {boolean} [isRefusal] */
  tell(text, isRefusal = false) {
    this.message = { text, isRefusal };
    if (text) this.app.say(text);
    this.changed();
  }

  /** What to do next. */
  get advice() {
    return this.tool.says[Math.min(this.picks.length, this.tool.says.length - 1)];
  }

  /** Whether a number can be typed now. */
  get takesNumber() {
    return Boolean(this.tool.number);
  }

  /** How far something may be away to be taken, m. @param {string} pointer */
  reach(pointer = "mouse") {
    return (pointer === "mouse" ? REACH.mouse : REACH.touch) / this.camera.scale;
  }

  /**
   * Where a click would be.
   * @param {Vector} at
   * @param {string} [pointer]
   * @param {boolean} [free]   without the grid
   */
  point(at, pointer = "mouse", free = false) {
    const from = this.picks.length > 0 ? this.picks[this.picks.length - 1].at : null;
    const snapped = snap(at, { spots: this.openSpots(), step: this.camera.step, reach: this.reach(pointer), from, lengths: this.lengths(), off: free });
    const bar = snapped.kind === "spot" || this.tool.name === "select" ? null : this.onBars(at, pointer, free);
    this.cursor = { at: this.sized(bar ?? snapped.at), hint: snapped.hint, isOnSpot: snapped.kind === "spot" || bar !== null };
    this.changed();
    return this.cursor.at;
  }

  /** Where spots are that are not in the hand. */
  openSpots() {
    return this.draft?.spots.filter((spot) => !this.moves?.some((move) => move.spot === spot)).map((spot) => spot.at) ?? [];
  }

  /** The end of a line whose length was typed before it was begun. @param {Vector} at @returns {Vector} */
  sized(at) {
    const from = this.picks[0]?.at;
    if (!from || !this.size) return at;
    const { length, angle } = this.size;
    return plus(from, times(length ?? distance(from, at), turned([1, 0], angle ?? direction(from, at))));
  }

  /** Lengths of links, to draw others as long. */
  lengths() {
    const bodies = this.draft?.mechanism.bodies ?? [];
    return bodies.flatMap(({ name, points }) => {
      const [a, b] = ["A", "B"].map((end) => points.find((point) => point.name === end)?.at);
      return a && b ? [{ name, length: distance(a, b) }] : [];
    });
  }

  /**
   * The place on a bar under the pointer: where two bars cross, on the grid, in the middle, or a round distance from an end.
   * @param {Vector} at
   * @param {string} pointer
   * @param {boolean} free
   * @returns {Vector | null}
   */
  onBars(at, pointer, free) {
    const { mechanism, spots } = this.draft ?? {};
    if (!mechanism || !spots) return null;
    const bars = hitAt(mechanism, spots, at, this.reach(pointer)).bodies.filter((body) => barAngle(mechanism, body) !== null)
      .map((body) => {
        const [from, to] = hull(outlineOf(mechanism, body));
        return { from, way: unit(minus(to, from)), length: distance(from, to) };
      });
    if (bars.length === 0) return null;
    const [one, other] = bars;
    const along = dot(minus(at, one.from), one.way);
    const cross = other ? one.way[0] * other.way[1] - one.way[1] * other.way[0] : 0;
    if (other && Math.abs(cross) > 0.05) {
      const apart = minus(other.from, one.from);
      return plus(one.from, times((apart[0] * other.way[1] - apart[1] * other.way[0]) / cross, one.way));
    }
    const { step } = this.camera;
    const grid = toGrid(at, step), gridAlong = dot(minus(grid, one.from), one.way);
    const places = [gridAlong, one.length / 2, clean(Math.round(along / step) * step)];
    const isOn = [distance(grid, plus(one.from, times(gridAlong, one.way))) < 0.02 * step, Math.abs(along - one.length / 2) < 0.5 * this.reach(pointer), true];
    const place = free ? along : places[isOn.indexOf(true)];
    return plus(one.from, times(Math.min(one.length, Math.max(0, place)), one.way));
  }

  /** What lies at a place. @param {Vector} at @param {string} [pointer] @returns {Pick} */
  pick(at, pointer = "mouse") {
    if (!this.draft) return { at, spot: null, bodies: [], item: null };
    const near = hitAt(this.draft.mechanism, this.draft.spots, at, this.tool.name === "select" || this.tool.name === "delete" ? this.reach(pointer) : 0.35 * this.reach(pointer));
    return { ...near, at: near.spot && this.tool.name !== "select" ? near.spot.at : at };
  }

  /** A click. @param {Vector} at @param {string} [pointer] */
  click(at, pointer = "mouse") {
    this.whenCurrent(() => this.clickNow(at, pointer));
  }

  /** @param {Vector} at @param {string} pointer @returns {void} */
  clickNow(at, pointer) {
    const { draft } = this;
    if (!draft) return;
    this.isTouched = true;
    if (this.isBroken) return this.tell("The text has a mistake that keeps it from being read: put it right, or take it back with undo. Then draw on.", true);
    const pick = this.pick(this.sized(at), pointer);
    // keys go on from there
    if (this.cursor && this.isHeld) this.cursor.at = pick.at;
    if (this.tool.name === "select") return this.select(itemAt(draft, pick, this.selected));
    // the first corner once more, or the last one: a double click
    const ends = [this.picks[0], this.picks[this.picks.length - 1]];
    const closes = this.tool.name === "plate" && this.picks.length > 1 && ends.some((end) => distance(end.at, pick.at) < this.reach(pointer));
    if (!closes) this.picks.push(pick);
    if (closes || this.picks.length >= this.tool.wants(draft, this.picks)) return this.act();
    if (this.size?.length && this.size.angle !== null) return this.clickNow(at, pointer);
    this.tell(this.advice);
  }

  /** Ends a tool that takes any number of places. */
  finish() {
    if (this.tool.name === "plate" && this.picks.length > 1) this.whenCurrent(() => this.act());
  }

  act() {
    const { draft, picks, typed } = this;
    if (!draft) return;
    this.picks = [];
    this.typed = this.size = null;
    this.apply(useTool(this.tool, draft, picks, typed));
  }

  /** Writes what a gesture made of the text. @param {Outcome} outcome */
  apply(outcome) {
    if (outcome.select !== undefined) this.selected = outcome.select;
    this.wanted = outcome.focus ?? null;
    if (outcome.refusal !== undefined) {
      this.shown = this.moves = null;
      return this.tell(outcome.refusal, true);
    }
    if (outcome.text === undefined || outcome.text === this.app.state.model.text) {
      this.shown = this.moves = null;
      return this.changed();
    }
    const set = Object.fromEntries(Object.entries(this.app.state.set).filter(([name]) => !outcome.parameters?.includes(name)));
    this.tell(`${titleOf(outcome.label)}: done.`);
    this.app.change({ model: { text: outcome.text }, set }, outcome.label);
    this.app.check();
  }

  /** What was typed while drawing. @param {string} text @returns {boolean} whether it could be used */
  type(text) {
    const [first] = this.picks;
    if (this.tool.preview === "line") {
      const size = typedSize(text);
      this.size = size;
      if (first && size && this.cursor) this.click(this.cursor.at);
      else if (size) this.tell(`${[size.length && `${size.length} m`, size.angle !== null && `${Number((size.angle * 180 / Math.PI).toFixed(3))}°`].filter(Boolean).join(", ")}: ${this.tool.says[0]}`);
      return size !== null;
    }
    const number = Number(text.trim());
    if (!this.tool.number || text.trim() === "" || !Number.isFinite(number)) return false;
    this.typed = number;
    if (this.tool.preview === "guide" && first) this.whenCurrent(() => this.act());
    else this.tell(`${this.tool.number}: ${number}. ${this.advice}`);
    return true;
  }

  /** @param {Item | null} item */
  select(item) {
    this.selected = item;
    this.tell(item && this.draft ? `${wordFor(this.draft, item)} is selected.` : "");
  }

  /** The next thing in the order of the text. @param {number} by @returns {boolean} false behind the last one */
  selectNext(by) {
    if (!this.draft) return false;
    const all = allItems(this.draft);
    // what a tool has selected is no stop of Tab: it begins with the first
    const now = sameItem(this.visited, this.selected) ? all.findIndex((item) => sameItem(item, this.selected)) : -1;
    const next = now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by;
    const item = all[next];
    if (!item) {
      this.select(null);
      return false;
    }
    const at = placeOfItem(this.draft, item);
    if (at) {
      this.camera.follow(at);
      this.cursor = { at, hint: "", isOnSpot: true };
      this.isHeld = true;
    }
    this.visited = item;
    this.select(item);
    return true;
  }

  deleteSelected() {
    const { selected } = this;
    if (!selected) return;
    this.whenCurrent(() => {
      if (this.draft) this.apply(removeItem(this.draft, selected));
    });
  }

  /** Moves the crosshair. @param {number} right @param {number} up @param {boolean} fine */
  step(right, up, fine) {
    const step = this.camera.step * (fine ? 0.1 : 1);
    const from = this.cursor?.at ?? this.camera.toWorld([this.camera.width / 2, this.camera.height / 2]);
    const to = /** @type {Vector} */ ([clean(Math.round(from[0] / step + right) * step), clean(Math.round(from[1] / step + up) * step)]);
    this.isHeld = true;
    this.camera.follow(to);
    // every spot is half a step at most from a place of the grid: none is out of reach
    const at = this.openSpots().find((spot) => spot.every((value, axis) => Math.abs(value - to[axis]) < 0.499 * step)) ?? to;
    const pick = this.pick(at);
    this.cursor = { at, hint: "", isOnSpot: pick.spot !== null };
    if (this.moves) this.drag(at);
    const [x, y] = at.map((value) => Number(value.toPrecision(6)));
    this.app.say(`x ${x}, y ${y}${this.draft ? `: ${described(this.draft, pick)}` : ""}`);
    this.changed();
  }

  /**
   * Takes hold of what lies at a place, to move it.
   * @param {Vector} at
   * @param {string} [pointer]
   * @returns {boolean} whether there was something
   */
  grab(at, pointer = "mouse") {
    const { draft } = this;
    if (!draft || !this.isCurrent || this.isBroken) return false;
    const { spot, bodies } = this.pick(at, pointer);
    if (spot) this.moves = [{ spot, to: spot.at }];
    else if (bodies.length > 0) this.moves = shiftedSpots(draft, bodies[0], [0, 0]);
    else return false;
    this.isTouched = true;
    this.grabbed = { at, from: this.moves.map((move) => move.spot.at) };
    return true;
  }

  /** Moves what is in the hand. @param {Vector} to @param {string} [pointer] @param {boolean} [free] */
  drag(to, pointer = "mouse", free = false) {
    const { draft, moves, grabbed } = this;
    if (!draft || !moves || !grabbed) return;
    const [first] = grabbed.from;
    // a joint goes to the grid itself, a body by steps of the grid
    const by = minus(to, grabbed.at);
    const target = this.isHeld ? to : this.point(plus(first, by), pointer, free);
    const shift = minus(this.isHeld ? plus(first, by) : target, first);
    this.moves = moves.map((move, at) => ({ spot: move.spot, to: /** @type {Vector} */ (plus(grabbed.from[at], shift).map(clean)) }));
    this.shown = movedMechanism(draft.mechanism, this.moves);
    this.message = { text: this.dimensions(), isRefusal: false };
    this.changed();
  }

  /** The spot that a single one in the hand was put on. @param {readonly { spot: Spot, to: Vector }[]} moved @returns {Spot | null} */
  spotUnder(moved) {
    const [{ spot, to }] = moved;
    const { draft } = this;
    const under = moved.length === 1 ? draft?.spots.find((other) => other !== spot && distance(other.at, to) < 1e-9 && !isGuide(draft.mechanism, other)) : undefined;
    return under && joinable(spot, under) ? under : null;
  }

  /** Lengths of the links that are in the hand, and what letting go would do. */
  dimensions() {
    const joins = this.moves && this.spotUnder(this.moves) ? ["let go to pin it there"] : [];
    const touched = new Set(this.moves?.flatMap(({ spot }) => spot.nodes.map((node) => node.body)));
    const bodies = this.shown?.bodies.filter((_, at) => touched.has(at)) ?? [];
    const lengths = bodies.flatMap(({ name, points, pose }) => {
      const [a, b] = ["A", "B"].map((end) => points.find((point) => point.name === end)?.at);
      return a && b ? [`${name} ${Number(distance(a, b).toPrecision(4))} m at ${Number((pose[2] * 180 / Math.PI).toFixed(1))}°`] : [];
    });
    return [...lengths, ...joins].join(" · ");
  }

  /** Lets go: the text follows. */
  drop() {
    const { draft, moves } = this;
    if (!draft || !moves) return;
    const moved = moves.filter(({ spot, to }) => distance(spot.at, to) > 1e-9);
    if (moved.length === 0) {
      this.shown = this.moves = null;
      return this.changed();
    }
    const { spot } = moved[0];
    const name = spot.joints.length > 0 ? draft.mechanism.joints[spot.joints[0]].name : spot.nodes[0].point ?? "";
    this.apply(moveSpots(draft, moved, moved.length > 1 ? "move a body" : `move ${name}`, this.spotUnder(moved)));
  }
}
