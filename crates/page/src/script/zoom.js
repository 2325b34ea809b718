// The part of a picture that is seen: wheel and pinch zoom, a drag on empty ground moves, a double click shows everything.

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

const WHEEL_FACTOR = 0.0015;
const LEAST_PART = 1 / 400;
const MOST_PART = 20;

/**
 * A box that is scaled about a point.
 * @param {Box} box
 * @param {number} factor
 * @param {[number, number]} about
 * @param {number} fullWidth  the width of everything, which bounds how near and how far one can look
 * @returns {Box}
 */
export function scaledBox(box, factor, [cx, cy], fullWidth) {
  const w = Math.min(MOST_PART * fullWidth, Math.max(LEAST_PART * fullWidth, box.w * factor));
  const ratio = w / box.w;
  return { x: cx - (cx - box.x) * ratio, y: cy - (cy - box.y) * ratio, w, h: box.h * ratio };
}

/**
 * @typedef {object} Zoom
 * @property {(factor: number, about?: [number, number]) => void} by
 * @property {() => void} whole
 * @property {(box: Box, isWhole: boolean) => void} show
 * @property {() => Box} box
 * @property {() => boolean} isWhole
 * @property {(event: {clientX: number, clientY: number}) => [number, number]} at   where a pointer is, in the picture's units
 * @property {() => number} pixels                                                  screen pixels of a unit
 */

/**
 * @param {SVGSVGElement} svg
 * @param {number} width
 * @param {number} height
 * @param {(event: PointerEvent) => boolean} isTaken   whether somebody else follows this pointer
 * @returns {Zoom}
 */
export function zoomable(svg, width, height, isTaken) {
  /** @type {Box} */
  let box = { x: 0, y: 0, w: width, h: height };
  let isWhole = true;
  const draw = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  /** @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
  const at = (event) => {
    const matrix = svg.getScreenCTM();
    if (!matrix) return [0, 0];
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  };
  /** @param {number} factor @param {[number, number]} [about] */
  const by = (factor, about = [box.x + box.w / 2, box.y + box.h / 2]) => {
    box = scaledBox(box, factor, about, width);
    isWhole = false;
    draw();
  };
  const whole = () => {
    box = { x: 0, y: 0, w: width, h: height };
    isWhole = true;
    draw();
  };

  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !svg.matches(":focus, :focus-within") && !svg.parentElement?.matches(":focus")) return;
    event.preventDefault();
    by(Math.exp(event.deltaY * WHEEL_FACTOR), at(event));
  }, { passive: false });

  /** @type {Map<number, {clientX: number, clientY: number}>} */
  const fingers = new Map();
  svg.addEventListener("pointerdown", (event) => {
    if (isTaken(event) || (event.pointerType === "mouse" && event.button !== 0)) return;
    fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 1 && (event.pointerType === "mouse" || !isWhole)) {
      const [from, to] = [at(before), at(event)];
      box = { ...box, x: box.x - to[0] + from[0], y: box.y - to[1] + from[1] };
      isWhole = false;
      draw();
    } else if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1] ?? before;
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      if (is > 0 && was > 0) by(was / is, at({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }));
    }
    fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  svg.addEventListener("dblclick", whole);
  draw();

  return {
    by, whole, at,
    show: (shown, whether) => { box = shown; isWhole = whether; draw(); },
    box: () => box,
    isWhole: () => isWhole,
    pixels: () => svg.getScreenCTM()?.a ?? 1,
  };
}
