// Where a slider goes: ranges around a model's own value, and the numbers along them.

/** Steps of a slider from end to end: so few that each is another value. */
const POSITIONS = 400;
/** Positive quantities go from a tenth of their value to ten times as much. */
const FACTOR = 10;
/** Rates go at least this far to both sides, in their unit. */
const LEAST_RATE = 10;
const DEGREE = Math.PI / 180;

/**
 * @typedef {object} SliderRange
 * @property {"linear"|"log"|"degrees"|"count"} scale   `log` runs through sizes of one sign; ends of `degrees` are in radians
 * @property {number} from
 * @property {number} to
 */

/**
 * The range of a quantity. It holds the value that is set, wherever that is.
 * @param {{kind: string, isAngle: boolean}} quantity
 * @param {number} own  the model's own value
 * @param {number} [now]  the value that is set
 * @returns {SliderRange}
 */
export function sliderRange({ kind, isAngle }, own, now = own) {
  if (kind === "size") return { scale: "count", from: 1, to: Math.max(4 * own, now, 10) };
  if (isAngle) {
    const turns = Math.max(1, Math.ceil(Math.max(Math.abs(own), Math.abs(now)) / Math.PI - 1e-9));
    return { scale: "degrees", from: -turns * Math.PI, to: turns * Math.PI };
  }
  if (kind === "parameter" && own !== 0 && now * own > 0) {
    const ratio = now / own;
    const [down, up] = [Math.max(FACTOR, 1 / ratio), Math.max(FACTOR, ratio)];
    return own > 0 ? { scale: "log", from: own / down, to: own * up } : { scale: "log", from: own * up, to: own / down };
  }
  const isRate = kind === "rate" || kind === "motor";
  const reach = isRate ? Math.max(LEAST_RATE, 3 * Math.abs(own)) : Math.max(1, 2 * Math.abs(own));
  const middle = isRate ? 0 : own;
  const far = Math.max(reach, 1.2 * Math.abs(now - middle));
  return { scale: "linear", from: middle - far, to: middle + far };
}

/**
 * The steps of a slider from end to end; of counts there is one for each.
 * @param {SliderRange} range
 */
export const positionsOf = ({ scale, from, to }) => (scale === "count" ? to - from : POSITIONS);

/**
 * Where a value stands on its slider, in steps.
 * @param {SliderRange} range
 * @param {number} value
 */
export function positionOf(range, value) {
  const { scale, from, to } = range;
  const part = scale === "log" ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return Math.round(positionsOf(range) * Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)));
}

/**
 * The value at a place of a slider, as a short number.
 * @param {SliderRange} range
 * @param {number} position
 */
export function valueAtPosition(range, position) {
  const { scale, from, to } = range;
  const part = position / positionsOf(range);
  switch (scale) {
    case "count": return Math.max(1, Math.round(from + part * (to - from)));
    case "log": return rounded(from * (to / from) ** part, 3);
    // to half degrees
    case "degrees": return Math.round(2 * (from + part * (to - from)) / DEGREE) / 2 * DEGREE;
    default: {
      const step = 10 ** Math.floor(Math.log10((to - from) / POSITIONS));
      return Number((Math.round((from + part * (to - from)) / step) * step).toPrecision(12));
    }
  }
}

/**
 * @param {number} value
 * @param {number} digits
 */
const rounded = (value, digits) => Number(value.toPrecision(digits));

/**
 * A value as it is set: a number, or degrees.
 * @param {SliderRange} range
 * @param {number} value
 */
export function setText({ scale }, value) {
  return scale === "degrees" ? `${rounded(value / DEGREE, 6)} deg` : String(rounded(value, 10));
}

/**
 * What a field shows: a formula as it was written, a number with the digits that one reads.
 * @param {boolean} isAngle
 * @param {number} value            that holds
 * @param {string | undefined} set  the text that is set
 */
export function fieldText(isAngle, value, set) {
  const isLong = set !== undefined && /^-?[\d.]{9,}(e-?\d+)?$/.test(set);
  if (set !== undefined && !isLong) return set;
  return shownText(isAngle, isLong ? Number(set) : value);
}

/**
 * @param {boolean} isAngle
 * @param {number} value
 */
function shownText(isAngle, value) {
  return isAngle ? `${rounded(value / DEGREE, 5)} deg` : String(rounded(value, 6));
}
