// Elements made in one expression.

/**
 * @typedef {Record<string, any>} Properties
 * Properties of the element; `class`, `role`, `for`, `aria-…` and `data-…` are written as attributes.
 */

const IS_ATTRIBUTE = /^(class|role|for|list|aria-.+|data-.+)$/;

/**
 * An element with its properties and children. Texts become text nodes, never markup; null and false are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (IS_ATTRIBUTE.test(name)) made.setAttribute(name, String(value));
    else /** @type {any} */ (made)[name] = value;
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

let count = 0;

/**
 * A name that no other element has, for `for` and `aria-describedby`.
 * @param {string} stem
 */
export function freshId(stem) {
  count += 1;
  return `${stem}-${count}`;
}
