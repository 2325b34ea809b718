// Names for what is drawn: link1, link2 for bodies, A, B, C for joints.

/** Letters of joints; O looks like a zero, and I like a one. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/**
 * The first free name of a kind: link1, link2, ...
 * @param {string} stem
 * @param {Iterable<string>} taken
 */
export function numbered(stem, taken) {
  const known = new Set(taken);
  for (let number = 1; ; number++) if (!known.has(`${stem}${number}`)) return `${stem}${number}`;
}

/**
 * The first free letter, then A1, B1, ...
 * @param {Iterable<string>} taken
 */
export function lettered(taken) {
  const known = new Set(taken);
  for (let round = 0; ; round++) {
    for (const letter of LETTERS) {
      const name = round ? `${letter}${round}` : letter;
      if (!known.has(name)) return name;
    }
  }
}

/**
 * A free name for a point of a body: P, Q, R, ...
 * @param {Iterable<string>} taken
 */
export function pointName(taken) {
  const known = new Set(taken);
  for (const letter of "PQRSTUVWCDEFGHJKLMN") if (!known.has(letter)) return letter;
  return numbered("P", taken);
}

/** What a name may look like, so that formulas can use it. @param {string} name */
export function isName(name) {
  return /^\p{L}[\p{L}\p{N}_]*$/u.test(name) && name !== "ground";
}
