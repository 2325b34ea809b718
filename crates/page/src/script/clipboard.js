// Copying a text, with a word about it on the button that was pressed.
import { make } from "./dom.js";

/** How long a button says that it has copied, ms. */
const SAID_FOR = 1600;

/**
 * A button that copies what `text` returns when it is pressed.
 * @param {import("./types.js").App} app
 * @param {string} label   on the button
 * @param {string} what    is copied, for screen readers
 * @param {() => string} text
 */
export function copyButton(app, label, what, text) {
  const button = make("button", { type: "button", class: "button small copy", "aria-label": `${label} of ${what}` }, label);
  button.addEventListener("click", async () => {
    const isCopied = await copied(text());
    button.textContent = isCopied ? "Copied" : "Not allowed";
    app.say(isCopied ? `Copied ${what}` : "The browser did not allow copying");
    setTimeout(() => (button.textContent = label), SAID_FOR);
  });
  return button;
}

/**
 * @param {string} text
 * @returns {Promise<boolean>}
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/**
 * For pages that have no clipboard of their own, such as files.
 * @param {string} text
 */
function copiedBySelection(text) {
  const focused = document.activeElement;
  const area = make("textarea", { class: "hidden-text", "aria-hidden": "true", value: text });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
