// Moves the pieces of a film. Their markup stands in the page already; here is only what changes from frame to frame.
const CatenaScene = (() => {
  "use strict";

  // Numbers travel as base64 of little-endian 32-bit floats.
  const floats = (text) => {
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
    return new Float32Array(bytes.buffer);
  };

  /** One film and the elements that show it. */
  class Scene {
    constructor(film, figure) {
      this.film = film;
      this.frames = film.frames;
      this.tracks = floats(film.tracks);
      this.energy = floats(film.energy);
      this.constraint = floats(film.constraint);
      this.svg = figure.querySelector("svg.scene");
      this.stage = this.svg.querySelector(".stage");
      this.figure = figure;
      this.now = new Float64Array(film.trackCount);
      this.pieces = film.pieces.map((piece, at) => ({ ...piece, element: this.stage.children[at] }));
      this.trailPaths();
      this.measureGaps();
    }

    /** Values of all tracks at a frame that need not be whole. */
    seek(frame) {
      const last = this.frames - 1;
      const at = Math.min(Math.max(frame, 0), last);
      const first = Math.min(Math.floor(at), Math.max(last - 1, 0));
      const part = at - first;
      const next = Math.min(first + 1, last);
      for (let track = 0; track < this.now.length; track++) {
        const a = this.tracks[track * this.frames + first];
        const b = this.tracks[track * this.frames + next];
        // what is not known in one of them is as in the other
        this.now[track] = a === a ? (b === b ? a + part * (b - a) : a) : b;
      }
      this.frame = at;
      this.isPosed = false;
    }

    /** A pose that belongs to no frame: a value for each track. */
    pose(values) {
      this.now.set(values);
      this.isPosed = true;
    }

    x(metres) { return (metres - this.film.corner[0]) * this.film.scale; }
    y(metres) { return (this.film.corner[1] - metres) * this.film.scale; }

    /** An anchor in px: [x, y], with tracks of a point, or of a body with its angle. */
    place([px, py, tx, ty, ta], values = this.now) {
      if (tx === undefined) return [this.x(px), this.y(py)];
      const angle = ta === undefined ? 0 : values[ta];
      const c = Math.cos(angle), s = Math.sin(angle);
      return [this.x(values[tx] + px * c - py * s), this.y(values[ty] + px * s + py * c)];
    }

    /** The whole way of each trail, which is drawn once. */
    trailPaths() {
      const values = new Float64Array(this.now.length);
      for (const piece of this.pieces) {
        if (piece.k !== "t") continue;
        piece.points = [];
        for (let frame = 0; frame < this.frames; frame++) {
          for (const track of piece.a.slice(2)) values[track] = this.tracks[track * this.frames + frame];
          piece.points.push(this.place(piece.a, values));
        }
        piece.element.children[0].setAttribute("d", smooth(piece.points));
      }
    }

    /** How far the ends of each pin are apart in every frame, px: between frames bodies are where a straight line puts them. */
    measureGaps() {
      const values = new Float64Array(this.now.length);
      for (const piece of this.pieces) {
        if (piece.k !== "p" || String(piece.a) === String(piece.b)) continue;
        piece.gaps = new Float32Array(this.frames);
        for (let frame = 0; frame < this.frames; frame++) {
          for (const track of [...piece.a.slice(2), ...piece.b.slice(2)]) values[track] = this.tracks[track * this.frames + frame];
          const a = this.place(piece.a, values), b = this.place(piece.b, values);
          piece.gaps[frame] = Math.hypot(a[0] - b[0], a[1] - b[1]);
        }
      }
    }

    /** Hides what is nowhere in this frame, and says whether it is somewhere. */
    knows(piece, sum) {
      const known = Number.isFinite(sum);
      if (piece.known !== known) piece.element.style.visibility = known ? "visible" : "hidden";
      piece.known = known;
      return known;
    }

    draw(options) {
      for (const piece of this.pieces) this.move(piece, options);
    }

    move(piece, options) {
      const element = piece.element;
      switch (piece.k) {
        case "r": {
          if (piece.c.length === 0) return;
          const [tx, ty, ta] = piece.c;
          const angle = ta === undefined ? 0 : -this.now[ta] * 180 / Math.PI;
          const x = this.x(this.now[tx]), y = this.y(this.now[ty]);
          if (this.knows(piece, x + y + angle)) element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${angle.toFixed(3)})`);
          return;
        }
        case "m": case "c": case "n": {
          // what is hidden need not be moved
          if ((piece.k === "n" && !options.names) || (piece.k === "c" && !options.centres)) return;
          if (piece.a.length === 2 && piece.done) return;
          piece.done = true;
          const [x, y] = this.place(piece.a);
          if (this.knows(piece, x + y)) element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
          return;
        }
        case "p": {
          const a = this.place(piece.a), b = this.place(piece.b);
          if (!this.knows(piece, a[0] + a[1] + b[0] + b[1])) return;
          element.setAttribute("transform", `translate(${b[0].toFixed(2)} ${b[1].toFixed(2)})`);
          const gap = this.isPosed ? Math.hypot(a[0] - b[0], a[1] - b[1]) : piece.gaps ? piece.gaps[Math.round(this.frame)] : 0;
          const dot = element.children[0];
          dot.style.fill = options.gaps ? gapColour(gap / this.film.size) : "";
          const line = element.children[1];
          const open = gap > 1 ? `M0 0L${(a[0] - b[0]).toFixed(1)} ${(a[1] - b[1]).toFixed(1)}` : "";
          if (open || piece.open) line.setAttribute("d", open);
          piece.open = open;
          return;
        }
        case "s": {
          element.setAttribute("d", span(piece, this.place(piece.a), this.place(piece.b)));
          return;
        }
        case "l": {
          element.setAttribute("d", path(piece.p.map((anchor) => this.place(anchor))));
          return;
        }
        case "t": {
          // the way of a motion says nothing about a pose outside it, and what is hidden need not be moved
          if (this.isPosed || options.trails === false) return;
          const to = Math.floor(this.frame);
          const from = Math.max(0, to - options.tail);
          const points = piece.points.slice(from, to + 1);
          points.push(this.place(piece.a));
          element.children[1].setAttribute("d", smooth(points));
          return;
        }
        case "f": {
          if (!options.forces && !piece.w) return;
          const from = this.place(piece.a);
          const fx = this.now[piece.x] * this.film.forceScale, fy = -this.now[piece.y] * this.film.forceScale;
          element.setAttribute("d", arrow(from, [from[0] + fx, from[1] + fy]));
          return;
        }
      }
    }
  }

  const number = (value) => value.toFixed(1);
  /** Points joined by lines; where a point is not known there is a gap. */
  const path = (points) => {
    let text = "", letter = "M";
    for (const [x, y] of points) {
      const known = Number.isFinite(x + y);
      if (known) text += `${letter}${number(x)} ${number(y)}`;
      letter = known ? "L" : "M";
    }
    return text;
  };

  /** A curve through points: at each it goes from the one before towards the one after (Catmull and Rom 1974). */
  const smooth = (points) => {
    let text = "", before = null;
    points.forEach(([x, y], at) => {
      const known = Number.isFinite(x + y);
      const after = points[at + 1];
      const [nextX, nextY] = after && Number.isFinite(after[0] + after[1]) ? after : [x, y];
      if (known && before) text += `S${number(x - (nextX - before[0]) / 6)} ${number(y - (nextY - before[1]) / 6)} ${number(x)} ${number(y)}`;
      else if (known) text += `M${number(x)} ${number(y)}`;
      before = known ? [x, y] : null;
    });
    return text;
  };

  /** White where a joint is closed, yellow, then red where it is open by a hundredth of the picture. */
  function gapColour(part) {
    // numbers of 32 bits leave gaps of about a millionth
    if (!(part > 5e-6)) return "";
    const heat = Math.min(1, (Math.log10(part) + 5.3) / 3.3);
    return `hsl(${(54 - 54 * heat).toFixed(0)} 95% ${(62 - 12 * heat).toFixed(0)}%)`;
  }

  const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1]];

  function arrow(from, to) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!(length > 2)) return "";
    const unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const across = [-unit[1], unit[0]];
    const head = Math.min(7, 0.5 * length);
    const back = along(to, -head, unit);
    return path([from, to]) + path([along(back, 0.45 * head, across), to, along(back, -0.45 * head, across)]);
  }

  // The same springs and dampers as in pictures that stand still.
  function span(piece, a, b) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!Number.isFinite(length)) return "";
    const unit = length > 0 ? [(b[0] - a[0]) / length, (b[1] - a[1]) / length] : [1, 0];
    const across = [-unit[1], unit[0]];
    const coil = (from, to, width) => {
      const first = 0.12 * length, last = 0.88 * length, points = [from, along(from, first, unit)];
      for (let turn = 0; turn < 14; turn++) {
        const s = first + (last - first) * (turn + 0.5) / 14;
        points.push(along(along(from, s, unit), turn % 2 ? -0.5 * width : 0.5 * width, across));
      }
      points.push(along(from, last, unit), to);
      return path(points);
    };
    const damper = (from, to, width) => {
      const half = 0.5 * width, bottom = 0.5 * (length - piece.c), top = 0.5 * (length + piece.c);
      const corner = (s, side) => along(along(from, s, unit), side, across);
      const piston = bottom + 0.55 * piece.c;
      return path([from, corner(bottom, 0)])
        + path([corner(top, half), corner(bottom, half), corner(bottom, -half), corner(top, -half)])
        + path([corner(piston, 0.8 * half), corner(piston, -0.8 * half)]) + path([corner(piston, 0), to]);
    };
    switch (piece.s) {
      case "l": {
        const r = 0.5 * piece.w;
        const [a1, b1, b2, a2] = [[a, r], [b, r], [b, -r], [a, -r]].map(([end, side]) => along(end, side, across));
        const point = (p) => `${number(p[0])} ${number(p[1])}`;
        const arc = (p) => `A${r.toFixed(2)} ${r.toFixed(2)} 0 0 0 ${point(p)}`;
        return `M${point(a1)}L${point(b1)}${arc(b2)}L${point(a2)}${arc(a1)}Z`;
      }
      case "s": return coil(a, b, piece.w);
      case "d": return damper(a, b, piece.w);
      case "b": {
        const [a1, b1, a2, b2] = [[a, 0.55], [b, 0.55], [a, -0.55], [b, -0.55]].map(([end, side]) => along(end, side * piece.w, across));
        return path([a, a1]) + path([b, b1]) + coil(a1, b1, 0.7 * piece.w) + path([a, a2]) + path([b, b2]) + damper(a2, b2, 0.7 * piece.w);
      }
      default: return path([a, b]);
    }
  }

  /** From light to dark and back, whatever the reader's system says. */
  const toggleTheme = () => {
    const root = document.documentElement.dataset;
    const dark = root.theme ? root.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.theme = dark ? "light" : "dark";
  };

  return { Scene, floats, toggleTheme };
})();
