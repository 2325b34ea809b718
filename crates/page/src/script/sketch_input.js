// Mouse, fingers and keys on the drawing board.
import { distance, minus } from "./sketch_geometry.js";
import { TOOLS } from "./sketch_tools.js";

/** @typedef {import("./sketch_board.js").Board} Board */
/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_pose.js").PoseHand} PoseHand */

/** A press that moves less than this is a click, px. */
const CLICK = { mouse: 5, touch: 12 };
const WHEEL_SPEED = 0.0015;

/**
 * @param {HTMLElement} surface
 * @param {Board} board
 * @param {object} more
 * @param {PoseHand} more.hand
 * @param {() => boolean} more.isPose     whether dragging moves the pose instead of lengths
 * @param {HTMLInputElement} more.field   where numbers are typed
 */
export function listen(surface, board, { hand, isPose, field }) {
  /** @type {Map<number, Vector>} fingers and where they are, px */
  const fingers = new Map();
  /** @type {{ id: number, px: Vector, does: "click" | "move" | "pose" | "pan", hasMoved: boolean } | null} */
  let press = null;
  let isSpaceDown = false;

  /** @param {MouseEvent} event @returns {Vector} */
  const placeOf = (event) => {
    const box = surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  /** @param {PointerEvent} event */
  const kind = (event) => event.pointerType === "mouse" ? "mouse" : "touch";

  surface.addEventListener("pointerdown", (event) => {
    const px = placeOf(event);
    fingers.set(event.pointerId, px);
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    board.isHeld = false;
    if (fingers.size > 1) {
      // two fingers zoom: what the first one began is not meant
      if (press?.does === "move") board.cancel();
      if (press?.does === "pose") hand.cancel();
      press = null;
      return;
    }
    const at = board.camera.toWorld(px);
    const pans = event.button === 1 || isSpaceDown;
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault();
    const isSelect = board.tool.name === "select";
    const does = pans ? "pan" : !isSelect ? "click" : isPose() ? (hand.grab(at, kind(event)) ? "pose" : "pan") : board.grab(at, kind(event)) ? "move" : "pan";
    press = { id: event.pointerId, px, does, hasMoved: false };
    // the first end of a line that is drawn by dragging
    if (does === "click") board.point(at, kind(event), event.altKey);
  });

  surface.addEventListener("pointermove", (event) => {
    const px = placeOf(event);
    const before = fingers.get(event.pointerId);
    if (fingers.size === 2 && before) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1] ?? px;
      const [was, is] = [distance(before, other), distance(px, other)];
      board.push([(px[0] - before[0]) / 2, (px[1] - before[1]) / 2]);
      if (was > 0 && is > 0) board.zoom(is / was, [(px[0] + other[0]) / 2, (px[1] + other[1]) / 2]);
      return void fingers.set(event.pointerId, px);
    }
    if (before) fingers.set(event.pointerId, px);
    const at = board.camera.toWorld(px);
    if (!press) {
      if (event.pointerType === "mouse") board.point(at, "mouse", event.altKey);
      return;
    }
    const far = distance(px, press.px);
    if (!press.hasMoved && far < CLICK[kind(event)]) return;
    if (!press.hasMoved && press.does === "click") beginLine(press.px, kind(event), event.altKey);
    press.hasMoved = true;
    if (press.does === "pan" && before) board.push(minus(px, before));
    else if (press.does === "move") board.drag(at, kind(event), event.altKey);
    else if (press.does === "pose") hand.drag(at);
    else board.point(at, kind(event), event.altKey);
  });

  /** A line that is dragged has its first place where the press was. @param {Vector} px @param {string} pointer @param {boolean} free */
  function beginLine(px, pointer, free) {
    if (board.picks.length > 0 || !board.draft || board.tool.wants(board.draft, []) !== 2) return;
    board.click(board.point(board.camera.toWorld(px), pointer, free), pointer);
  }

  /** @param {PointerEvent} event */
  const release = (event) => {
    const px = placeOf(event);
    fingers.delete(event.pointerId);
    if (!press || press.id !== event.pointerId) return;
    const { does, hasMoved } = press;
    press = null;
    const at = board.camera.toWorld(px);
    if (does === "move" && hasMoved) return board.drop();
    if (does === "pose" && hasMoved) return hand.drop();
    if (does === "move") board.cancel();
    if (does === "pose") hand.cancel();
    if (does === "pan" && (hasMoved || board.tool.name !== "select")) return;
    if (board.tool.name === "select") return board.click(at, kind(event));
    board.click(board.point(at, kind(event), event.altKey), kind(event));
    if (event.pointerType !== "mouse" && board.picks.length === 0) board.cursor = null;
  };
  surface.addEventListener("pointerup", release);
  surface.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    if (press?.does === "pose") hand.cancel();
    press = null;
    board.cancel();
  });
  surface.addEventListener("pointerleave", () => {
    if (press || board.isHeld || board.picks.length > 0) return;
    board.cursor = null;
    board.changed();
  });
  surface.addEventListener("wheel", (event) => {
    event.preventDefault();
    board.zoom(Math.exp(-event.deltaY * WHEEL_SPEED * (event.deltaMode === 1 ? 20 : 1)), placeOf(event));
  }, { passive: false });

  surface.addEventListener("keyup", (event) => { if (event.key === " ") isSpaceDown = false; });
  surface.addEventListener("blur", () => { isSpaceDown = false; });
  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    // the space bar pans with the mouse, and clicks where the keyboard leads
    if (event.key === " " && !board.isHeld) {
      isSpaceDown = true;
      event.preventDefault();
      return;
    }
    if (pressKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  function pressKey(event) {
    const arrows = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });
    const arrow = arrows[event.key];
    if (arrow) return board.step(arrow[0], arrow[1], event.shiftKey), true;
    switch (event.key) {
      case "Enter": case " ": return enter(event.key), true;
      case "Escape": return escape();
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
    const tool = TOOLS.find(({ letter }) => letter === event.key.toLowerCase());
    if (tool && !event.altKey) board.choose(tool.name);
    return tool !== undefined && !event.altKey;
  }

  /** @param {string} key */
  function enter(key) {
    if (board.tool.name === "plate" && key === "Enter" && board.picks.length > 1) return board.finish();
    if (board.moves && board.isHeld) return board.drop();
    const at = board.cursor?.at;
    if (!at) return board.step(0, 0, false);
    const { selected } = board;
    board.click(at);
    // a second press takes hold of what is selected
    if (board.tool.name === "select" && board.isHeld && selected && board.selected && board.grab(at)) board.tell("In the hand: arrows move it, Enter lets go, Escape gives up.");
  }

  function escape() {
    if (board.cancel()) return board.tell("Given up."), true;
    if (board.selected) return board.select(null), true;
    if (board.tool.name !== "select") return board.choose("select"), true;
    return false;
  }
}
