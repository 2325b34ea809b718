// The part of the plane that a drawing shows.
import { gridStep } from "./sketch_snap.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */

/** px per m */
const [LEAST_SCALE, MOST_SCALE] = [1e-3, 1e6];

/** A window of the plane, `width` × `height` px, with a place of the world in its middle. */
export class Camera {
  constructor() {
    this.width = 600;
    this.height = 400;
    /** @type {Vector} */
    this.middle = [0.6, 0.3];
    this.scale = 250;
  }

  /** The distance of the lines of the grid, m. */
  get step() {
    return gridStep(this.scale);
  }

  /** @param {readonly number[]} at @returns {Vector} px */
  toScreen(at) {
    return [this.width / 2 + (at[0] - this.middle[0]) * this.scale, this.height / 2 - (at[1] - this.middle[1]) * this.scale];
  }

  /** @param {readonly number[]} px @returns {Vector} m */
  toWorld(px) {
    return [this.middle[0] + (px[0] - this.width / 2) / this.scale, this.middle[1] - (px[1] - this.height / 2) / this.scale];
  }

  /**
   * @param {number} factor   more than 1 shows less, larger
   * @param {readonly number[]} [px]   what stays where it is
   */
  zoom(factor, px = [this.width / 2, this.height / 2]) {
    const held = this.toWorld(px);
    this.scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.scale * factor));
    const now = this.toWorld(px);
    this.middle = [this.middle[0] + held[0] - now[0], this.middle[1] + held[1] - now[1]];
  }

  /** @param {readonly number[]} px   how far the picture is pushed */
  push([x, y]) {
    this.middle = [this.middle[0] - x / this.scale, this.middle[1] + y / this.scale];
  }

  /**
   * Shows all of these places with a margin.
   * @param {readonly (readonly number[])[]} places
   */
  fit(places) {
    const known = places.filter((at) => Number.isFinite(at[0] + at[1]));
    if (known.length === 0) {
      this.middle = [0.6, 0.3];
      this.scale = Math.min(this.width / 2.4, this.height / 1.6);
      return;
    }
    const [xs, ys] = [0, 1].map((axis) => known.map((at) => at[axis]));
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.middle = [(left + right) / 2, (low + high) / 2];
    const margin = Math.min(160, 0.36 * Math.min(this.width, this.height));
    const size = Math.max(right - left, high - low) || 1;
    this.scale = Math.min((this.width - margin) / Math.max(right - left, 0.3 * size), (this.height - margin) / Math.max(high - low, 0.3 * size));
    this.scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.scale));
  }

  /**
   * Another size of the window; its upper left corner shows what it has shown.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.middle = [this.middle[0] + (width - this.width) / 2 / this.scale, this.middle[1] - (height - this.height) / 2 / this.scale];
    this.width = width;
    this.height = height;
  }

  /** Moves as little as makes a place visible. @param {readonly number[]} at */
  follow(at) {
    const [x, y] = this.toScreen(at);
    const margin = 40;
    const over = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(0, value - margin) + Math.max(0, value - size + margin);
    this.push([-over(x, this.width), -over(y, this.height)]);
  }
}
