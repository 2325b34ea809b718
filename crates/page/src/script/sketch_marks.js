// What is shown while something is drawn: the rubber band with its dimensions, the crosshair, what a click would take.
import { direction, distance, middle, minus, plus, times, turned, unit } from "./sketch_geometry.js";
import { arrow } from "./sketch_draw.js";
import { circle, group, label, line, path, polyline, springPath } from "./sketch_shapes.js";
import { FORCE_PER_LENGTH } from "./sketch_acts.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_camera.js").Camera} Camera */

/**
 * @typedef {object} Marked
 * @property {import("./sketch_tools.js").Tool} tool
 * @property {readonly { at: Vector }[]} picks
 * @property {Vector | null} cursor   where a click would be, m
 * @property {boolean} isOnSpot       whether it would take a spot
 * @property {boolean} isHeld         whether the keyboard leads it
 * @property {string} hint
 */

/** A length for people: as many digits as can be seen. @param {number} metres @param {number} step */
function lengthText(metres, step) {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step)) + 1));
  return `${Number(metres.toFixed(digits))} m`;
}

/** @param {number} angle   rad */
function angleText(angle) {
  return `${Number((angle * 180 / Math.PI).toFixed(1))}°`;
}

/**
 * What a line from one place to another measures.
 * @param {Vector} from
 * @param {Vector} to
 * @param {import("./sketch_tools.js").Tool} tool
 * @param {number} step
 */
function measured(from, to, tool, step) {
  const angle = direction(from, to);
  if (tool.preview === "arrow") return `${Number((distance(from, to) * FORCE_PER_LENGTH).toPrecision(3))} N, ${angleText(angle)}`;
  if (tool.preview === "guide") return angleText(angle);
  if (tool.preview === "wheels") return lengthText(distance(from, to), step);
  return `${lengthText(distance(from, to), step)}, ${angleText(angle)}`;
}

/**
 * @param {Marked} marked
 * @param {Camera} camera
 * @returns {SVGElement}
 */
export function drawMarks({ tool, picks, cursor, isOnSpot, isHeld, hint }, camera) {
  const places = picks.map((pick) => camera.toScreen(pick.at));
  const at = cursor && camera.toScreen(cursor);
  const parts = places.map((place) => circle(place, 5, "sk-picked"));
  if (at && cursor && places.length > 0) {
    const last = places[places.length - 1];
    parts.unshift(...rubberBand(tool, places, last, at));
    const text = [measured(picks[picks.length - 1].at, cursor, tool, camera.step), hint].filter(Boolean).join(" · ");
    // next to the line, where it does not leave the picture
    const side = at[0] > camera.width - 150 ? -1 : 1;
    const way = unit(minus(at, last));
    const off = times(18, Math.abs(way[0]) > 0.5 ? [0, -1] : [side, 0]);
    const note = label(text, plus(plus(middle(last, at), off), [0, 4]), "sk-measure");
    note.setAttribute("text-anchor", Math.abs(way[0]) > 0.5 ? "middle" : side < 0 ? "end" : "start");
    parts.push(note);
  }
  if (at) {
    if (isOnSpot) parts.push(circle(at, 11, "sk-ring"));
    else if (tool.name !== "select") parts.push(circle(at, 3, "sk-dot"));
    if (isHeld) parts.push(path(`M${at[0] - 16} ${at[1]}H${at[0] - 5}M${at[0] + 5} ${at[1]}H${at[0] + 16}M${at[0]} ${at[1] - 16}V${at[1] - 5}M${at[0]} ${at[1] + 5}V${at[1] + 16}`, "sk-cross"), circle(at, 5, "sk-cross"));
  }
  return group("sk-marks", parts);
}

/** @param {import("./sketch_tools.js").Tool} tool @param {Vector[]} places @param {Vector} last @param {Vector} at */
function rubberBand(tool, places, last, at) {
  switch (tool.preview) {
    case "line": return [line(last, at, tool.name === "link" ? "sk-band sk-wide" : "sk-band")];
    case "spring": return [path(springPath(last, at, tool.name === "damper" ? "damper" : "spring"), "sk-band")];
    case "arrow": return [path(arrow(last, at), "sk-band")];
    case "polygon": return [path(`${polyline([...places, at])}Z`, "sk-band sk-area")];
    case "guide": {
      const way = unit(distance(last, at) > 4 ? minus(at, last) : [1, 0]);
      return [line(plus(last, times(-120, way)), plus(last, times(120, way)), "sk-band")];
    }
    case "wheels": {
      const far = distance(last, at);
      if (tool.name === "gears") return [circle(last, far / 2, "sk-band"), circle(at, far / 2, "sk-band"), line(last, at, "sk-band")];
      const way = turned(unit(minus(at, last)), Math.PI / 2);
      return [circle(last, far, "sk-band"), line(plus(at, times(-Math.max(60, far), way)), plus(at, times(Math.max(60, far), way)), "sk-band")];
    }
    default: return [];
  }
}
