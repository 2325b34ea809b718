// Series: how one looks in a legend, its value between two points, and the cells of maps.
"use strict";

const CatenaSeries = (() => {
  const { place } = CatenaAxes;

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

  // The cells of a map, in whole pixels.
  const drawMap = (view, pen, missing) => {
    const { xEdges, yEdges, values, low, high, log, colours } = view.panel.map;
    const columns = xEdges.length - 1;
    const part = (value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
    values.forEach((value, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      const x = Math.round(view.toX(place(view.panel.x, xEdges[column])));
      const y = Math.round(view.toY(place(view.panel.y, yEdges[row + 1])));
      const level = value === null ? NaN : high > low ? part(value) : 0.5;
      pen.fillStyle = Number.isNaN(level) ? missing : colours[Math.max(0, Math.min(colours.length - 1, Math.floor(level * colours.length)))];
      // whole pixels, so that no ground shines through between cells
      const right = Math.round(view.toX(place(view.panel.x, xEdges[column + 1])));
      const bottom = Math.round(view.toY(place(view.panel.y, yEdges[row])));
      pen.fillRect(x, y, right - x, bottom - y);
    });
  };

  return { drawMap, sample, interpolated };
})();
