// Names of a model as people write them: theta1' becomes θ with a dot and a lowered 1.

const GREEK = new Map(Object.entries({
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", iota: "ι", kappa: "κ", lambda: "λ",
  mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", upsilon: "υ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω",
  Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω",
}));
const DOTS = ["", "\u0307", "\u0308"];
const LOWERED = "₀₁₂₃₄₅₆₇₈₉";

/**
 * The parts of a name: its letter or words, what stands below the line, and how often it is differentiated by time.
 * @param {string} name
 */
export function partsOf(name) {
  const [, stem, primes] = /^(.*?)('*)$/.exec(name) ?? ["", name, ""];
  const [, head, digits, rest] = /^([A-Za-z]+?)(\d*)((?:_.*)?)$/.exec(stem) ?? ["", stem, "", ""];
  const letter = GREEK.get(head) ?? head;
  // words are read as words
  if (!isLetter(letter)) return { letter: stem.replaceAll("_", " "), below: "", dots: primes.length };
  const below = [digits, ...rest.split("_").filter(Boolean).map((part) => GREEK.get(part) ?? part)].filter(Boolean).join(" ");
  return { letter, below, dots: primes.length };
}

/** @param {string} letter */
const isLetter = (letter) => [...letter].length === 1;

/** @param {number} dots */
const primes = (dots) => "′".repeat(dots);

/**
 * A name as plain text.
 * @param {string} name
 */
export function symbolText(name) {
  const { letter, below, dots } = partsOf(name);
  const dotted = isLetter(letter) && dots <= 2 ? letter + DOTS[dots] : letter + primes(dots);
  if (!below) return dotted;
  return /^\d+$/.test(below) ? dotted + [...below].map((digit) => LOWERED[Number(digit)]).join("") : `${dotted} ${below}`;
}

/**
 * A text as markup that shows it.
 * @param {string} text
 */
export const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * A name as markup, for labels of plots. Whatever the name holds, only `i` and `sub` come out as elements.
 * @param {string} name
 */
export function symbolMarkup(name) {
  const { letter, below, dots } = partsOf(name);
  const head = isLetter(letter) && dots <= 2 ? `<i>${escaped(letter + DOTS[dots])}</i>` : escaped(letter + primes(dots));
  return below ? `${head}<sub>${escaped(below)}</sub>` : head;
}

/**
 * A name as an element.
 * @param {string} name
 */
export function symbolElement(name) {
  const { letter, below, dots } = partsOf(name);
  const element = document.createElement("span");
  element.className = "symbol";
  const head = document.createElement(isLetter(letter) ? "i" : "span");
  head.textContent = isLetter(letter) && dots <= 2 ? letter + DOTS[dots] : letter + primes(dots);
  element.append(head);
  if (below) {
    const low = document.createElement("sub");
    low.textContent = below;
    element.append(low);
  }
  return element;
}
