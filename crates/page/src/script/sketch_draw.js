// Draws a mechanism as engineers do: bars, plates, pins, supports, guides, gears, springs. Sizes are px, so that lines look the same at
// every zoom; what is measured in metres goes through the camera.
import { across, distance, dot, hull, minus, plus, times, turned, unit } from "./sketch_geometry.js";
import { FORCE_PER_LENGTH } from "./sketch_acts.js";
import { angleOf, placeOf, worldOf } from "./sketch_model.js";
import { outlineOf, wheelsOf } from "./sketch_spots.js";
import { circle, group, label, line, path, polyline, spiral, springPath, svg } from "./sketch_shapes.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_model.js").Mechanism} Mechanism */
/** @typedef {import("./sketch_camera.js").Camera} Camera */
/** @typedef {import("./sketch_spots.js").Item} Item */

/** Half the width of a bar, and the radius of a pin, px. */
const BAR = 8;
const PIN = 5;
/** How far a guide goes to both sides, px. */
const GUIDE = 90;
/** Ends of a joint that are farther apart than this, px, are shown as open. */
const OPEN = 1.5;
/** Colours of bodies take turns. */
const COLOURS = 7;

/**
 * @param {Mechanism} mechanism
 * @param {Camera} camera
 * @param {Item | null} selected
 * @returns {SVGElement}
 */
export function drawMechanism(mechanism, camera, selected) {
  const drawing = new Drawing(mechanism, camera, selected);
  return group("sk-parts", [
    ...drawing.supports(), ...drawing.guides(false), ...drawing.wheels(), ...drawing.bodies(), ...drawing.guides(true), ...drawing.ties(), ...drawing.springs(),
    ...drawing.pins(), ...drawing.actions(), ...drawing.labels(),
  ]);
}

class Drawing {
  /** @param {Mechanism} mechanism @param {Camera} camera @param {Item | null} selected */
  constructor(mechanism, camera, selected) {
    this.mechanism = mechanism;
    this.camera = camera;
    this.selected = selected;
    this.wheelList = wheelsOf(mechanism);
  }

  /** @param {string} section @param {string} name */
  state(section, name) {
    return this.selected?.section === section && this.selected.name === name ? " sk-selected" : "";
  }

  /** @param {import("./sketch_model.js").End} end */
  end(end) {
    return this.camera.toScreen(worldOf(this.mechanism, end));
  }

  /** A direction of the world on the screen. @param {number} angle @returns {Vector} */
  way(angle) {
    return [Math.cos(angle), -Math.sin(angle)];
  }

  supports() {
    return this.mechanism.ground.map(({ name, at }) => {
      const turns = this.mechanism.joints.some(({ type, ends }) => type !== "prismatic" && type !== "pin-in-slot" && ends.some((end) => end.body === null && end.point === name));
      const isGuide = this.mechanism.joints.some(({ type, ends }) => (type === "prismatic" || type === "pin-in-slot") && ends[0].body === null && ends[0].point === name);
      if (isGuide && !turns) return group("", []);
      return support(this.camera.toScreen(at), `sk-support${this.state("ground", name)}`);
    }).concat(this.rawSupports());
  }

  /** Places of the ground that stand in the list of a joint or a spring. */
  rawSupports() {
    const joints = this.mechanism.joints.filter(({ type }) => type !== "prismatic" && type !== "pin-in-slot");
    return [...joints, ...this.mechanism.springs].flatMap(({ ends }) => ends)
      .filter((end) => end.body === null && end.point === null).map((end) => support(this.end(end), "sk-support"));
  }

  /** Guides and slots, those of the ground or those of bodies. @param {boolean} ofBodies */
  guides(ofBodies) {
    const slides = this.mechanism.joints.filter(({ type, ends }) => (type === "prismatic" || type === "pin-in-slot") && (ends[0].body !== null) === ofBodies);
    return slides.map((joint) => {
      const [guide, block] = joint.ends;
      const axis = turned(unit(joint.axis ?? [1, 0]), angleOf(this.mechanism, guide.body));
      const way = unit([axis[0], -axis[1]]);
      const [from, at] = [this.end(guide), this.end(block)];
      const along = (/** @type {Vector} */ place) => dot(minus(place, from), way);
      // on the ground as long as looks right, on a body as long as the body and what it guides
      const places = guide.body === null ? [] : outlineOf(this.mechanism, guide.body).map((place) => along(this.camera.toScreen(place)));
      const over = guide.body === null ? GUIDE : 0;
      const [start, stop] = [Math.min(0, along(at), ...places) - over, Math.max(0, along(at), ...places) + over].map((s) => plus(from, times(s, way)));
      const classes = `sk-guide${ofBodies ? " sk-own" : ""}${this.state("joint", joint.name)}`;
      if (joint.type === "pin-in-slot") return group(classes, [line(start, stop, "sk-slot-edge"), line(start, stop, "sk-slot")]);
      const side = times(11, across(way));
      const hatch = ofBodies ? [] : hatching(plus(start, side), plus(stop, side), way);
      return group(classes, [line(plus(start, side), plus(stop, side), "sk-rail"), line(minus(start, side), minus(stop, side), "sk-rail"), ...hatch]);
    });
  }

  wheels() {
    return this.wheelList.map((wheel) => {
      const at = this.camera.toScreen(wheel.at), radius = wheel.radius * this.camera.scale;
      const rim = plus(at, times(radius, this.way(wheel.angle)));
      const name = wheel.body === null ? "" : this.mechanism.bodies[wheel.body].name;
      const joint = this.mechanism.joints[wheel.joint];
      return group(`sk-body sk-k${(wheel.body ?? 6) % COLOURS}${this.state("body", name)}${this.state("joint", joint.name)}`, [circle(at, radius, "sk-wheel"), circle(at, radius, "sk-pitch"), line(at, rim, "sk-spoke")]);
    }).concat(this.racks());
  }

  racks() {
    return this.mechanism.joints.filter(({ type }) => type === "rack").map((joint) => {
      const axis = turned(unit(joint.axis ?? [1, 0]), angleOf(this.mechanism, joint.carrier ?? null));
      const way = /** @type {Vector} */ ([axis[0], -axis[1]]);
      const pinion = this.end(joint.ends[0]), rack = this.end(joint.ends[1]);
      // the teeth stand as far from the axle as the radius says, on the side on which the axis runs forward
      const line0 = plus(pinion, times((joint.values.radius ?? 0) * this.camera.scale, /** @type {Vector} */ ([-way[1], way[0]])));
      const along = (rack[0] - line0[0]) * way[0] + (rack[1] - line0[1]) * way[1];
      const middle = plus(line0, times(along, way));
      const teeth = Array.from({ length: 33 }, (_, i) => plus(plus(middle, times((i - 16) * 6, way)), times(i % 4 < 2 ? 0 : 6, /** @type {Vector} */ ([-way[1], way[0]]))));
      return group(`sk-rack${this.state("joint", joint.name)}`, [path(polyline(teeth), "sk-teeth"), line(middle, rack, "sk-hint")]);
    });
  }

  bodies() {
    return this.mechanism.bodies.map((body, index) => {
      const places = outlineOf(this.mechanism, index).map((at) => this.camera.toScreen(at));
      const corners = hull(places);
      const classes = `sk-body sk-k${index % COLOURS}${this.state("body", body.name)}`;
      const cams = this.mechanism.joints.filter(({ profile, ends }) => profile && ends[0].body === index)
        .map(({ profile = [] }) => path(`${polyline(profile.map((own) => this.camera.toScreen(placeOf(body, own))))}Z`, "sk-cam"));
      if (places.length === 1) return group(classes, [...cams, ...this.small(index, places[0])]);
      const outline = polyline(corners) + (corners.length > 2 ? "Z" : "");
      return group(classes, [...cams, path(outline, "sk-edge"), path(outline, "sk-link")]);
    });
  }

  /** A body of one point: a block in a guide, or a mass; a wheel is drawn already. @param {number} index @param {Vector} at */
  small(index, at) {
    const slide = this.mechanism.joints.find(({ type, ends }) => type === "prismatic" && ends[1].body === index);
    if (slide) {
      const axis = turned(unit(slide.axis ?? [1, 0]), angleOf(this.mechanism, slide.ends[0].body));
      const degrees = -Math.atan2(axis[1], axis[0]) * 180 / Math.PI;
      return [svg("rect", { x: -19, y: -11, width: 38, height: 22, rx: 3, class: "sk-block", transform: `translate(${at[0].toFixed(2)} ${at[1].toFixed(2)}) rotate(${degrees.toFixed(2)})` })];
    }
    return this.wheelList.some((wheel) => wheel.body === index) ? [] : [circle(at, 11, "sk-block")];
  }

  /** Massless rods. */
  ties() {
    return this.mechanism.joints.filter(({ type }) => type === "distance")
      .map(({ name, ends }) => line(this.end(ends[0]), this.end(ends[1]), `sk-rod${this.state("joint", name)}`));
  }

  springs() {
    return this.mechanism.springs.map((spring) => {
      const [from, to] = spring.ends.map((end) => this.end(end));
      const kind = spring.stiffness === 0 ? "damper" : spring.damping > 0 ? "both" : "spring";
      return path(springPath(from, to, kind), `sk-spring${this.state("spring", spring.name)}`);
    });
  }

  pins() {
    const { mechanism } = this;
    const loose = mechanism.bodies.flatMap((body, index) => body.points
      .filter((point) => ![...mechanism.joints, ...mechanism.springs].some(({ ends }) => ends.some((end) => end.body === index && end.point === point.name)))
      .map((point) => circle(this.camera.toScreen(placeOf(body, point.at)), 3.5, "sk-point")));
    const pins = mechanism.joints.filter(({ type }) => type !== "gear" && type !== "rack" && type !== "distance").map((joint) => {
      const [first, second] = joint.ends.map((end) => this.end(end));
      const slides = joint.type === "prismatic" || joint.type === "pin-in-slot" || joint.type === "cam-follower";
      const isOpen = !slides && distance(first, second) > OPEN;
      const shape = joint.type === "weld" ? circle(second, PIN, "sk-weld") : joint.type === "prismatic" ? circle(second, 2, "sk-weld") : circle(second, PIN, "sk-pin");
      const classes = `sk-joint${this.state("joint", joint.name)}${this.motorState(joint.name)}`;
      return group(classes, [...(isOpen ? [line(first, second, "sk-open")] : []), ...(this.state("joint", joint.name) ? [circle(second, PIN + 5, "sk-ring")] : []), shape]);
    });
    return [...loose, ...pins];
  }

  /** @param {string} joint */
  motorState(joint) {
    const motor = this.mechanism.motors.find((other) => this.mechanism.joints[other.joint]?.name === joint);
    return motor ? this.state("motor", motor.name) : "";
  }

  /** Motors, forces, torques and torsion springs. */
  actions() {
    const { mechanism, camera } = this;
    const motors = mechanism.motors.map((motor) => {
      const at = this.end(mechanism.joints[motor.joint].ends[1]);
      return group(`sk-motor${this.state("motor", motor.name)}`, motor.drives === "angle" ? [path(turnArrow(at, 15), "")] : [path(doubleArrow(at, this.slideWay(motor.joint)), "")]);
    });
    const coils = mechanism.torsionSprings.flatMap((spring) => {
      const joint = mechanism.joints.find(({ ends }) => ends.every((end) => spring.bodies.includes(end.body)));
      return joint ? [path(spiral(this.end(joint.ends[0])), `sk-spring${this.state("torsion-spring", spring.name)}`)] : [];
    });
    const forces = mechanism.forces.map((force) => {
      const from = this.end(force.on);
      const known = force.x !== null && force.y !== null;
      const size = camera.scale / FORCE_PER_LENGTH;
      const raw = known ? /** @type {Vector} */ ([(force.x ?? 0) * size, -(force.y ?? 0) * size]) : /** @type {Vector} */ ([force.x === 0 ? 0 : 45, force.y === 0 ? 0 : -45]);
      const length = Math.min(160, Math.max(24, Math.hypot(...raw)));
      return path(arrow(from, plus(from, times(length, unit(raw)))), `sk-force${this.state("force", force.name)}`);
    });
    const torques = mechanism.torques.flatMap((torque) => torque.on === null ? [] : [path(turnArrow(camera.toScreen(mechanism.bodies[torque.on].pose), 20, (torque.value ?? 1) < 0), `sk-force${this.state("torque", torque.name)}`)]);
    return [...coils, ...motors, ...forces, ...torques];
  }

  /** @param {number} joint @returns {Vector} */
  slideWay(joint) {
    const { axis, ends } = this.mechanism.joints[joint];
    const way = turned(unit(axis ?? [1, 0]), angleOf(this.mechanism, ends[0].body));
    return [way[0], -way[1]];
  }

  labels() {
    const { mechanism, camera } = this;
    const bodies = mechanism.bodies.map((body, index) => {
      const places = outlineOf(mechanism, index).map((at) => camera.toScreen(at));
      if (places.length === 1) return centred(body.name, plus(places[0], [0, 30]));
      const corners = hull(places);
      if (corners.length > 2) return centred(body.name, plus(camera.toScreen(body.pose), [0, 4]));
      // next to the bar, on its lower side, so that what is fastened in its middle can be seen
      const side = across(unit(minus(corners[1], corners[0])));
      const off = times((side[1] < -1e-9 ? -1 : 1) * 18, side);
      const name = centred(body.name, plus(plus(times(0.5, plus(corners[0], corners[1])), off), [0, 4]));
      if (Math.abs(off[0]) > 6) name.setAttribute("text-anchor", off[0] > 0 ? "start" : "end");
      return name;
    });
    /** @type {Map<string, string[]>} joints in one place share a label */
    const names = new Map();
    for (const joint of mechanism.joints) {
      if (joint.type === "gear" || joint.type === "rack" || joint.type === "prismatic") continue;
      const ends = joint.ends.map((end) => this.end(end));
      const at = joint.type === "distance" ? times(0.5, plus(ends[0], ends[1])) : ends[1];
      const key = at.map((value) => Math.round(value)).join(" ");
      names.set(key, [...(names.get(key) ?? []), joint.name]);
    }
    const joints = [...names].map(([key, list]) => label(list.join(", "), plus(/** @type {Vector} */ (key.split(" ").map(Number)), [11, -10]), "sk-letter"));
    return [...bodies, ...joints];
  }
}

/** @param {string} text @param {Vector} at */
function centred(text, at) {
  const element = label(text, at, "sk-name");
  element.setAttribute("text-anchor", "middle");
  return element;
}

/** A pivot on the ground. @param {Vector} at @param {string} classes */
function support(at, classes) {
  const [x, y] = at;
  const base = y + 19;
  return group(classes, [path(`M${x} ${y}L${x - 11} ${base}L${x + 11} ${base}Z`, "sk-block"), line([x - 17, base], [x + 17, base], "sk-rail"), ...hatching([x - 17, base], [x + 17, base], [1, 0])]);
}

/** Short lines below a line that is fixed. @param {Vector} from @param {Vector} to @param {Vector} way */
function hatching(from, to, way) {
  const count = Math.floor(distance(from, to) / 7);
  const down = plus(times(-5, way), times(6, /** @type {Vector} */ ([-way[1], way[0]])));
  return [path(Array.from({ length: count }, (_, i) => polyline([plus(from, times(7 * (i + 1), way)), plus(plus(from, times(7 * (i + 1), way)), down)])).join(""), "sk-hatch")];
}

/** @param {Vector} from @param {Vector} to */
export function arrow(from, to) {
  const way = unit(minus(to, from)), side = across(way);
  const back = plus(to, times(-9, way));
  return polyline([from, to]) + polyline([plus(back, times(4.5, side)), to, plus(back, times(-4.5, side))]);
}

/** @param {Vector} at @param {Vector} way */
function doubleArrow(at, way) {
  return arrow(at, plus(at, times(38, way))) + arrow(at, plus(at, times(-38, way)));
}

/** @param {Vector} at @param {number} radius @param {boolean} [clockwise] */
function turnArrow(at, radius, clockwise = false) {
  const place = (/** @type {number} */ angle) => plus(at, [radius * Math.cos(angle), (clockwise ? 1 : -1) * radius * Math.sin(angle)]);
  const [from, to, tip] = [place(-0.9), place(3.6), place(3.95)];
  const out = plus(at, times((radius + 5) / radius, minus(to, at))), inner = plus(at, times((radius - 5) / radius, minus(to, at)));
  const sweep = clockwise ? 1 : 0;
  return `M${from[0].toFixed(1)} ${from[1].toFixed(1)}A${radius} ${radius} 0 1 ${sweep} ${to[0].toFixed(1)} ${to[1].toFixed(1)}${polyline([out, tip, inner])}`;
}

