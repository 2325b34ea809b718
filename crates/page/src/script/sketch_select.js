// What can be selected in a drawing, and how it is called aloud.
import { worldOf } from "./sketch_model.js";

/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Pick} Pick */
/** @typedef {import("./sketch_spots.js").Item} Item */
/** @typedef {import("./sketch_geometry.js").Vector} Vector */

/**
 * What a click at a place selects; a second click at the same place takes the next one there.
 * @param {Draft} draft
 * @param {Pick} pick
 * @param {Item | null} [now]   what is selected now
 * @returns {Item | null}
 */
export function itemAt(draft, pick, now = null) {
  const all = itemsAt(draft, pick);
  const at = now ? all.findIndex((item) => sameItem(item, now)) : -1;
  return all[(at + 1) % Math.max(all.length, 1)] ?? null;
}

/** @param {Item | null} a @param {Item | null} b */
export function sameItem(a, b) {
  return a?.section === b?.section && a?.name === b?.name;
}

/**
 * Everything at a place, the nearest first.
 * @param {Draft} draft
 * @param {Pick} pick
 * @returns {Item[]}
 */
export function itemsAt({ mechanism }, pick) {
  /** @type {Item[]} */
  const items = [];
  const { spot } = pick;
  if (spot) {
    const here = new Set(spot.joints);
    for (const at of here) items.push({ section: "joint", name: mechanism.joints[at].name });
    for (const motor of mechanism.motors) if (here.has(motor.joint)) items.push({ section: "motor", name: motor.name });
    const bodies = new Set(spot.nodes.map((node) => node.body));
    for (const spring of mechanism.torsionSprings) if (spring.bodies.every((body) => bodies.has(body))) items.push({ section: "torsion-spring", name: spring.name });
    for (const force of mechanism.forces) if (spot.nodes.some((node) => node.body === force.on.body && node.point === force.on.point)) items.push({ section: "force", name: force.name });
    if (spot.joints.length === 0) for (const node of spot.nodes) if (node.body === null && node.point !== null) items.push({ section: "ground", name: node.point });
    for (const body of bodies) if (body !== null) items.push({ section: "body", name: mechanism.bodies[body].name });
  }
  if (pick.item) items.push(pick.item);
  for (const body of pick.bodies) {
    items.push({ section: "body", name: mechanism.bodies[body].name });
    for (const torque of mechanism.torques) if (torque.on === body) items.push({ section: "torque", name: torque.name });
  }
  return items.filter((item, at) => items.findIndex((other) => sameItem(other, item)) === at);
}

/** Everything that can be selected, in the order of Tab. @param {Draft} draft @returns {Item[]} */
export function allItems({ mechanism }) {
  const of = (/** @type {string} */ section, /** @type {{ name: string }[]} */ list) => list.map(({ name }) => ({ section, name }));
  return [
    ...of("ground", mechanism.ground), ...of("body", mechanism.bodies), ...of("joint", mechanism.joints), ...of("spring", mechanism.springs),
    ...of("torsion-spring", mechanism.torsionSprings), ...of("force", mechanism.forces), ...of("torque", mechanism.torques), ...of("motor", mechanism.motors),
  ];
}

/** Whether the drawing still has it. @param {Draft} draft @param {Item | null} item */
export function isThere(draft, item) {
  return item !== null && allItems(draft).some((other) => sameItem(other, item));
}

/**
 * Where an item is, for the crosshair.
 * @param {Draft} draft
 * @param {Item} item
 * @returns {Vector | null}
 */
export function placeOfItem({ mechanism }, item) {
  const named = (/** @type {{ name: string }} */ other) => other.name === item.name;
  const joint = mechanism.joints.find(named);
  const motor = mechanism.motors.find(named);
  const spring = mechanism.springs.find(named);
  const body = mechanism.bodies.find(named) ?? mechanism.bodies[mechanism.torques.find(named)?.on ?? -1];
  switch (item.section) {
    case "ground": return mechanism.ground.find(named)?.at ?? null;
    case "joint": return joint ? worldOf(mechanism, joint.ends[1]) : null;
    case "motor": return motor ? worldOf(mechanism, mechanism.joints[motor.joint].ends[1]) : null;
    case "spring": return spring ? worldOf(mechanism, spring.ends[0]) : null;
    case "force": {
      const force = mechanism.forces.find(named);
      return force ? worldOf(mechanism, force.on) : null;
    }
    case "torsion-spring": {
      const its = mechanism.torsionSprings.find(named);
      const between = mechanism.joints.find(({ ends }) => its && ends.every((end) => its.bodies.includes(end.body)));
      return between ? worldOf(mechanism, between.ends[0]) : null;
    }
    default: return body ? [body.pose[0], body.pose[1]] : null;
  }
}

/** What lies at a place, as a sentence. @param {Draft} draft @param {Pick} pick */
export function described(draft, pick) {
  const items = itemsAt(draft, pick);
  const isGround = pick.spot?.nodes.some((node) => node.body === null);
  const names = items.map((item) => wordFor(draft, item));
  return `${names.length ? names.join(", ") : "nothing"}${isGround ? ", fixed to the ground" : ""}`;
}

/** @param {Draft} draft @param {Item} item */
export function wordFor({ mechanism }, item) {
  const joint = item.section === "joint" ? mechanism.joints.find((other) => other.name === item.name) : null;
  const words = /** @type {Record<string, string>} */ ({ ground: "ground point", body: "body", spring: "spring", "torsion-spring": "torsion spring", force: "force", torque: "torque", motor: "motor" });
  const kinds = /** @type {Record<string, string>} */ ({ revolute: "pin", prismatic: "guide", weld: "weld", distance: "massless rod", "pin-in-slot": "slot", gear: "gears", rack: "rack", "cam-follower": "cam" });
  return `${joint ? kinds[joint.type] ?? "joint" : words[item.section] ?? item.section} ${item.name}`;
}
