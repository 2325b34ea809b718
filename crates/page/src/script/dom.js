// Elements in one expression. Texts become text nodes, never markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * An element with attributes, properties and children. Keys: `class`, `onEVENT` listeners, `aria-…`/`data-…` and other
 * attributes with a dash or in lower case; `true` gives an empty attribute, `false`, `null` and `undefined` none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
function dress(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on") && typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/**
 * Buttons of which one takes the focus by Tab, and arrows go on to the others.
 * @param {HTMLElement} group
 * @returns {() => void} to be called when its buttons have become others
 */
export function roving(group) {
  const buttons = () => [...group.querySelectorAll("button")];
  const enter = (/** @type {EventTarget | null | undefined} */ entered) => buttons().forEach((button) => { button.tabIndex = button === entered ? 0 : -1; });
  group.addEventListener("focusin", ({ target }) => enter(target));
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = buttons();
    if (!step) return;
    event.preventDefault();
    all[(all.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step + all.length) % all.length]?.focus();
  });
  const refresh = () => enter(buttons()[0]);
  refresh();
  return refresh;
}

/**
 * A picture of one path in a square of 24 units, drawn with the colour of the text.
 * @param {string} path
 * @returns {SVGSVGElement}
 */
export function icon(path) {
  const svg = document.createElementNS(SVG_SPACE, "svg");
  dress(svg, { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", class: "icon" });
  const line = document.createElementNS(SVG_SPACE, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/**
 * Markup of our own core (films, formulas) as an element; null where it is not well-formed. Scripts do not run, and the
 * content security policy would not let them.
 * @param {string} text
 * @param {"image/svg+xml" | "application/xml"} type
 * @returns {Element | null}
 */
export function parsed(text, type) {
  // markup that was written to stand in a page does not name its space
  const named = type === "image/svg+xml" && !text.includes(" xmlns=") ? text.replace("<svg", `<svg xmlns="${SVG_SPACE}"`) : text;
  // the policy forbids styles in markup, not those that a script sets
  const root = new DOMParser().parseFromString(named.replaceAll(" style=", " data-style="), type).documentElement;
  if (root.localName === "parsererror" || root.querySelector("parsererror")) return null;
  const element = /** @type {Element} */ (document.importNode(root, true));
  for (const styled of element.querySelectorAll("[data-style]")) {
    /** @type {HTMLElement} */ (styled).style.cssText = styled.getAttribute("data-style") ?? "";
    styled.removeAttribute("data-style");
  }
  return element;
}

/**
 * The element of this id, which stands in index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}
