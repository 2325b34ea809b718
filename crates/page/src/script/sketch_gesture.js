// One gesture on its way into the text: what it adds, what it ties, and what that makes of bodies that were not joined before.
import { itemNamed, valueOf } from "./text_outline.js";
import { TextPatch, quoted, written, writtenAngle } from "./text_patch.js";
import { ownOf, sizeOf, takenNames } from "./sketch_model.js";
import { tidy } from "./sketch_geometry.js";
import { lettered, numbered, pointName } from "./sketch_names.js";
import { spotsOf } from "./sketch_spots.js";

/** @typedef {import("./sketch_geometry.js").Vector} Vector */
/** @typedef {import("./sketch_model.js").Mechanism} Mechanism */
/** @typedef {import("./sketch_spots.js").Item} Item */
/** @typedef {import("./sketch_spots.js").Node} Node */
/** @typedef {import("./sketch_spots.js").Spot} Spot */
/** @typedef {import("./text_patch.js").Line} Line */

/** @typedef {{ text: string, outline: import("./text_outline.js").Outline, mechanism: Mechanism, spots: Spot[] }} Draft   a text and what it describes */

/** @typedef {{ at: Vector, spot: Spot | null, bodies: number[], item?: Item | null }} Pick   a place that was clicked and what lies there */

/**
 * What a gesture made of the text, or why it could not.
 * @typedef {object} Outcome
 * @property {string} [text]      the new text
 * @property {string} label       of the step of undo, and what is said aloud
 * @property {string} [refusal]   a sentence instead
 * @property {Item | null} [select]
 * @property {string} [focus]     the key whose field is wanted next
 * @property {string[]} [parameters]  names of parameters that were changed in the text
 */

/** @param {string} refusal @returns {Outcome} */
export const refused = (refusal) => ({ label: "", refusal });

/** Two bodies that a joint ties. @typedef {{ joint: string, a: number | null, b: number | null, pin: boolean }} Tie */

/** What ties an end to a place. @typedef {{ reference: string, body: number | null, own?: Vector }} Attachment */

/**
 * @param {string} text
 * @param {import("./text_outline.js").Outline} outline
 * @param {Mechanism} mechanism
 * @returns {Draft}
 */
export function draftOf(text, outline, mechanism) {
  return { text, outline, mechanism, spots: spotsOf(mechanism) };
}

export class Gesture {
  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    this.mechanism = draft.mechanism;
    this.patch = new TextPatch(draft.text, draft.outline);
    this.taken = new Set(takenNames(draft.mechanism));
    /** Names of joints and bodies; points of the ground may have the same. */
    this.names = new Set(this.taken);
    /** @type {Tie[]} bodies that are tied; new ones are counted behind the known ones */
    this.ties = draft.mechanism.joints.filter(({ type }) => type !== "gear" && type !== "rack")
      .map(({ name, type, ends }) => ({ joint: name, a: ends[0].body, b: ends[1].body, pin: type === "revolute" || type === "weld" }));
    this.tiesBefore = [...this.ties];
    /** @type {{ name: string, lines: Line[], centre: Vector }[]} */
    this.bodies = [];
    /** How large the drawing is, m. */
    this.size = sizeOf(draft.mechanism);
    this.groundNames = new Set(draft.mechanism.ground.map((point) => point.name));
  }

  /** The item of a body in the text; copies have none. @param {number} body */
  item(body) {
    return itemNamed(this.draft.outline, "body", this.mechanism.bodies[body].name);
  }

  /** @param {string} stem */
  name(stem) {
    const name = numbered(stem, this.taken);
    this.taken.add(name);
    return name;
  }

  letter() {
    const name = lettered([...this.taken, ...this.groundNames]);
    this.taken.add(name);
    return name;
  }

  /**
   * A new body; its place is written if nothing else says it.
   * @param {string} stem
   * @param {Line[]} lines
   * @param {Vector} centre
   * @returns {{ name: string, index: number }}
   */
  body(stem, lines, centre) {
    const name = this.name(stem);
    this.bodies.push({ name, lines: [["name", quoted(name)], ...lines], centre });
    return { name, index: this.mechanism.bodies.length + this.bodies.length - 1 };
  }

  /** A joint at a named point of the ground is called as the point. @param {Attachment} first */
  jointName({ reference }) {
    const point = /^"ground\.(.+)"$/.exec(reference)?.[1];
    return point && !this.names.has(point) ? point : this.letter();
  }

  /**
   * A new joint between two ends.
   * @param {string} type
   * @param {Attachment} first
   * @param {Attachment} second
   * @param {Line[]} [lines]
   * @param {string} [name]
   */
  joint(type, first, second, lines = [], name = this.jointName(first)) {
    this.names.add(name);
    this.patch.add("joint", [["name", quoted(name)], ["type", quoted(type)], ["between", `[${first.reference}, ${second.reference}]`], ...lines]);
    if (type !== "gear" && type !== "rack") this.ties.push({ joint: name, a: first.body, b: second.body, pin: type === "revolute" || type === "weld" });
    return name;
  }

  /** A new named point of the ground. @param {Vector} at @param {string} [name] @returns {Attachment} */
  groundPoint(at, name = this.letter()) {
    this.groundNames.add(name);
    this.patch.addPoint(undefined, name, tidy(at, this.size));
    return { reference: quoted(`ground.${name}`), body: null };
  }

  /** @param {Node} node @returns {Attachment} */
  nodeEnd(node) {
    if (node.body === null) {
      const reference = node.point === null ? `[${node.at.map(written).join(", ")}]` : quoted(`ground.${node.point}`);
      return { reference, body: null };
    }
    const { name } = this.mechanism.bodies[node.body];
    return { reference: quoted(node.point === null ? name : `${name}.${node.point}`), body: node.body };
  }

  /**
   * The end at a spot: on the ground if it is there, else on the first body.
   * @param {Spot} spot
   */
  spotEnd(spot) {
    return this.nodeEnd(spot.nodes.find((node) => node.body === null) ?? spot.nodes[0]);
  }

  /**
   * A new point of a body, where nothing was.
   * @param {number} body
   * @param {Vector} at
   * @returns {Attachment | null}   null for copies, which have no place in the text
   */
  bodyPoint(body, at) {
    const item = this.item(body);
    if (!item) return null;
    const { name, points } = this.mechanism.bodies[body];
    const added = this.patch.added.get(item)?.map(([other]) => other) ?? [];
    const point = pointName([...points.map((other) => other.name), "A", "B", ...added]);
    this.patch.addPoint(item, point, tidy(ownOf(this.mechanism.bodies[body], at), this.size));
    return { reference: quoted(`${name}.${point}`), body };
  }

  /**
   * What is there to be tied to: a spot, or a new point of the body below.
   * @param {Pick} pick
   * @returns {Attachment | null}
   */
  attach(pick) {
    if (pick.spot) return this.spotEnd(pick.spot);
    return pick.bodies.length > 0 ? this.bodyPoint(pick.bodies[0], pick.at) : null;
  }

  /** As before, and a new point of the ground where nothing is. @param {Pick} pick */
  attachOrGround(pick) {
    return this.attach(pick) ?? this.groundPoint(pick.at);
  }

  /** A body at a place, by one of its points. @param {Pick} pick @returns {Attachment | null} */
  attachBody(pick) {
    const node = pick.spot?.nodes.find((other) => other.body !== null);
    if (node) return this.nodeEnd(node);
    return pick.bodies.length > 0 ? this.bodyPoint(pick.bodies[0], pick.at) : null;
  }

  /**
   * The new text.
   * @param {string} label
   * @param {Item | null} [select]
   * @returns {Outcome}
   */
  done(label, select = null) {
    const isGone = (/** @type {Tie} */ { joint }) => this.patch.removed.has(itemNamed(this.draft.outline, "joint", joint) ?? {});
    const ties = this.ties.filter((tie) => !isGone(tie));
    const [joined, pinned] = [this.reached(ties, false), this.reached(ties, true)];
    this.bodies.forEach(({ lines, centre }, at) => {
      const isFree = lines.some(([key]) => key === "free");
      const place = /** @type {Line[]} */ ([["x", written(centre[0])], ["y", written(centre[1])]]);
      const index = this.mechanism.bodies.length + at;
      this.patch.add("body", isFree || !joined.has(index) ? [...lines, ...place] : lines);
    });
    this.writePlaces({ joined: this.reached(this.tiesBefore, false), pinned: this.reached(this.tiesBefore, true) }, { joined, pinned });
    return { text: this.patch.result(), label, select, parameters: [...this.patch.parameters] };
  }

  /**
   * What pins hold from now on needs no place of its own, and what nothing holds any more needs one.
   * @param {{ joined: Set<number>, pinned: Set<number> }} before
   * @param {{ joined: Set<number>, pinned: Set<number> }} after
   */
  writePlaces(before, after) {
    this.mechanism.bodies.forEach((body, index) => {
      const item = this.item(index);
      if (!item || this.patch.removed.has(item)) return;
      if (after.pinned.has(index) && !before.pinned.has(index)) {
        for (const key of ["x", "y"]) if (typeof valueOf(item, key)?.json === "number") this.patch.unset(item, key);
      } else if (before.joined.has(index) && !after.joined.has(index)) {
        const [x, y, angle] = body.pose;
        if (!valueOf(item, "angle")) this.patch.set(item, "angle", writtenAngle(angle));
        if (!valueOf(item, "x")) this.patch.set(item, "x", written(x));
        if (!valueOf(item, "y")) this.patch.set(item, "y", written(y));
      }
    });
  }

  /**
   * The bodies that ties lead to from the ground.
   * @param {readonly Tie[]} ties
   * @param {boolean} pinsOnly
   * @returns {Set<number>}
   */
  reached(ties, pinsOnly) {
    /** @type {Set<number | null>} */
    const found = new Set([null]);
    for (let size = 0; size < found.size;) {
      size = found.size;
      for (const { a, b, pin } of ties) {
        if (pinsOnly && !pin) continue;
        if (found.has(a)) found.add(b);
        if (found.has(b)) found.add(a);
      }
    }
    return new Set([...found].flatMap((body) => body ?? []));
  }

  /** The line of a start angle. @param {number} angle @returns {Line} */
  angleLine(angle) {
    return ["angle", writtenAngle(angle)];
  }
}
