// Changes of a model file's text in place: what a change does not concern stays as the user wrote it, comments and formulas too.
import { isSection, keyOf, tableOf, valueOf } from "./text_outline.js";

/** @typedef {import("./text_outline.js").Outline} Outline */
/** @typedef {import("./text_outline.js").OutlineKey} OutlineKey */
/** @typedef {import("./text_outline.js").OutlineSection} OutlineSection */
/** @typedef {import("./text_outline.js").OutlineValue} OutlineValue */
/** @typedef {[key: string, value: string, remark?: string]} Line   a key, its value as TOML and a remark behind it */

/** The order in which sections of a mechanism are written. */
const ORDER = [
  "title", "description", "parameters", "sizes", "ground", "body", "joint", "spring", "torsion-spring", "force", "torque", "motor",
  "definitions", "states", "constraints", "initial", "guess", "events", "outputs", "draw", "run",
];

/** Units that a length or an angle may be written in, and how many of ours they are. */
const UNITS = /** @type {Record<string, number>} */ ({ deg: Math.PI / 180, mm: 0.001, cm: 0.01, km: 1000, rpm: Math.PI / 30 });

/** Behind this column remarks stand, if there is room. */
const REMARK_COLUMN = 22;

/** So many digits of a number are written. */
const DIGITS = 6;

/**
 * A number as TOML and formulas have it.
 * @param {number} value
 * @returns {string}
 */
export function written(value) {
  const rounded = Number(value.toPrecision(DIGITS));
  // what is a millionth of a metre came from rounding
  return Math.abs(rounded) < 1e-9 ? "0" : String(rounded);
}

/**
 * An angle in radians as TOML: degrees in quotes.
 * @param {number} angle
 * @returns {string}
 */
export function writtenAngle(angle) {
  const degrees = written(Math.abs(angle) < 1e-9 ? 0 : angle * 180 / Math.PI);
  return degrees === "0" ? "0" : `"${degrees} deg"`;
}

/**
 * @param {readonly number[]} pair
 * @returns {string}
 */
export function writtenPair([x, y]) {
  return `[${written(x)}, ${written(y)}]`;
}

/**
 * A string as TOML.
 * @param {string} text
 * @returns {string}
 */
export function quoted(text) {
  return JSON.stringify(text);
}

/**
 * What a person typed into a field, as TOML: numbers as they are, everything else in quotes.
 * @param {string} text
 * @returns {string}
 */
export function typed(text) {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? tomlNumber(trimmed) : quoted(trimmed);
}

/** TOML wants a digit on both sides of the point. @param {string} text */
function tomlNumber(text) {
  return text.replace(/^([+-]?)\./, "$10.").replace(/\.(?=e|$)/i, ".0");
}

/** Edits of one text, applied together. */
export class TextPatch {
  /**
   * @param {string} text
   * @param {Outline} outline   of this text
   */
  constructor(text, outline) {
    this.text = text;
    this.outline = outline;
    /** @type {{ from: number, to: number, text: string }[]} */
    this.edits = [];
    /** Items and keys that this patch takes out. @type {Set<object>} */
    this.removed = new Set();
    /** Names whose values this patch writes: what sliders have set for them is meant no longer. @type {Set<string>} */
    this.parameters = new Set();
    /** Points that this patch adds, by table. @type {Map<object | string, [string, string][]>} */
    this.added = new Map();
    /** Keys that this patch adds, by table. @type {Map<OutlineSection | string, Line[]>} */
    this.lines = new Map();
    /** Items that this patch adds. @type {{ section: string, lines: Line[] }[]} */
    this.items = [];
  }

  /**
   * Replaces a piece of the text; a remark behind it stays in its column.
   * @param {import("./text_outline.js").Place} place
   * @param {string} text
   */
  replace({ from, to }, text) {
    this.edits = this.edits.filter((edit) => edit.from !== from || edit.to < to);
    if (this.text.slice(from, to) === text) return;
    const gap = /^ {2,}(?=#)/.exec(this.text.slice(to))?.[0].length ?? 0;
    const spaces = gap && Math.max(2, gap + (to - from) - text.length);
    this.edits.push({ from, to: to + gap, text: text + " ".repeat(spaces) });
  }

  /**
   * Writes a value behind a key of a section, whatever stands there.
   * @param {OutlineSection} section
   * @param {string} key
   * @param {string} value   as TOML
   */
  set(section, key, value) {
    const known = keyOf(section, key);
    if (known) return this.replace(known.value, value);
    const lines = this.lines.get(section) ?? [];
    this.lines.set(section, [...lines.filter(([name]) => name !== key), [key, value]]);
  }

  /**
   * Writes a number behind a key; one that is the name of a parameter changes the parameter, a formula stays.
   * @param {OutlineSection} section
   * @param {string} key
   * @param {number} number
   * @param {(number: number) => string} [format]
   * @returns {boolean} false where a formula stays as it is
   */
  setNumber(section, key, number, format = written) {
    const value = valueOf(section, key);
    if (value) return this.changeNumber(value, number, format);
    this.set(section, key, format(number));
    return true;
  }

  /**
   * @param {OutlineValue} value
   * @param {number} number
   * @param {(number: number) => string} [format]
   * @returns {boolean} false where a formula stays as it is
   */
  changeNumber(value, number, format = written) {
    const named = typeof value.json === "string" ? /^\s*(-?)\s*([A-Za-z_]\w*)\s*$/.exec(value.json) : null;
    const parameter = named && valueOf(tableOf(this.outline, "parameters"), named[2]);
    if (named && parameter) {
      this.parameters.add(named[2]);
      return this.changeNumber(parameter, named[1] ? -number : number);
    }
    // a rounded number need not be written again
    if (value.number !== undefined && Math.abs(value.number - number) <= 1e-6 * Math.max(1e-3, Math.abs(number))) return true;
    if (typeof value.json === "number") {
      this.replace(value, format(number));
      return true;
    }
    const measured = typeof value.json === "string" ? /^\s*[+-]?[\d.]+(?:e[+-]?\d+)?\s*([a-z]+)?\s*$/i.exec(value.json) : null;
    const unit = measured && (measured[1] === undefined ? 1 : UNITS[measured[1]]);
    if (!measured || !unit) return false;
    this.replace(value, quoted(`${written(number / unit)}${measured[1] ? ` ${measured[1]}` : ""}`));
    return true;
  }

  /**
   * Two numbers behind a key, or in a list.
   * @param {OutlineValue} value
   * @param {readonly number[]} pair
   * @returns {boolean} false where a formula stays as it is
   */
  changePair(value, pair) {
    const items = value.items ?? [];
    if (items.length !== 2) return false;
    return items.map((item, at) => this.changeNumber(item, pair[at])).every(Boolean);
  }

  /**
   * Takes a key out, with its line.
   * @param {OutlineSection} section
   * @param {string} key
   */
  unset(section, key) {
    const known = keyOf(section, key);
    if (!known || this.removed.has(known)) return;
    this.removed.add(known);
    this.cutLines(known.from, known.to);
  }

  /**
   * Takes an item out, with everything in it.
   * @param {OutlineSection} section
   */
  remove(section) {
    if (this.removed.has(section)) return;
    this.removed.add(section);
    this.cutLines(section.from, section.to);
  }

  /**
   * Whole lines from one place to another, and one empty line behind them.
   * @param {number} from
   * @param {number} to
   */
  cutLines(from, to) {
    const start = this.text.lastIndexOf("\n", from - 1) + 1;
    const head = this.text.slice(start, from);
    let end = lineEnd(this.text, to);
    const isHeading = this.text[from] === "[";
    if (isHeading && /^\s*\n/.test(this.text.slice(end))) end = lineEnd(this.text, end);
    this.edits = this.edits.filter((edit) => edit.to <= start || edit.from >= end);
    if (head.trim() === "") this.edits.push({ from: start, to: end, text: "" });
    else this.edits.push({ from, to, text: "" });
  }

  /**
   * A new item `[[section]]`.
   * @param {string} section
   * @param {Line[]} lines
   */
  add(section, lines) {
    this.items.push({ section, lines });
  }

  /**
   * A key of a plain table, which is made if there is none.
   * @param {string} name
   * @param {string} key
   * @param {string} value
   */
  setIn(name, key, value) {
    const table = tableOf(this.outline, name);
    if (table) return this.set(table, key, value);
    const lines = this.lines.get(name) ?? [];
    this.lines.set(name, [...lines.filter(([other]) => other !== key), [key, value]]);
  }

  /**
   * A new named point of a body, or of the ground if there is no section.
   * @param {OutlineSection | undefined} section
   * @param {string} name
   * @param {readonly number[]} at
   */
  addPoint(section, name, at) {
    const owner = section ?? tableOf(this.outline, "ground") ?? "ground";
    const points = this.added.get(owner) ?? [];
    this.added.set(owner, [...points, [name, writtenPair(at)]]);
  }

  /**
   * Takes a named point out of a table of points.
   * @param {OutlineSection} section
   * @param {string} name
   */
  removePoint(section, name) {
    const points = valueOf(section, "points");
    const point = keyOf(points, name);
    if (!points?.keys || !point || this.removed.has(point)) return;
    this.removed.add(point);
    this.edits = this.edits.filter((edit) => edit.from < points.from || edit.to > points.to);
    const rest = points.keys.filter((key) => !this.removed.has(key));
    if (rest.length === 0) return this.unset(section, "points");
    if (this.text[points.from] !== "{") return this.cutLines(point.from, point.to);
    this.replace(points, `{ ${rest.map((key) => this.text.slice(key.from, key.to)).join(", ")} }`);
  }

  /** The text with all edits. @returns {string} */
  result() {
    const edits = [...this.edits, ...this.pointEdits(), ...this.lineEdits(), ...this.itemEdits()];
    let text = this.text;
    // the last first; of two at one place the one with the higher rank, then the later one, goes behind the other
    edits.map((edit, at) => ({ rank: -1, ...edit, at })).sort((a, b) => b.from - a.from || b.to - a.to || b.rank - a.rank || b.at - a.at)
      .forEach((edit) => { text = text.slice(0, edit.from) + edit.text + text.slice(edit.to); });
    // where the last section went the empty line before it goes, too
    return this.removed.size > 0 ? text.replace(/\n\n+$/, "\n") : text;
  }

  pointEdits() {
    const edits = [];
    for (const [owner, points] of this.added) {
      const list = points.map(([name, at]) => `${name} = ${at}`).join(", ");
      const table = typeof owner === "string" ? undefined : valueOf(/** @type {OutlineSection} */ (owner), "points");
      if (typeof owner === "string") {
        this.lines.set(owner, [...(this.lines.get(owner) ?? []), ["points", `{ ${list} }`]]);
      } else if (!table) {
        const section = /** @type {OutlineSection} */ (owner);
        this.lines.set(section, [...(this.lines.get(section) ?? []), ["points", `{ ${list} }`]]);
      } else if (this.text[table.from] === "{") {
        const last = table.keys?.at(-1);
        if (last) edits.push({ from: last.to, to: last.to, text: `, ${list}` });
        else edits.push({ from: table.from, to: table.to, text: `{ ${list} }` });
      } else {
        const end = lineEnd(this.text, table.keys?.at(-1)?.to ?? table.to);
        const text = points.map(([name, at]) => `${name} = ${at}\n`).join("");
        edits.push({ from: end, to: end, text: open(this.text, end) + text });
      }
    }
    return edits;
  }

  lineEdits() {
    const edits = [];
    for (const [section, lines] of this.lines) {
      if (typeof section === "string") {
        edits.push(this.insertion(section, `[${section}]\n${lines.map(writtenLine).join("")}`));
        continue;
      }
      // keys of the section itself stand before tables that have a heading of their own
      const own = section.keys.filter((key) => key.from > section.heading.from && !isHeaded(this.text, key));
      const end = lineEnd(this.text, own.at(-1)?.to ?? section.heading.to);
      edits.push({ from: end, to: end, text: open(this.text, end) + lines.map(writtenLine).join("") });
    }
    return edits;
  }

  itemEdits() {
    return this.items.map(({ section, lines }) => this.insertion(section, `[[${section}]]\n${lines.map(writtenLine).join("")}`));
  }

  /**
   * Where a new section belongs: behind the last one that comes before it or has its name.
   * @param {string} section
   * @param {string} text
   */
  insertion(section, text) {
    const rank = ORDER.indexOf(section);
    const sections = this.outline.filter(isSection).filter((entry) => !this.removed.has(entry));
    const of = (/** @type {OutlineSection} */ entry) => ORDER.indexOf(entry.section);
    const same = sections.findLast((entry) => entry.section === section);
    const before = same ?? sections.findLast((entry) => of(entry) >= 0 && of(entry) < rank);
    const last = before ?? this.outline.findLast((entry) => !isSection(entry));
    const next = last ? undefined : sections[0];
    let at = last ? lineEnd(this.text, last.to) : next ? this.text.lastIndexOf("\n", next.from - 1) + 1 : this.text.length;
    at = this.edits.find((edit) => edit.from < at && at < edit.to)?.to ?? at;
    const gap = at === 0 ? "" : open(this.text, at) + "\n";
    return { from: at, to: at, rank, text: next ? `${text}\n` : `${gap}${text}` };
  }
}

/** Behind the line in which a place is. @param {string} text @param {number} at */
function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** A line break where the last line has none. @param {string} text @param {number} at */
function open(text, at) {
  return at > 0 && text[at - 1] !== "\n" ? "\n" : "";
}

/** Whether a table stands below a heading like `[body.points]`. @param {string} text @param {OutlineKey} key */
function isHeaded(text, key) {
  return key.value.keys !== undefined && text[key.value.from] === "[";
}

/** @param {Line} line */
function writtenLine([key, value, remark]) {
  const name = /^[\w-]+$/.test(key) ? key : quoted(key);
  const line = `${name} = ${value}`;
  return remark ? `${line.padEnd(REMARK_COLUMN)}  # ${remark}\n` : `${line}\n`;
}

/**
 * Every place in the text where a name stands: as a value, before a dot, or in formulas as the beginning of a name.
 * @param {Outline} outline
 * @param {string} text
 * @param {(value: OutlineValue | OutlineKey, text: string) => string | null} change   null leaves it as it is
 * @returns {{ from: number, to: number, text: string }[]}
 */
export function renamings(outline, text, change) {
  /** @type {{ from: number, to: number, text: string }[]} */
  const edits = [];
  /** @param {OutlineValue} value */
  const visit = (value) => {
    value.keys?.forEach(visitKey);
    value.items?.forEach(visit);
    if (typeof value.json === "string") {
      const next = change(value, value.json);
      if (next !== null) edits.push({ from: value.from, to: value.to, text: quoted(next) });
    }
  };
  /** @param {OutlineKey} key */
  const visitKey = (key) => {
    const next = change(key, key.key);
    const raw = text.slice(key.from, key.from + key.key.length + 2);
    if (next !== null) {
      const length = raw.startsWith('"') ? key.key.length + 2 : key.key.length;
      edits.push({ from: key.from, to: key.from + length, text: /^[\w-]+$/.test(next) ? next : quoted(next) });
    }
    visit(key.value);
  };
  for (const entry of outline) (isSection(entry) ? entry.keys : [entry]).forEach(visitKey);
  return edits;
}
