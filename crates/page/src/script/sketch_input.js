// Mouse, fingers and keys on the drawing board.
import { distance, minus } from "./sketch_geometry.js";
import { TOOLS } from "./sketch_tools.js";

/** @typedef {import("./sketch_board.js").Board} Board */
/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_pose.js").PoseHand} PoseHand */

/**
 * What the hand works with.
 * @typedef {object} Desk
 * @property {HTMLElement} surface
 * @property {Board} board
 * @property {PoseHand} hand
 * @property {HTMLInputElement} field   where numbers are typed
 */

/** A press that moves less than this is a click, px. */
const CLICK = { mouse: 5, touch: 12 };
const WHEEL_SPEED = 0.0015;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {PointerEvent} event */
const kind = (event) => event.pointerType === "mouse" ? "mouse" : "touch";

/**
 * @param {Desk} desk
 * @returns {{ key: (event: KeyboardEvent) => boolean }}   for keys that were pressed elsewhere in the view
 */
export function listen(desk) {
  const { surface } = desk;
  const pointer = new Pointer(desk);
  const keys = new Keys(desk, pointer);
  surface.addEventListener("pointerdown", (event) => pointer.press(event));
  surface.addEventListener("pointermove", (event) => pointer.move(event));
  surface.addEventListener("pointerup", (event) => pointer.release(event));
  surface.addEventListener("pointercancel", (event) => pointer.lose(event));
  surface.addEventListener("pointerleave", () => pointer.leave());
  surface.addEventListener("wheel", (event) => {
    event.preventDefault();
    desk.board.zoom(Math.exp(-event.deltaY * WHEEL_SPEED * (event.deltaMode === 1 ? 20 : 1)), pointer.placeOf(event));
  }, { passive: false });
  surface.addEventListener("keyup", (event) => { if (event.key === " ") pointer.isSpaceDown = false; });
  surface.addEventListener("blur", () => { pointer.isSpaceDown = false; });
  surface.addEventListener("keydown", (event) => keys.press(event));
  return { key: (event) => keys.choose(event) };
}

class Pointer {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Map<number, Vector>} fingers and where they are, px */
    this.fingers = new Map();
    /** @type {{ id: number, px: Vector, does: "click" | "move" | "pose" | "pan", hasMoved: boolean } | null} */
    this.pressed = null;
    this.isSpaceDown = false;
  }

  /** @param {MouseEvent} event @returns {Vector} */
  placeOf(event) {
    const box = this.desk.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Gives up what is in the hand. */
  giveUp() {
    if (this.pressed?.does === "move") this.desk.board.cancel();
    if (this.pressed?.does === "pose") this.desk.hand.cancel();
    this.pressed = null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { surface, board } = this.desk;
    const px = this.placeOf(event);
    this.fingers.set(event.pointerId, px);
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    board.isHeld = false;
    // two fingers zoom: what the first one began is not meant
    if (this.fingers.size > 1) return this.giveUp();
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault();
    const at = board.camera.toWorld(px);
    const does = this.meant(event, at);
    this.pressed = { id: event.pointerId, px, does, hasMoved: false };
    // the first end of a line that is drawn by dragging
    if (does === "click") board.point(at, kind(event), event.altKey);
  }

  /** @param {PointerEvent} event @param {Vector} at @returns {"click" | "move" | "pose" | "pan"} */
  meant(event, at) {
    const { board, hand } = this.desk;
    if (event.button === 1 || this.isSpaceDown) return "pan";
    if (board.tool.name !== "select") return "click";
    if (hand.isTaken) return hand.grab(at, kind(event)) ? "pose" : "pan";
    return board.grab(at, kind(event)) ? "move" : "pan";
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { board, hand } = this.desk;
    const { fingers, pressed } = this;
    const px = this.placeOf(event);
    const before = fingers.get(event.pointerId);
    if (before) fingers.set(event.pointerId, px);
    if (fingers.size === 2 && before) return this.pinch(event.pointerId, before, px);
    const at = board.camera.toWorld(px);
    if (!pressed) {
      if (event.pointerType === "mouse") board.point(at, "mouse", event.altKey);
      return;
    }
    if (!pressed.hasMoved && distance(px, pressed.px) < CLICK[kind(event)]) return;
    if (!pressed.hasMoved && pressed.does === "click") this.beginLine(pressed.px, kind(event), event.altKey);
    pressed.hasMoved = true;
    if (pressed.does === "pan" && before) board.push(minus(px, before));
    else if (pressed.does === "move") board.drag(at, kind(event), event.altKey);
    else if (pressed.does === "pose") hand.drag(at);
    else board.point(at, kind(event), event.altKey);
  }

  /** @param {number} finger @param {Vector} before @param {Vector} px */
  pinch(finger, before, px) {
    const { board } = this.desk;
    const other = [...this.fingers].find(([id]) => id !== finger)?.[1] ?? px;
    const [was, is] = [distance(before, other), distance(px, other)];
    board.push([(px[0] - before[0]) / 2, (px[1] - before[1]) / 2]);
    if (was > 0 && is > 0) board.zoom(is / was, [(px[0] + other[0]) / 2, (px[1] + other[1]) / 2]);
  }

  /** A line that is dragged has its first place where the press was. @param {Vector} px @param {string} pointer @param {boolean} free */
  beginLine(px, pointer, free) {
    const { board } = this.desk;
    if (board.picks.length > 0 || !board.draft || board.tool.wants(board.draft, []) !== 2) return;
    board.click(board.point(board.camera.toWorld(px), pointer, free), pointer);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { board, hand } = this.desk;
    const { pressed } = this;
    this.fingers.delete(event.pointerId);
    if (!pressed || pressed.id !== event.pointerId) return;
    const { does, hasMoved } = pressed;
    const at = board.camera.toWorld(this.placeOf(event));
    if (hasMoved && (does === "move" || does === "pose")) {
      this.pressed = null;
      return (does === "move" ? board : hand).drop();
    }
    this.giveUp();
    if (does === "pan" && (hasMoved || board.tool.name !== "select")) return;
    if (board.tool.name === "select") return board.click(at, kind(event));
    board.click(board.point(at, kind(event), event.altKey), kind(event));
    if (event.pointerType !== "mouse" && board.picks.length === 0) board.cursor = null;
  }

  /** @param {PointerEvent} event */
  lose(event) {
    this.fingers.delete(event.pointerId);
    this.giveUp();
    this.desk.board.cancel();
  }

  leave() {
    const { board } = this.desk;
    if (this.pressed || board.isHeld || board.picks.length > 0) return;
    board.cursor = null;
    board.changed();
  }
}

class Keys {
  /** @param {Desk} desk @param {Pointer} pointer */
  constructor(desk, pointer) {
    this.desk = desk;
    this.pointer = pointer;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    // what is half drawn is taken back before what stands
    if (isUndo && this.desk.board.cancel()) return event.stopPropagation(), event.preventDefault();
    if (event.ctrlKey || event.metaKey) return;
    // the space bar pans with the mouse, and clicks where the keyboard leads
    const pans = event.key === " " && !this.desk.board.isHeld;
    if (pans) this.pointer.isSpaceDown = true;
    else if (!this.means(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  means(event) {
    const { board, field } = this.desk;
    const arrow = ARROWS[event.key];
    if (arrow) return board.step(arrow[0], arrow[1], event.shiftKey), true;
    switch (event.key) {
      case "Enter": case " ": return this.enter(event.key), true;
      case "Escape": return this.escape();
      case "Delete": case "Backspace": return board.deleteSelected(), true;
      case "Tab": return board.selectNext(event.shiftKey ? -1 : 1);
      case "+": return board.zoom(1.25), true;
      case "-": if (!board.takesNumber) return board.zoom(0.8), true; break;
      case "0": if (!board.takesNumber) return board.fit(), true; break;
    }
    if (/^[\d.,@<-]$/.test(event.key) && board.takesNumber) {
      field.hidden = false;
      field.focus();
      field.value = event.key;
      return true;
    }
    return this.choose(event);
  }

  /** A letter takes a tool; where nothing is pointed at the crosshair shows where Enter would click. @param {KeyboardEvent} event */
  choose(event) {
    const { board, surface } = this.desk;
    const tool = TOOLS.find(({ letter }) => letter === event.key.toLowerCase());
    if (!tool || event.altKey || board.isOther) return false;
    surface.focus({ preventScroll: true });
    if (!board.cursor) board.step(0, 0, false);
    board.choose(tool.name);
    return true;
  }

  /** @param {string} key */
  enter(key) {
    const { board } = this.desk;
    if (board.tool.name === "plate" && key === "Enter" && board.picks.length > 1) return board.finish();
    if (board.moves && board.isHeld) return board.drop();
    const at = board.cursor?.at;
    if (!at) return board.step(0, 0, false);
    const { selected } = board;
    board.click(at);
    // a second press takes hold of what is selected
    if (board.tool.name === "select" && board.isHeld && selected && board.selected && board.grab(at)) board.tell("In the hand: arrows move it, Enter lets go, Escape gives up.");
  }

  escape() {
    const { board } = this.desk;
    if (board.cancel()) return board.tell("Given up."), true;
    if (board.selected) return board.select(null), true;
    if (board.tool.name !== "select") return board.choose("select"), true;
    return false;
  }
}
