// Another name for a part: everything in the text that speaks of it follows.
import { itemNamed, keyOf, tableOf, valueOf } from "./text_outline.js";
import { quoted, renamings } from "./text_patch.js";
import { Gesture, refused } from "./sketch_gesture.js";
import { isName } from "./sketch_names.js";

/** @typedef {import("./sketch_gesture.js").Draft} Draft */
/** @typedef {import("./sketch_gesture.js").Outcome} Outcome */
/** @typedef {import("./sketch_spots.js").Item} Item */

/** How names of columns and definitions end that a part brings along. */
const ENDINGS = ["x", "y", "angle", "mass", "length", "inertia", "fx", "fy", "f", "m", "n", "d", "position", "normal", "phi", "power", "force", "torque"];

/**
 * @param {Draft} draft
 * @param {Item} item
 * @param {string} name
 * @returns {Outcome}
 */
export function renameItem(draft, item, name) {
  const gesture = new Gesture(draft);
  if (name === item.name) return { label: "", text: draft.text };
  if (!isName(name)) return refused(`“${name}” cannot be a name: letters, digits and underscores, a letter first.`);
  const isTaken = item.section === "ground" ? gesture.groundNames.has(name) : gesture.taken.has(name);
  if (isTaken) return refused(`Something is called ${name} already.`);
  const own = item.section === "ground" ? keyOf(valueOf(tableOf(draft.outline, "ground"), "points"), item.name) : itemNamed(draft.outline, item.section, item.name);
  if (!own) return refused(`${item.name} is one of several copies: change it in the text.`);
  const points = draft.mechanism.bodies.find((body) => body.name === item.name)?.points.map((point) => point.name) ?? [];
  const follow = followerOf(item, name, item.section === "body" ? points : []);
  for (const edit of renamings(draft.outline, draft.text, (_, text) => follow(text))) gesture.patch.replace(edit, edit.text);
  if ("section" in own) gesture.patch.set(own, "name", quoted(name));
  else gesture.patch.replace({ from: own.from, to: own.from + draft.text.slice(own.from).search(/\s*=/) }, name);
  return gesture.done(`rename ${item.name} to ${name}`, { section: item.section, name });
}

/**
 * What becomes of a text that may speak of an item; null if it does not.
 * @param {Item} item
 * @param {string} name
 * @param {readonly string[]} points   of a body
 * @returns {(text: string) => string | null}
 */
function followerOf(item, name, points) {
  const old = item.section === "ground" ? `ground.${item.name}` : item.name;
  const next = item.section === "ground" ? `ground.${name}` : name;
  const stem = item.section === "ground" ? `ground_${item.name}` : item.name;
  const nextStem = item.section === "ground" ? `ground_${name}` : name;
  // in formulas a part is the beginning of a name: crank_angle, crank_B_x, lambda_B_x; others that begin alike are the user's
  const endings = [...ENDINGS, ...points.map((point) => `${literal(point)}_[xy]`)].join("|");
  const inFormulas = new RegExp(`(?<![\\p{L}\\p{N}_])(lambda_)?${literal(stem)}(?=_(?:${endings})(?![\\p{L}\\p{N}_]))`, "gu");
  return (text) => {
    const trimmed = text.trim();
    if (item.section === "ground" ? trimmed === old : trimmed === old || trimmed.startsWith(`${old}.`) && item.section === "body") return next + trimmed.slice(old.length);
    const replaced = text.replace(inFormulas, (_, prefix) => `${prefix ?? ""}${nextStem}`);
    return replaced === text ? null : replaced;
  };
}

/** A text that a regular expression takes as it is. @param {string} text */
function literal(text) {
  return text.replace(/[^\p{L}\p{N}_]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
