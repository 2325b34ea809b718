// The mechanism of the text as numbers, ready to be drawn: from the core where it can read the model, else from the outline of the
// text, so that what is half built can be seen, too.
import { isSection, itemsOf, nameOf, numberOf, pairOf, tableOf, textOf, valueOf } from "./text_outline.js";
import { minus, plus, turned } from "./sketch_geometry.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_geometry.js").Pose} Pose */
/** @typedef {import("./text_outline.js").Outline} Outline */
/** @typedef {import("./text_outline.js").OutlineSection} OutlineSection */
/** @typedef {import("./text_outline.js").OutlineValue} OutlineValue */

/**
 * @typedef {{ name: string, at: Vector }} NamedPoint   in the axes of its body as the file has them, or in the world
 *
 * @typedef {object} SketchBody
 * @property {string} name
 * @property {number} mass      kg
 * @property {number} inertia   about the centre of mass, kg m²
 * @property {Vector} centre    of mass, in the body's own axes
 * @property {NamedPoint[]} points
 * @property {Pose} pose        of the centre of mass and the own axes, at the start
 * @property {boolean} free     whether it is meant not to be joined to the ground
 * @property {number[]} [tracks] of x, y and angle in a film
 *
 * @typedef {{ body: number | null, point: string | null, own: Vector }} End   `own`: in the axes of its body, or in the world
 *
 * @typedef {object} SketchJoint
 * @property {string} name
 * @property {string} type
 * @property {[End, End]} ends
 * @property {Vector} [axis]
 * @property {Record<string, number>} values   length, ratio, radius, angle, offset
 * @property {number | null} [carrier]
 * @property {Vector[]} [profile]   the outline of a cam in the axes of the first body, from its centre
 *
 * @typedef {{ name: string, ends: [End, End], stiffness: number, length: number, damping: number }} SketchSpring
 * @typedef {{ name: string, bodies: [number | null, number | null] }} SketchTorsionSpring
 * @typedef {{ name: string, on: End, x: number | null, y: number | null }} SketchForce   null: a formula of the motion
 * @typedef {{ name: string, on: number | null, from: number | null, value: number | null }} SketchTorque
 * @typedef {{ name: string, joint: number, drives: "angle" | "position" }} SketchMotor
 *
 * @typedef {object} Mechanism
 * @property {SketchBody[]} bodies
 * @property {NamedPoint[]} ground
 * @property {SketchJoint[]} joints
 * @property {SketchSpring[]} springs
 * @property {SketchTorsionSpring[]} torsionSprings
 * @property {SketchForce[]} forces
 * @property {SketchTorque[]} torques
 * @property {SketchMotor[]} motors
 */

/** Sections of models that are no mechanisms. */
const OTHER_KINDS = ["coordinates", "energy", "chain", "states"];

/**
 * The mechanism that a text describes; null if the text describes something else.
 * @param {any} reply      of a `model` request
 * @param {Mechanism | null} before   what was drawn until now: bodies whose place nobody says stay where they were
 * @returns {Mechanism | null}
 */
export function mechanismOf(reply, before) {
  const told = reply.about?.mechanism;
  if (told && typeof told === "object") return told;
  /** @type {Outline} */
  const outline = reply.outline ?? [];
  const sections = new Set(outline.filter(isSection).map((entry) => entry.section));
  const isMechanism = sections.has("body") || sections.has("ground") || sections.has("joint");
  if (!isMechanism && OTHER_KINDS.some((section) => sections.has(section))) return null;
  return mechanismOfOutline(outline, before);
}

/** @returns {Mechanism} */
function emptyMechanism() {
  return { bodies: [], ground: [], joints: [], springs: [], torsionSprings: [], forces: [], torques: [], motors: [] };
}

/**
 * @param {Outline} outline
 * @param {Mechanism | null} before
 * @returns {Mechanism}
 */
function mechanismOfOutline(outline, before) {
  const ground = pointsOf(valueOf(tableOf(outline, "ground"), "points"));
  // copies can be counted only by the core
  const single = (/** @type {string} */ section) => itemsOf(outline, section).filter((item) => !valueOf(item, "repeat"));
  const bodies = single("body").filter((item) => textOf(item, "name") !== undefined).map(bodyOf);
  const reader = new EndReader(bodies, ground);
  const joints = single("joint").flatMap((item, at) => jointOf(item, at, reader));
  const mechanism = { ...emptyMechanism(), bodies, ground, joints };
  for (const [at, item] of single("spring").entries()) {
    const ends = reader.ends(valueOf(item, "between"));
    const [stiffness, length, damping] = ["stiffness", "length", "damping"].map((key) => numberOf(item, key) ?? 0);
    if (ends) mechanism.springs.push({ name: nameOf(item, at), ends, stiffness, length, damping });
  }
  for (const [at, item] of single("torsion-spring").entries()) {
    const ends = reader.ends(valueOf(item, "between"));
    if (ends) mechanism.torsionSprings.push({ name: nameOf(item, at), bodies: [ends[0].body, ends[1].body] });
  }
  for (const [at, item] of single("force").entries()) {
    const on = reader.end(valueOf(item, "on"));
    const component = (/** @type {string} */ key) => valueOf(item, key) ? numberOf(item, key) ?? null : 0;
    if (on) mechanism.forces.push({ name: nameOf(item, at), on, x: component("x"), y: component("y") });
  }
  for (const [at, item] of single("torque").entries()) {
    const [on, from] = ["on", "from"].map((key) => reader.end(valueOf(item, key))?.body ?? null);
    mechanism.torques.push({ name: nameOf(item, at), on, from, value: numberOf(item, "value") ?? null });
  }
  for (const [at, item] of single("motor").entries()) {
    const joint = joints.findIndex((other) => other.name === textOf(item, "joint"));
    const drives = valueOf(item, "position") ? "position" : "angle";
    if (joint >= 0) mechanism.motors.push({ name: nameOf(item, at), joint, drives });
  }
  place(mechanism, outline, before);
  return mechanism;
}

/** @param {OutlineValue | undefined} table @returns {NamedPoint[]} */
function pointsOf(table) {
  return (table?.keys ?? []).flatMap(({ key, value }) => {
    const at = pairOf(value);
    return at ? [{ name: key, at }] : [];
  });
}

/** @param {OutlineSection} item @returns {SketchBody} */
function bodyOf(item) {
  const length = numberOf(item, "length");
  const own = pointsOf(valueOf(item, "points"));
  const ends = length === undefined ? [] : /** @type {NamedPoint[]} */ ([{ name: "A", at: [0, 0] }, { name: "B", at: [length, 0] }]);
  const points = [...ends.filter((end) => own.every((point) => point.name !== end.name)), ...own];
  const mass = numberOf(item, "mass") ?? 0;
  return {
    name: textOf(item, "name") ?? "",
    mass,
    inertia: numberOf(item, "inertia") ?? mass * (length ?? 0) ** 2 / 12,
    centre: pairOf(valueOf(item, "centre")) ?? (length === undefined ? [0, 0] : [length / 2, 0]),
    points,
    pose: [0, 0, 0],
    free: valueOf(item, "free")?.json === true,
  };
}

class EndReader {
  /** @param {SketchBody[]} bodies @param {NamedPoint[]} ground */
  constructor(bodies, ground) {
    this.bodies = bodies;
    this.ground = ground;
  }

  /** @param {OutlineValue | undefined} value @returns {End | null} */
  end(value) {
    const raw = pairOf(value);
    if (raw) return { body: null, point: null, own: raw };
    if (typeof value?.json !== "string") return null;
    const [name, point = null] = value.json.split(".").map((part) => part.trim());
    const body = this.bodies.findIndex((other) => other.name === name);
    if (name !== "ground" && body < 0) return null;
    const points = name === "ground" ? this.ground : this.bodies[body].points;
    const found = points.find((other) => other.name === point);
    if (point !== null && !found) return null;
    const own = found?.at ?? (name === "ground" ? /** @type {Vector} */ ([0, 0]) : this.bodies[body].centre);
    return { body: name === "ground" ? null : body, point, own };
  }

  /** @param {OutlineValue | undefined} value @returns {[End, End] | null} */
  ends(value) {
    const [first, second] = (value?.items ?? []).map((item) => this.end(item));
    return first && second ? [first, second] : null;
  }
}

/** @param {OutlineSection} item @param {number} at @param {EndReader} reader @returns {SketchJoint[]} */
function jointOf(item, at, reader) {
  const ends = reader.ends(valueOf(item, "between"));
  const type = textOf(item, "type");
  if (!ends || !type) return [];
  /** @type {Record<string, number>} */
  const values = {};
  for (const key of ["length", "ratio", "radius", "angle", "offset"]) {
    const value = numberOf(item, key);
    if (value !== undefined) values[key] = value;
  }
  const carrier = reader.bodies.findIndex((body) => body.name === textOf(item, "carrier"));
  return [{ name: nameOf(item, at), type, ends, axis: pairOf(valueOf(item, "axis")), values, carrier: carrier < 0 ? null : carrier }];
}

/**
 * Puts the bodies where the text guesses them, where joints hold them, or where they were.
 * @param {Mechanism} mechanism
 * @param {Outline} outline
 * @param {Mechanism | null} before
 */
function place(mechanism, outline, before) {
  const [initial, guess] = ["initial", "guess"].map((section) => tableOf(outline, section));
  const items = itemsOf(outline, "body");
  const placed = mechanism.bodies.map((body) => {
    const item = items.find((other) => textOf(other, "name") === body.name);
    const given = (/** @type {string} */ key) => numberOf(initial, `${body.name}_${key}`) ?? numberOf(guess, `${body.name}_${key}`) ?? numberOf(item, key);
    const old = before?.bodies.find((other) => other.name === body.name)?.pose;
    const [x, y, angle] = ["x", "y", "angle"].map(given);
    body.pose = [x ?? old?.[0] ?? 0, y ?? old?.[1] ?? 0, angle ?? old?.[2] ?? 0];
    return x !== undefined && y !== undefined;
  });
  while (placeNext(mechanism, placed, ["revolute", "weld"]) || placeNext(mechanism, placed, ["prismatic", "pin-in-slot"]));
}

/**
 * Puts one body where a joint of one of these types ties it to a place that is known; whether there was one.
 * @param {Mechanism} mechanism
 * @param {boolean[]} placed
 * @param {readonly string[]} types
 */
function placeNext(mechanism, placed, types) {
  for (const { type, ends, values } of mechanism.joints) {
    if (!types.includes(type)) continue;
    for (const [fixed, moved] of [ends, [ends[1], ends[0]]]) {
      if (moved.body === null || placed[moved.body] || (fixed.body !== null && !placed[fixed.body])) continue;
      const body = mechanism.bodies[moved.body];
      const held = (values.angle ?? 0) * (moved === ends[1] ? 1 : -1);
      const angle = type === "prismatic" ? angleOf(mechanism, fixed.body) + held : body.pose[2];
      const centre = minus(worldOf(mechanism, fixed), turned(minus(moved.own, body.centre), angle));
      body.pose = [centre[0], centre[1], angle];
      return placed[moved.body] = true;
    }
  }
  return false;
}

/**
 * Where a point of a body is in the world.
 * @param {Pick<SketchBody, "pose" | "centre">} body
 * @param {readonly number[]} own
 * @returns {Vector}
 */
export function placeOf({ pose, centre }, own) {
  return plus(pose, turned(minus(own, centre), pose[2]));
}

/**
 * Where a place of the world is in the axes of a body.
 * @param {Pick<SketchBody, "pose" | "centre">} body
 * @param {readonly number[]} at
 * @returns {Vector}
 */
export function ownOf({ pose, centre }, at) {
  return plus(turned(minus(at, pose), -pose[2]), centre);
}

/** @param {Mechanism} mechanism @param {End} end @returns {Vector} */
export function worldOf(mechanism, end) {
  return end.body === null ? end.own : placeOf(mechanism.bodies[end.body], end.own);
}

/** The angle of a body; that of the ground is 0. @param {Mechanism} mechanism @param {number | null} body */
export function angleOf(mechanism, body) {
  return body === null ? 0 : mechanism.bodies[body].pose[2];
}

/**
 * The bodies that no joint leads to from the ground.
 * @param {Mechanism} mechanism
 * @returns {Set<number>}
 */
export function floating(mechanism) {
  const group = mechanism.bodies.map((_, at) => at);
  const ground = group.length;
  group.push(ground);
  for (const { type, ends } of mechanism.joints) {
    if (type === "gear" || type === "rack") continue;
    const [a, b] = ends.map((end) => group[end.body ?? ground]);
    group.forEach((its, at) => { if (its === b) group[at] = a; });
  }
  return new Set(mechanism.bodies.map((_, at) => at).filter((at) => group[at] !== group[ground]));
}

/** All names of joints and elements, and of bodies: none may be given twice. @param {Mechanism} mechanism @returns {string[]} */
export function takenNames(mechanism) {
  const { bodies, joints, springs, torsionSprings, forces, torques, motors } = mechanism;
  return [bodies, joints, springs, torsionSprings, forces, torques, motors].flatMap((list) => list.map((/** @type {{ name: string }} */ item) => item.name));
}

/** The corners of everything, to fit a view. @param {Mechanism} mechanism @returns {Vector[]} */
export function extentOf(mechanism) {
  return [
    ...mechanism.ground.map((point) => point.at),
    ...mechanism.bodies.flatMap((body) => [placeOf(body, body.centre), ...body.points.map((point) => placeOf(body, point.at))]),
    ...mechanism.joints.flatMap((joint) => joint.ends.map((end) => worldOf(mechanism, end))),
    ...mechanism.springs.flatMap((spring) => spring.ends.map((end) => worldOf(mechanism, end))),
  ];
}

/** How far a drawing reaches, m; at least what is usual on a desk. @param {Mechanism} mechanism */
export function sizeOf(mechanism) {
  return Math.max(0.1, ...extentOf(mechanism).flat().map(Math.abs).filter(Number.isFinite));
}
