// An outline of the TOML that model files have, as the core makes it (crates/protocol/src/outline.rs): enough for tests that run
// without the core. Formulas have numbers where they are a number, a number with a unit, or the name of a parameter.

const UNITS = { deg: Math.PI / 180, mm: 0.001, cm: 0.01, rpm: Math.PI / 30 };

/** @param {string} text */
export function outlineOf(text) {
  const outline = [];
  const counts = {};
  const parameters = {};
  let section = null;
  let at = 0;

  const numberOf = (json) => {
    if (typeof json === "number") return json;
    if (typeof json !== "string") return undefined;
    const measured = /^\s*(-?[\d.]+(?:e-?\d+)?)\s*([a-z]+)?\s*$/.exec(json);
    if (measured && (!measured[2] || UNITS[measured[2]])) return Number(measured[1]) * (UNITS[measured[2]] ?? 1);
    const named = /^\s*(-?)\s*(\w+)\s*$/.exec(json);
    const value = named && parameters[named[2]];
    return value === undefined || value === null ? undefined : named[1] ? -value : value;
  };
  const skip = () => {
    for (;;) {
      const found = /^(?:\s+|#[^\n]*)/.exec(text.slice(at));
      if (!found) return;
      at += found[0].length;
    }
  };
  const value = () => {
    const from = at;
    const made = (json, more = {}) => {
      const number = numberOf(json);
      return { from, to: at, json, ...(number === undefined ? {} : { number }), ...more };
    };
    const start = text[at];
    if (start === '"') {
      const found = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at))[0];
      at += found.length;
      return made(JSON.parse(found));
    }
    if (start === "[" || start === "{") {
      const items = [], keys = [];
      for (at++, skip(); text[at] !== "]" && text[at] !== "}"; skip()) {
        if (start === "[") items.push(value());
        else keys.push(key());
        skip();
        if (text[at] === ",") at++;
      }
      at++;
      if (start === "[") return made(items.map((item) => item.json), { items });
      return made(Object.fromEntries(keys.map(({ key, value }) => [key, value.json])), { keys });
    }
    const found = /^[^\s,\]}#]+/.exec(text.slice(at))[0];
    at += found.length;
    return made(found === "true" ? true : found === "false" ? false : Number(found));
  };
  const key = () => {
    const from = at;
    const found = /^(?:"((?:[^"\\]|\\.)*)"|([\w-]+))\s*=\s*/.exec(text.slice(at));
    if (!found) throw new Error(`no key at ${text.slice(at, at + 20)}`);
    at += found[0].length;
    const its = value();
    return { key: found[1] ?? found[2], from, to: at, value: its };
  };

  for (skip(); at < text.length; skip()) {
    const heading = /^\[(\[)?([\w.-]+)\]\]?/.exec(text.slice(at));
    if (heading) {
      const place = { from: at, to: at + heading[0].length };
      at = place.to;
      const [name, inner] = heading[2].split(".");
      if (inner) {
        const table = { from: place.from, to: place.to, json: {}, keys: [] };
        section.keys.push({ key: inner, from: place.from + 1, to: place.to, value: table });
        section = { ...section, keys: table.keys, owner: section };
        continue;
      }
      section = { section: name, index: heading[1] ? counts[name] ?? 0 : null, ...place, heading: place, keys: [] };
      if (heading[1]) counts[name] = (counts[name] ?? 0) + 1;
      outline.push(section);
      continue;
    }
    const entry = key();
    if (!section) outline.push(entry);
    else {
      section.keys.push(entry);
      (section.owner ?? section).to = entry.to;
      if (section.section === "parameters") parameters[entry.key] = entry.value.number;
    }
  }
  return outline;
}
