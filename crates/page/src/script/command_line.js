// The same in a terminal: what one would type to get what the page shows, quoted for POSIX shells.

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OptionValue} OptionValue */

/** Words that no shell looks into. */
const PLAIN = /^[A-Za-z0-9_/:.,=+@%-]+$/;
/** What double quotation marks do not take away from the shell. */
const LIVE_IN_DOUBLE_MARKS = /["$`\\!]/;

/**
 * One word of a command line.
 * @param {string} word
 */
export function shellWord(word) {
  if (PLAIN.test(word)) return word;
  if (word.includes("'") && !LIVE_IN_DOUBLE_MARKS.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * What names the model on a command line: a ready system by its name, any other by the file that it would be saved as.
 * @param {import("./types.js").Model} model
 * @param {readonly { name: string, text: string }[]} systems
 * @returns {{ word: string, isFile: boolean }}
 */
export function modelWord(model, systems) {
  const ready = systems.find(({ name }) => name === model.name);
  if (ready && ready.text === model.text) return { word: model.name, isFile: false };
  const stem = model.name.trim().replace(/[/\\\0-\x1f]/g, "-") || "model";
  const file = stem.endsWith(".toml") ? stem : `${stem}.toml`;
  return { word: file.startsWith("-") ? `./${file}` : file, isFile: true };
}

/**
 * A whole command line.
 * @param {object} asked
 * @param {readonly string[]} asked.command   as `["analyze", "response"]`
 * @param {string} asked.model   a name or a file
 * @param {Readonly<Record<string, string>>} [asked.set]
 * @param {readonly Row[]} [asked.rows]   of the options; a key without a row is left out
 * @param {Readonly<Record<string, OptionValue>>} [asked.options]
 */
export function commandLine({ command, model, set = {}, rows = [], options = {} }) {
  const words = ["catena", ...command, model];
  for (const [name, value] of Object.entries(set)) words.push("--set", `${name}=${value}`);
  for (const row of rows) words.push(...flagWords(row, options[row.key]));
  return words.map(shellWord).join(" ");
}

/**
 * @param {Row} row
 * @param {OptionValue | undefined} value
 * @returns {string[]}
 */
function flagWords(row, value) {
  const flag = `--${row.flag.replace(/^-+/, "")}`;
  if (value === undefined || value === "" || value === false) return [];
  if (row.kind === "switch") return value === true || value === "true" ? [flag] : [];
  const texts = Array.isArray(value) ? (row.kind === "repeated" ? value : [value.join(",")]) : [String(value)];
  // a value that begins with a dash would be read as a flag
  return texts.filter((text) => text !== "").flatMap((text) => (text.startsWith("-") ? [`${flag}=${text}`] : [flag, text]));
}

/**
 * The options of an example such as `triple-pendulum --over f=0.05:2:79 --over R=0.5,1`, by their keys. Flags that are not
 * among the rows, such as those about files, are left out.
 * @param {string} example
 * @param {readonly Row[]} rows
 * @returns {{ model: string, set: Record<string, string>, options: Record<string, OptionValue> }}
 */
export function readExample(example, rows) {
  const words = shellWords(example);
  let model = "";
  /** @type {Record<string, string>} */
  const set = {};
  /** @type {Record<string, OptionValue>} */
  const options = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("--")) {
      model ||= word;
      continue;
    }
    const [flag = "", joined] = splitOnce(word.slice(2), "=");
    const row = rows.find((candidate) => candidate.flag.replace(/^-+/, "") === flag);
    if (row?.kind === "switch") {
      options[row.key] = true;
      continue;
    }
    const next = words[at + 1];
    if (!row && flag !== "set" && (next === undefined || next.startsWith("--"))) continue;
    const value = joined ?? words[++at] ?? "";
    if (flag === "set") {
      const [name = "", given = ""] = splitOnce(value, "=");
      set[name] = given;
    } else if (row?.kind === "repeated") options[row.key] = [...[options[row.key] ?? []].flat().map(String), value];
    else if (row) options[row.key] = value;
  }
  return { model, set, options };
}

/**
 * @param {string} text
 * @param {string} sign
 */
function splitOnce(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * The words of a command line without its quotation marks.
 * @param {string} line
 * @returns {string[]}
 */
export function shellWords(line) {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  const unquoted = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g;
  return words.map((word) => word.replace(unquoted, (_, double, single, escaped) => double?.replace(/\\(["$`\\])/g, "$1") ?? single ?? escaped));
}
