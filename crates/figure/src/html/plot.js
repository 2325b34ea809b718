// Plots of one figure: zoom, values under the cursor, one cursor for all panels that share their horizontal axis.
//
// CatenaPlots.create(element, figure) draws into the element and returns
//   setCursor(x)        moves the cursor of all panels, without telling anybody; setCursor(x, false) leaves the values
//                       in the legend as they are;
//   onCursor(callback)  calls back with x when the reader moves it. Dragging then moves the cursor, and zooming by a
//                       rectangle takes the shift key;
//   redraw()            draws again after the page has changed its colours;
//   update(figure)      shows another figure in its place; panels that were zoomed stay so;
//   dispose()           takes everything away again.
// The figure is what Figure::data writes.
"use strict";

const CatenaPlots = (() => {
  const TICK_LENGTH = 5;
  const WHEEL_FACTOR = 1.0015;
  const KEY_FACTOR = 1.4;
  const DRAG_THRESHOLD = 4;
  const { drawMap, sample, interpolated } = CatenaSeries;
  const { MAX_TURNED_NAME, place, valueAt, written, ticksOf, turnedText } = CatenaAxes;

  const element = (name, parent, properties = {}) => {
    const made = Object.assign(document.createElement(name), properties);
    if (parent) parent.append(made);
    return made;
  };

  // ---- one panel

  class PanelView {
    constructor(plots, panel) {
      this.plots = plots;
      this.panel = panel;
      this.showsX = panel.showsX;
      this.hidden = new Set();
      this.box = element("section", plots.root, { className: "catena-panel" });
      if (panel.title) element("h2", this.box, { textContent: panel.title });
      this.buildLegend();
      if (panel.bar) this.buildBar();
      this.stage = element("div", this.box, { className: "catena-stage", tabIndex: 0 });
      this.stage.setAttribute("role", "img");
      this.stage.setAttribute("aria-label", panel.spoken);
      this.canvas = element("canvas", this.stage);
      this.xLabel = element("div", this.stage, { className: "catena-label", innerHTML: panel.showsX ? panel.x.label : "" });
      this.yLabel = element("div", this.stage, { className: "catena-label vertical", innerHTML: panel.y.label });
      this.cursor = element("div", this.stage, { className: "catena-cursor" });
      this.rectangle = element("div", this.stage, { className: "catena-box" });
      this.home = [panel.x.range.slice(), panel.y.range.slice()];
      this.range = [panel.x.range.slice(), panel.y.range.slice()];
      this.isZoomed = false;
      this.listen();
    }

    buildLegend() {
      this.legend = element("div", this.box, { className: "catena-legend" });
      this.where = element("span", this.legend, { className: "catena-value" });
      this.values = this.panel.series.map((series, index) => {
        const button = element("button", this.legend, { type: "button" });
        button.setAttribute("aria-pressed", "true");
        series.sample = sample(series);
        button.append(series.sample);
        if (this.panel.series.length > 1) element("span", button, { innerHTML: series.name });
        const value = element("span", button, { className: "catena-value" });
        button.addEventListener("click", () => {
          if (!this.hidden.delete(index)) this.hidden.add(index);
          button.setAttribute("aria-pressed", String(!this.hidden.has(index)));
          this.draw();
        });
        return value;
      });
    }

    // Looks as the panel did that stood here before.
    resemble(other) {
      if (other.panel.x.label !== this.panel.x.label || other.panel.y.label !== this.panel.y.label) return;
      if (other.isZoomed) [this.range, this.isZoomed] = [other.range.map((range) => range.slice()), true];
      const buttons = this.legend.querySelectorAll("button");
      for (const index of other.hidden) if (buttons[index]) this.hidden.add(index);
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(!this.hidden.has(index))));
    }

    buildBar() {
      const bar = this.panel.bar;
      const box = element("div", this.box, { className: "catena-bar" });
      element("span", box, { innerHTML: bar.label });
      element("span", box, { textContent: written(bar.low) });
      element("i", box).style.background = `linear-gradient(to right, ${bar.colours.join(",")})`;
      element("span", box, { textContent: written(bar.high) });
    }

    // The height follows from the width and from how many panels share the window.
    measure() {
      const width = this.stage.clientWidth || 300;
      const count = this.plots.views.length;
      const tall = Math.min(0.62 * width, 0.7 * window.innerHeight);
      const height = this.panel.equal || this.panel.map ? Math.min(width, 0.85 * window.innerHeight) : count > 1 ? Math.min(Math.max(170, 0.3 * width), 0.45 * window.innerHeight) : tall;
      this.size = [width, Math.max(160, Math.round(height)) + this.turnedRoom(width - 70)];
      this.stage.style.height = `${this.size[1]}px`;
      const pen = this.canvas.getContext("2d");
      pen.font = this.font();
      const labels = ticksOf(this.panel.y, this.range[1], this.size[1] / 36);
      const widest = Math.max(0, ...labels.map((tick) => pen.measureText(tick.label).width));
      return widest + 12 + (this.panel.y.label ? 22 : 4);
    }

    font() {
      return "12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, 'Noto Sans', sans-serif";
    }

    frameFrom(left) {
      const [width, height] = this.size;
      const below = !this.showsX ? TICK_LENGTH + 3 : (this.panel.x.label ? 44 : 26) + this.turnedRoom(width - 12 - left);
      this.frame = { left, right: width - 12, top: 8, bottom: height - below };
      if (this.panel.equal) this.equalise();
    }

    // Names that do not fit side by side are turned; what they then take below the panel.
    turnedRoom(width) {
      const { names } = this.panel.x;
      const pen = this.canvas.getContext("2d");
      pen.font = this.font();
      const widest = Math.max(0, ...names.map((name) => pen.measureText(name).width));
      this.turned = names.length > 0 && widest + 10 > width / names.length;
      return this.turned ? Math.min(widest, MAX_TURNED_NAME) - 10 : 0;
    }

    // The shorter axis is widened until a unit has one length on both.
    equalise() {
      const { left, right, top, bottom } = this.frame;
      const [x, y] = this.range;
      const perPixel = Math.max((x[1] - x[0]) / (right - left), (y[1] - y[0]) / (bottom - top));
      const widen = (range, pixels) => {
        const middle = (range[0] + range[1]) / 2;
        return [middle - (perPixel * pixels) / 2, middle + (perPixel * pixels) / 2];
      };
      this.range = [widen(x, right - left), widen(y, bottom - top)];
    }

    toX(position) {
      const [low, high] = this.range[0];
      return this.frame.left + ((position - low) / (high - low)) * (this.frame.right - this.frame.left);
    }

    toY(position) {
      const [low, high] = this.range[1];
      return this.frame.bottom - ((position - low) / (high - low)) * (this.frame.bottom - this.frame.top);
    }

    fromPixels(x, y) {
      const { left, right, top, bottom } = this.frame;
      const [across, up] = this.range;
      return [
        across[0] + ((x - left) / (right - left)) * (across[1] - across[0]),
        up[0] + ((bottom - y) / (bottom - top)) * (up[1] - up[0]),
      ];
    }

    draw() {
      const [width, height] = this.size;
      const dots = window.devicePixelRatio || 1;
      this.canvas.width = Math.round(width * dots);
      this.canvas.height = Math.round(height * dots);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
      const pen = this.canvas.getContext("2d");
      pen.scale(dots, dots);
      const style = getComputedStyle(this.plots.root);
      const colour = (name) => style.getPropertyValue(`--catena-${name}`).trim();
      this.isDark = colour("dark") === "1";
      this.drawAxes(pen, colour);
      const { left, right, top, bottom } = this.frame;
      pen.save();
      pen.beginPath();
      pen.rect(left, top, right - left, bottom - top);
      pen.clip();
      if (this.panel.map) drawMap(this, pen, colour("missing"));
      this.panel.series.forEach((series, index) => {
        series.sample.style.color = this.isDark ? series.dark : series.colour;
        if (!this.hidden.has(index)) this.drawSeries(pen, series);
      });
      if (typeof this.panel.unknown === "number") this.drawUnknown(pen, colour);
      pen.restore();
      this.showCursor();
    }

    // Hatches what nobody knows: `unknown` of a panel says from where on.
    drawUnknown(pen, colour) {
      const { left, right, top, bottom } = this.frame;
      const x = Math.max(left, this.toX(place(this.panel.x, this.panel.unknown)));
      pen.beginPath();
      pen.rect(x, top, right - x, bottom - top);
      pen.clip();
      pen.strokeStyle = pen.fillStyle = colour("soft");
      pen.lineWidth = 1;
      pen.beginPath();
      for (let at = x - bottom + top; at < right; at += 9) pen.moveTo(at, bottom), pen.lineTo(at + bottom - top, top);
      pen.globalAlpha = 0.3;
      pen.stroke();
      pen.globalAlpha = 1;
      pen.fillRect(x, top, 1.5, bottom - top);
    }

    drawAxes(pen, colour) {
      const { left, right, top, bottom } = this.frame;
      pen.font = this.font();
      pen.lineWidth = 1;
      const line = (x1, y1, x2, y2, stroke) => {
        pen.strokeStyle = stroke;
        pen.beginPath();
        pen.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
        pen.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
        pen.stroke();
      };
      pen.fillStyle = colour("soft");
      pen.textAlign = "center";
      pen.textBaseline = "top";
      for (const tick of ticksOf(this.panel.x, this.range[0], (right - left) / 75)) {
        const x = this.toX(tick.at);
        line(x, top, x, bottom, colour("grid"));
        line(x, bottom, x, bottom + TICK_LENGTH, colour("axis"));
        if (!this.showsX) continue;
        if (this.turned) {
          turnedText(pen, tick.label, x, bottom + TICK_LENGTH + 3);
          continue;
        }
        pen.fillText(tick.label, Math.min(x, right - pen.measureText(tick.label).width / 2 + 10), bottom + TICK_LENGTH + 3);
      }
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      for (const tick of ticksOf(this.panel.y, this.range[1], (bottom - top) / 36)) {
        const y = this.toY(tick.at);
        line(left, y, right, y, tick.at === 0 && !this.panel.y.log ? colour("zero") : colour("grid"));
        line(left - TICK_LENGTH, y, left, y, colour("axis"));
        pen.fillText(tick.label, left - TICK_LENGTH - 3, y);
      }
      line(left, top, left, bottom, colour("axis"));
      line(left, bottom, right, bottom, colour("axis"));
      this.xLabel.style.left = `${Math.max(0, (left + right - this.xLabel.offsetWidth) / 2)}px`;
      this.xLabel.style.top = `${bottom + 22}px`;
      // a long label on a low panel is written smaller rather than over its neighbours
      this.yLabel.style.fontSize = "";
      const room = (bottom - top + 16) / Math.max(1, this.yLabel.offsetWidth);
      if (room < 1) this.yLabel.style.fontSize = `${Math.max(9, 14 * room).toFixed(1)}px`;
      this.yLabel.style.transform = `translate(0px, ${(top + bottom + this.yLabel.offsetWidth) / 2}px) rotate(-90deg)`;
    }

    drawSeries(pen, series) {
      const { x, y } = series;
      const ink = this.isDark ? series.dark : series.colour;
      pen.strokeStyle = ink;
      pen.fillStyle = ink;
      pen.lineWidth = 1.6;
      pen.lineJoin = "round";
      const dots = [];
      if (series.line) {
        pen.setLineDash(series.dash);
        pen.beginPath();
        let joined = 0;
        for (let index = 0; index <= x.length; index++) {
          const across = index < x.length && x[index] !== null ? this.toX(place(this.panel.x, x[index])) : NaN;
          const down = index < x.length && y[index] !== null ? this.toY(place(this.panel.y, y[index])) : NaN;
          if (Number.isNaN(across + down)) {
            if (joined === 1) dots.push(index - 1);
            joined = 0;
            continue;
          }
          // far outside nothing is seen, and canvases dislike huge numbers
          const clamped = Math.max(-1e5, Math.min(1e5, down));
          if (joined++) pen.lineTo(across, clamped);
          else pen.moveTo(across, clamped);
        }
        pen.stroke();
        pen.setLineDash([]);
      }
      const radius = series.marks ? (x.length > 2000 ? 1 : x.length > 400 ? 1.6 : 3.4) : 1.8;
      for (const index of series.marks ? x.keys() : dots) {
        if (x[index] === null || y[index] === null) continue;
        if (series.cell) {
          // a pixel more, so that no ground shines through between cells
          const [width, height] = [this.toX(series.cell[0]) - this.toX(0), this.toY(0) - this.toY(series.cell[1])];
          const [left, top] = [this.toX(place(this.panel.x, x[index])) - width / 2, this.toY(place(this.panel.y, y[index])) - height / 2];
          pen.fillRect(left, top, width + 1, height + 1);
          continue;
        }
        pen.beginPath();
        pen.arc(this.toX(place(this.panel.x, x[index])), this.toY(place(this.panel.y, y[index])), radius, 0, 7);
        pen.fill();
      }
    }

    // ---- the cursor and the values at it

    showCursor(withValues = true) {
      const at = this.plots.cursor;
      const { left, right, top, bottom } = this.frame;
      const x = at === null || !this.sharesCursor() ? NaN : this.toX(place(this.panel.x, at));
      const visible = x >= left && x <= right;
      this.cursor.style.display = visible ? "block" : "none";
      if (visible) {
        this.cursor.style.transform = `translate(${x}px, ${top}px)`;
        this.cursor.style.height = `${bottom - top}px`;
      }
      if (withValues && this.sharesCursor()) this.showValues(at);
    }

    sharesCursor() {
      return this.panel.function && this.panel.x.label === this.plots.sharedLabel;
    }

    showValues(at) {
      this.where.innerHTML = at === null ? "" : `${this.panel.x.symbol} = ${written(at)}`;
      this.panel.series.forEach((series, index) => {
        const value = at === null ? null : interpolated(series, at);
        this.values[index].textContent = value === null ? "" : written(value);
      });
    }

    // The point nearest to the pointer, where curves are no functions of x.
    showNearest(pixelX, pixelY) {
      let best = null;
      this.panel.series.forEach((series, owner) => {
        this.values[owner].textContent = "";
        if (this.hidden.has(owner)) return;
        for (let index = 0; index < series.x.length; index++) {
          if (series.x[index] === null || series.y[index] === null) continue;
          const distance = Math.hypot(
            this.toX(place(this.panel.x, series.x[index])) - pixelX,
            this.toY(place(this.panel.y, series.y[index])) - pixelY,
          );
          if (!best || distance < best.distance) best = { distance, owner, index };
        }
      });
      if (!best) return;
      const series = this.panel.series[best.owner];
      const { names, symbol } = this.panel.x;
      const at = series.x[best.index];
      if (names.length) this.where.textContent = names[Math.round(at) - 1] || "";
      else this.where.innerHTML = `${symbol} = ${written(at)}`;
      this.values[best.owner].textContent = written(series.y[best.index]);
    }

    showCell(pixelX, pixelY) {
      const { xEdges, yEdges, values } = this.panel.map;
      const [x, y] = this.fromPixels(pixelX, pixelY);
      const at = (edges, axis, position) => edges.findLastIndex((edge) => place(axis, edge) <= position);
      const [column, row] = [at(xEdges, this.panel.x, x), at(yEdges, this.panel.y, y)];
      const inside = column >= 0 && row >= 0 && column < xEdges.length - 1 && row < yEdges.length - 1;
      const value = inside ? values[row * (xEdges.length - 1) + column] : null;
      this.where.innerHTML = inside
        ? `${this.panel.x.symbol} = ${written(valueAt(this.panel.x, x))}, ${this.panel.y.symbol} = ${written(valueAt(this.panel.y, y))}: ${value === null ? "no value" : written(value)}`
        : "";
    }

    // ---- what the reader does

    listen() {
      const at = (event) => {
        const box = this.stage.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      this.pointers = new Map();
      this.stage.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        this.stage.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, at(event));
        this.began = { at: at(event), zooms: event.pointerType === "mouse" && (event.shiftKey || !this.plots.scrubs(this)) };
        if (!this.began.zooms) this.point(...at(event), true);
      });
      this.stage.addEventListener("pointermove", (event) => {
        if (this.pointers.size === 2 && this.pointers.has(event.pointerId)) return this.pinch(event, at(event));
        if (this.began && this.began.zooms) return this.showRectangle(at(event));
        this.point(...at(event), Boolean(this.began));
      });
      const ended = (event) => {
        this.pointers.delete(event.pointerId);
        const began = this.began;
        this.began = null;
        this.rectangle.style.display = "none";
        if (!began || !began.zooms || event.type !== "pointerup") return;
        const end = at(event);
        if (Math.hypot(end[0] - began.at[0], end[1] - began.at[1]) < DRAG_THRESHOLD) this.point(...end, true);
        else this.zoomTo(began.at, end);
      };
      this.stage.addEventListener("pointerup", ended);
      this.stage.addEventListener("pointercancel", ended);
      this.stage.addEventListener("dblclick", () => this.plots.reset());
      this.stage.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && document.activeElement !== this.stage) return;
        event.preventDefault();
        this.zoomAbout(at(event), WHEEL_FACTOR ** (event.deltaY || event.deltaX), event.shiftKey);
      }, { passive: false });
      this.stage.addEventListener("keydown", (event) => this.key(event));
    }

    point(x, y, pressed) {
      if (this.panel.map) return this.showCell(x, y);
      if (!this.sharesCursor()) return this.showNearest(x, y);
      const [low, high] = this.range[0];
      const position = Math.min(high, Math.max(low, this.fromPixels(x, y)[0]));
      // with listeners the cursor is theirs: only a press moves it
      if (pressed || !this.plots.callbacks.length) this.plots.moveCursor(valueAt(this.panel.x, position), pressed);
      else this.showValues(valueAt(this.panel.x, position));
    }

    showRectangle([x, y]) {
      const { left, right, top, bottom } = this.frame;
      const [startX, startY] = this.began.at;
      const inside = (value, low, high) => Math.min(high, Math.max(low, value));
      const [x1, x2] = [inside(startX, left, right), inside(x, left, right)];
      const [y1, y2] = [inside(startY, top, bottom), inside(y, top, bottom)];
      Object.assign(this.rectangle.style, {
        display: "block",
        left: `${Math.min(x1, x2)}px`,
        top: `${Math.min(y1, y2)}px`,
        width: `${Math.abs(x2 - x1)}px`,
        height: `${Math.abs(y2 - y1)}px`,
      });
    }

    // A rectangle that is flat zooms along one axis only.
    zoomTo(start, end) {
      const [x1, y1] = this.fromPixels(Math.min(start[0], end[0]), Math.max(start[1], end[1]));
      const [x2, y2] = this.fromPixels(Math.max(start[0], end[0]), Math.min(start[1], end[1]));
      if (Math.abs(end[0] - start[0]) > 2 * DRAG_THRESHOLD) this.plots.zoomX(this, [x1, x2]);
      if (Math.abs(end[1] - start[1]) > 2 * DRAG_THRESHOLD) [this.range[1], this.isZoomed] = [[y1, y2], true];
      this.plots.redraw();
    }

    zoomAbout(pixel, factor, vertical) {
      const middle = this.fromPixels(...pixel);
      const zoomed = (range, about) => range.map((end) => about + (end - about) * factor);
      if (vertical || this.panel.equal) [this.range[1], this.isZoomed] = [zoomed(this.range[1], middle[1]), true];
      if (!vertical) this.plots.zoomX(this, zoomed(this.range[0], middle[0]));
      this.plots.redraw();
    }

    pinch(event, now) {
      const apart = () => {
        const [one, other] = [...this.pointers.values()];
        return [Math.hypot(one[0] - other[0], one[1] - other[1]), [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]];
      };
      const [before] = apart();
      this.pointers.set(event.pointerId, now);
      const [after, middle] = apart();
      if (after > 0) this.zoomAbout(middle, before / after, false);
    }

    key(event) {
      const { left, right, top, bottom } = this.frame;
      const step = (event.shiftKey ? 0.1 : 0.01) * (this.range[0][1] - this.range[0][0]);
      const about = this.plots.cursor === null ? (left + right) / 2 : this.toX(place(this.panel.x, this.plots.cursor));
      const moved = (distance) => {
        const from = this.plots.cursor === null ? this.range[0][0] : place(this.panel.x, this.plots.cursor);
        const to = Math.min(this.range[0][1], Math.max(this.range[0][0], from + distance));
        if (this.sharesCursor()) this.plots.moveCursor(valueAt(this.panel.x, to), true);
      };
      const actions = {
        ArrowLeft: () => moved(-step),
        ArrowRight: () => moved(step),
        "+": () => this.zoomAbout([about, (top + bottom) / 2], 1 / KEY_FACTOR, false),
        "=": () => this.zoomAbout([about, (top + bottom) / 2], 1 / KEY_FACTOR, false),
        "-": () => this.zoomAbout([about, (top + bottom) / 2], KEY_FACTOR, false),
        0: () => this.plots.reset(),
        Escape: () => this.plots.reset(),
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      actions[event.key]();
    }
  }

  class Plots {
    constructor(root, figure) {
      this.root = root;
      this.cursor = null;
      this.callbacks = [];
      root.classList.add("catena-plots");
      this.views = [];
      this.show(figure);
      const redraw = () => this.redraw();
      const { signal } = this.ending = new AbortController();
      this.observer = new ResizeObserver(redraw);
      this.observer.observe(root);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw, { signal });
      window.addEventListener("beforeprint", redraw, { signal });
    }

    // What was zoomed or switched off in the figure before stays so; so does the keyboard.
    show(figure) {
      const before = this.views;
      const focused = before.findIndex((view) => view.stage === document.activeElement);
      this.root.replaceChildren();
      if (figure.title) element("h1", this.root, { textContent: figure.title });
      for (const panel of figure.panels) {
        for (const series of panel.series) series.x = figure.grids[series.grid];
      }
      this.sharedLabel = (figure.panels.find((panel) => panel.function) || { x: {} }).x.label;
      this.views = [];
      for (const panel of figure.panels) this.views.push(new PanelView(this, panel));
      if (figure.caption) element("p", this.root, { className: "catena-caption", textContent: figure.caption });
      this.views.forEach((view, index) => before[index] && view.resemble(before[index]));
      if (this.views[focused]) this.views[focused].stage.focus({ preventScroll: true });
    }

    dispose() {
      this.ending.abort();
      this.observer.disconnect();
      this.root.replaceChildren();
    }

    // All panels share their left edge, so that one time stands above the other.
    redraw() {
      const margins = this.views.map((view) => view.measure());
      const left = Math.max(...margins);
      for (const view of this.views) {
        view.frameFrom(left);
        view.draw();
      }
    }

    zoomX(from, range) {
      for (const view of this.views) {
        // panels over one axis stay together
        const same = !view.panel.map && view.panel.x.label === from.panel.x.label;
        if (view !== from && !same) continue;
        view.range[0] = range.slice();
        view.isZoomed = true;
      }
    }

    reset() {
      for (const view of this.views) {
        view.range = view.home.map((range) => range.slice());
        view.isZoomed = false;
      }
      this.redraw();
    }

    // Whether a plain drag moves the cursor instead of drawing a rectangle.
    scrubs(view) {
      return this.callbacks.length > 0 && view.sharesCursor();
    }

    moveCursor(x, tell, withValues = true) {
      this.cursor = x;
      for (const view of this.views) view.showCursor(withValues);
      if (tell) for (const callback of this.callbacks) callback(x);
    }
  }

  const create = (root, figure) => {
    const plots = new Plots(root, figure);
    plots.redraw();
    return {
      setCursor: (x, withValues) => plots.moveCursor(x, false, withValues),
      redraw: () => plots.redraw(),
      update: (next) => {
        plots.show(next);
        plots.redraw();
      },
      onCursor: (callback) => plots.callbacks.push(callback),
      dispose: () => plots.dispose(),
    };
  };

  return { create };
})();
