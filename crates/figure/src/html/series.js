// Series: how one looks in a legend, and its value between two points.
"use strict";

const CatenaSeries = (() => {
  // The piece of line, and the mark, that stand for a series.
  const sample = (series) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const draw = (name, attributes) => {
      const shape = document.createElementNS(space, name);
      for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
      svg.append(shape);
    };
    if (series.line) draw("path", { d: "M0 6h26", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": series.dash.join(" ") });
    if (series.marks) draw("circle", { cx: 13, cy: 6, r: 3.4, fill: "currentColor" });
    return svg;
  };

  const interpolated = ({ x, y }, at) => {
    let [low, high] = [0, x.length - 1];
    if (high < 0) return null;
    const rising = x[high] >= x[low];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x[middle] <= at === rising) low = middle;
      else high = middle;
    }
    const part = x[high] === x[low] ? 0 : (at - x[low]) / (x[high] - x[low]);
    if (part < -1e-9 || part > 1 + 1e-9 || y[low] === null || y[high] === null) return null;
    return y[low] + part * (y[high] - y[low]);
  };

  return { sample, interpolated };
})();
