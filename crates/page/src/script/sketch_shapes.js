// Pieces of drawings, px.
import { clean } from "./sketch_snap.js";
import { across, distance, minus, plus, times, unit } from "./sketch_geometry.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */

const SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {readonly Element[]} [children]
 * @returns {SVGElement}
 */
export function svg(tag, attributes, children = []) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SPACE, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {string} classes @param {readonly Element[]} children */
export const group = (classes, children) => svg("g", { class: classes }, children);
/** @param {string} d @param {string} classes */
export const path = (d, classes) => svg("path", { d, class: classes });
/** @param {Vector} from @param {Vector} to @param {string} classes */
export const line = (from, to, classes) => path(polyline([from, to]), classes);
/** @param {Vector} at @param {number} r @param {string} classes */
export const circle = (at, r, classes) => svg("circle", { cx: at[0].toFixed(2), cy: at[1].toFixed(2), r: Math.max(0, r).toFixed(2), class: classes });

/** @param {string} text @param {Vector} at @param {string} classes */
export function label(text, at, classes) {
  const element = svg("text", { x: at[0].toFixed(1), y: at[1].toFixed(1), class: classes });
  element.textContent = text;
  return element;
}

/** @param {readonly (readonly number[])[]} points */
export function polyline(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
}

/**
 * A spring, a damper, or both side by side.
 * @param {Vector} from
 * @param {Vector} to
 * @param {"spring" | "damper" | "both"} kind
 */
export function springPath(from, to, kind) {
  const length = distance(from, to);
  if (length < 8) return polyline([from, to]);
  const way = unit(minus(to, from)), side = across(way);
  const at = (/** @type {number} */ s, /** @type {number} */ off) => plus(plus(from, times(s, way)), times(off, side));
  const coil = (/** @type {number} */ off, /** @type {number} */ width) => {
    const points = [at(0, off), at(0.14 * length, off)];
    for (let turn = 0; turn < 12; turn++) points.push(at(length * (0.14 + 0.72 * (turn + 0.5) / 12), off + (turn % 2 ? -width : width)));
    return polyline([...points, at(0.86 * length, off), at(length, off)]);
  };
  const damper = (/** @type {number} */ off, /** @type {number} */ width) => {
    const cup = Math.min(26, 0.4 * length), bottom = 0.5 * (length - cup), top = bottom + cup, piston = bottom + 0.55 * cup;
    return polyline([at(0, off), at(bottom, off)]) + polyline([at(top, off + width), at(bottom, off + width), at(bottom, off - width), at(top, off - width)])
      + polyline([at(piston, off + 0.8 * width), at(piston, off - 0.8 * width)]) + polyline([at(piston, off), at(length, off)]);
  };
  if (kind === "spring") return coil(0, 8);
  if (kind === "damper") return damper(0, 8);
  return polyline([at(0, -9), at(0, 9)]) + polyline([at(length, -9), at(length, 9)]) + coil(-9, 5) + damper(9, 5);
}

/** A spring that winds up around a place. @param {Vector} at */
export function spiral(at) {
  const points = Array.from({ length: 60 }, (_, i) => {
    const angle = i / 59 * 4.5 * Math.PI, radius = 7 + 10 * i / 59;
    return plus(at, [radius * Math.cos(angle), radius * Math.sin(angle)]);
  });
  return polyline(points);
}

/**
 * The lines of a grid with numbers along the edges, and the axes where they can be seen.
 * @param {import("./sketch_camera.js").Camera} camera
 * @returns {SVGElement}
 */
export function gridLines(camera) {
  const { step, width, height } = camera;
  const [left, top] = camera.toWorld([0, 0]), [right, bottom] = camera.toWorld([width, height]);
  /** @type {{ fine: string[], coarse: string[] }} */
  const lines = { fine: [], coarse: [] };
  /** @type {Element[]} */
  const numbers = [];
  const add = (/** @type {number} */ number, /** @type {string} */ d, /** @type {Vector} */ at) => {
    (number % 5 === 0 ? lines.coarse : lines.fine).push(d);
    // in the corner there is room for one of them only
    if (number % 5 === 0 && at[0] < width - 40 && at[1] > 14 && at[1] < height - (at[0] < 5 ? 20 : 0)) numbers.push(label(`${clean(number * step)} m`.replace("-", "−"), at, "sk-number"));
  };
  for (let i = Math.ceil(left / step); i * step <= right; i++) {
    const x = Math.round(camera.toScreen([i * step, 0])[0]) + 0.5;
    add(i, `M${x} 0V${height}`, [x + 3, height - 4]);
  }
  for (let i = Math.ceil(bottom / step); i * step <= top; i++) {
    const y = Math.round(camera.toScreen([0, i * step])[1]) + 0.5;
    add(i, `M0 ${y}H${width}`, [4, y - 3]);
  }
  const [ox, oy] = camera.toScreen([0, 0]).map((value) => Math.round(value) + 0.5);
  return group("sk-grid", [path(lines.fine.join(""), "sk-fine"), path(lines.coarse.join(""), "sk-coarse"), path(`M${ox} 0V${height}M0 ${oy}H${width}`, "sk-axis"), ...numbers]);
}
