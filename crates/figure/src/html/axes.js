// Axes: where ticks stand and how numbers are written. Places are values, or their decimal logarithms.
"use strict";

const CatenaAxes = (() => {
  // Names below an axis that are longer are squeezed, in pixels.
  const MAX_TURNED_NAME = 90;
  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  const place = (axis, value) => (axis.log ? (value > 0 ? Math.log10(value) : NaN) : value);
  const valueAt = (axis, position) => (axis.log ? 10 ** position : position);

  const raised = (exponent) =>
    (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[+digit]).join("");

  const written = (value, step) => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    const minus = (text) => text.replace("-", "−");
    if (size >= 1e6 || size < 1e-4) {
      const exponent = Math.floor(Math.log10(size) + 1e-9);
      const mantissa = +(value / 10 ** exponent).toPrecision(4);
      return minus(mantissa === 1 ? `10${raised(exponent)}` : `${mantissa}×10${raised(exponent)}`);
    }
    const decimals = step ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0;
    return minus(step ? value.toFixed(Math.min(decimals, 12)) : String(+value.toPrecision(6)));
  };

  const linearTicks = (low, high, most) => {
    const raw = (high - low) / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw * 0.999);
    const ticks = [];
    for (let count = Math.ceil(low / step - 1e-9); count * step <= high + 1e-9 * step; count++) {
      ticks.push({ at: count * step, label: written(+(count * step).toPrecision(12), step) });
    }
    return ticks;
  };

  const logTicks = (low, high, most) => {
    const decades = Math.floor(high) - Math.ceil(low) + 1;
    if (decades < 2) {
      return linearTicks(10 ** low, 10 ** high, most)
        .filter((tick) => tick.at > 0)
        .map((tick) => ({ at: Math.log10(tick.at), label: tick.label }));
    }
    const stride = Math.max(1, Math.ceil(decades / most));
    const ticks = [];
    for (let decade = Math.ceil(low); decade <= high; decade++) {
      if (decade % stride === 0) ticks.push({ at: decade, label: `10${raised(decade)}` });
    }
    return ticks;
  };

  const nameTicks = (names, range) =>
    names.map((label, index) => ({ at: index + 1, label })).filter((tick) => tick.at >= range[0] && tick.at <= range[1]);

  // One tick alone does not show the scale.
  const ticksOf = (axis, range, most) => {
    if (axis.names.length) return nameTicks(axis.names, range);
    const choose = axis.log ? logTicks : linearTicks;
    const ticks = choose(range[0], range[1], most);
    return ticks.length < 2 ? choose(range[0], range[1], most + 2) : ticks;
  };

  // Text that is read from below, and ends at a point.
  const turnedText = (pen, text, x, y) => {
    pen.save();
    pen.translate(x, y);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(text, 0, 0, MAX_TURNED_NAME);
    pen.restore();
  };

  return { MAX_TURNED_NAME, place, valueAt, written, ticksOf, turnedText };
})();
