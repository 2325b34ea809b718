// What may stand at a place of a model file, best first.
import { bodiesOf, itemNames, namesIn, partAt } from "./editor_outline.js";
import { roleOf } from "./editor_roles.js";

/**
 * @typedef {object} Completion
 * @property {string} text     as the list shows it
 * @property {string} insert   what is written
 * @property {string} detail   what it is, in a word or two
 * @property {number} [back]   how far the caret stands before the end of what is written
 */

/**
 * What is known about the model and the language.
 * @typedef {object} Knowledge
 * @property {readonly import("./editor_outline.js").Part[]} parts   of the text as it is
 * @property {readonly { heading: string, keys: readonly string[] }[]} sections
 * @property {readonly string[]} functions
 * @property {readonly string[]} units
 * @property {readonly string[]} formulations
 * @property {readonly string[]} integrators
 * @property {readonly string[]} joints   the types of joints
 * @property {readonly { name: string, detail: string }[]} names   of the model when it could last be read
 */

export const DRAWINGS = ["line", "bar", "spring", "damper", "disc", "pin", "ground", "trail"];
const FLAGS = new Set(["free", "terminal", "angle"]);
/** Sections whose keys are quantities of the model. */
const KEYED_BY_QUANTITIES = new Set(["initial", "guess", "forces"]);

/**
 * The completions of a context, best first; those that begin with what is written before those that only contain it.
 * @param {import("./editor_context.js").Context} context
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
export function completionsOf(context, knowledge) {
  const typed = context.prefix.replace(/^\[+/, "").toLowerCase();
  const rank = (/** @type {Completion} */ { text }) => {
    const name = text.replace(/^[["]+/, "").toLowerCase();
    return name === typed ? 1 : name.startsWith(typed) ? 0 : name.includes(typed) && typed.length > 1 ? 2 : 3;
  };
  const seen = new Set();
  return candidatesOf(context, knowledge)
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .map((completion) => ({ completion, rank: rank(completion) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map((ranked) => ranked.completion);
}

/**
 * @param {import("./editor_context.js").Context} context
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function candidatesOf(context, knowledge) {
  switch (context.kind) {
    case "heading":
      return headings(knowledge);
    case "key":
      return keys(context, knowledge);
    case "inner-key":
      return innerKeys(context, knowledge);
    case "unit":
      return plain(knowledge.units, "unit");
    case "word":
      return words(context, knowledge);
    default:
      return values(context.kind, knowledge);
  }
}

/**
 * @param {Iterable<string>} texts
 * @param {string} detail
 * @returns {Completion[]}
 */
function plain(texts, detail) {
  return Array.from(texts, (text) => ({ text, insert: text, detail }));
}

/**
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function headings({ sections, parts }) {
  const used = new Set(parts.map((part) => part.section));
  const open = sections.filter(({ heading }) => heading.startsWith("[[") || (heading.startsWith("[") && !used.has(heading.slice(1, -1))));
  return open.map(({ heading }) => ({ text: heading, insert: heading, detail: heading.startsWith("[[") ? "another one" : "section" }));
}

/**
 * The keys of a section that are not there yet.
 * @param {import("./editor_context.js").Context} context
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function keys(context, knowledge) {
  const { section, line, prefix } = context;
  const part = partAt(knowledge.parts, line);
  const used = new Set(part?.section === section ? part.keys.filter((key) => key !== prefix) : []);
  const free = keysOf(section, knowledge).filter((key) => !used.has(key));
  return free.map((key) => ({ text: key, insert: `${quoted(key)} = `, detail: KEYED_BY_QUANTITIES.has(section) ? "quantity" : "key" }));
}

/**
 * @param {string} section
 * @param {Knowledge} knowledge
 * @returns {string[]}
 */
function keysOf(section, knowledge) {
  const { sections, parts, names } = knowledge;
  if (section === "") return sections.map(({ heading }) => heading).filter((heading) => !heading.startsWith("["));
  if (KEYED_BY_QUANTITIES.has(section)) {
    const moving = [...namesIn(parts, "coordinates"), ...names.filter(({ detail }) => detail === "coordinate").map(({ name }) => name)];
    if (section === "forces") return [...moving, ...namesIn(parts, "definitions")];
    return [...moving.flatMap((name) => [name, `${name}'`]), ...namesIn(parts, "states")];
  }
  // keys of these belong to inline tables: the names in front of them are the user's own
  if (section === "coordinates" || section === "events" || section === "draw") return [];
  return [...(sections.find(({ heading }) => heading.replace(/[[\]]/g, "") === section)?.keys ?? [])];
}

/** @param {string} key */
function quoted(key) {
  return /^[\w-]+$/.test(key) ? key : `"${key}"`;
}

/**
 * @param {import("./editor_context.js").Context} context
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function innerKeys({ section }, { sections }) {
  if (section !== "coordinates" && section !== "events" && section !== "draw") return [];
  const known = sections.find(({ heading }) => heading === `[${section}]`)?.keys ?? [];
  return known.map((key) => ({ text: key, insert: `${key} = `, detail: "key" }));
}

/**
 * Values without quotation marks: they get some, but for yes and no.
 * @param {import("./editor_context.js").Context} context
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function words({ section, path }, knowledge) {
  const key = path[path.length - 1] ?? "";
  const isFlag = FLAGS.has(key) && (key !== "angle" || section === "coordinates");
  if (isFlag) return plain(["true", "false"], "yes or no");
  const role = roleOf(section, path);
  if (role === "text" || role === "name") return [];
  // functions begin a formula that goes on: they are offered inside of the quotation marks
  return values(role, { ...knowledge, functions: [] }).map(({ text, insert, detail }) => ({ text, insert: `"${insert}"`, detail }));
}

/**
 * What may stand inside of a string.
 * @param {import("./editor_roles.js").Role} role
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function values(role, knowledge) {
  const { parts } = knowledge;
  switch (role) {
    case "formula":
      return formulaNames(knowledge);
    case "joint-type":
      return plain(knowledge.joints, "type of joint");
    case "end":
      return bodiesOf(parts).flatMap(({ name, points }) => [
        ...plain(points.map((point) => `${name}.${point}`), "point"),
        ...plain(name === "ground" ? [] : [name], "centre of mass"),
      ]);
    case "body":
      return plain(["ground", ...itemNames(parts, "body")], "body");
    case "joint":
      return plain(itemNames(parts, "joint"), "joint");
    case "formulation":
      return plain(["auto", ...knowledge.formulations], "formulation");
    case "integrator":
      return plain(["auto", ...knowledge.integrators], "integrator");
    case "shape":
      return plain(["rod", "bob"], "shape of a link");
    case "chain-start":
      return plain(["horizontal", "hanging"], "start");
    case "drawing":
      return plain(DRAWINGS, "drawing");
    default:
      return [];
  }
}

/**
 * @param {Knowledge} knowledge
 * @returns {Completion[]}
 */
function formulaNames({ parts, names, functions }) {
  const points = bodiesOf(parts).flatMap(({ name, points: own }) => own.flatMap((point) => [`${name}_${point}_x`, `${name}_${point}_y`]));
  const bodies = itemNames(parts, "body").flatMap((name) => [`${name}_x`, `${name}_y`, `${name}_angle`]);
  return [
    ...plain(namesIn(parts, "parameters"), "parameter"),
    ...plain(namesIn(parts, "coordinates"), "coordinate"),
    ...plain(namesIn(parts, "definitions"), "definition"),
    ...plain(namesIn(parts, "states"), "state"),
    ...plain(bodies, "coordinate"),
    ...names.map(({ name, detail }) => ({ text: name, insert: name, detail })),
    ...plain(points, "point of a body"),
    ...functions.map((name) => ({ text: `${name}()`, insert: `${name}()`, detail: "function", back: 1 })),
    { text: "t", insert: "t", detail: "time" },
    { text: "pi", insert: "pi", detail: "3.14159…" },
  ];
}
