// Dialogs: a title, something inside, and several ways out.

import { icon, make } from "./dom.js";

const CLOSE = "M6 6l12 12M18 6 6 18";
let count = 0;

/**
 * Shows a dialog until it is closed by its button, by Escape or by a press next to it; the focus then returns.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @returns {HTMLDialogElement}
 */
export function showDialog(title, content) {
  const id = `dialog-${++count}`;
  const dialog = make("dialog", { class: "dialog", "aria-labelledby": id },
    make("div", { class: "dialog-head" },
      make("h2", { id }, title),
      make("button", { class: "button tool", type: "button", "aria-label": "Close", title: "Close (Esc)", onclick: () => dialog.close() }, icon(CLOSE))),
    make("div", { class: "dialog-body stack" }, ...content));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("pointerdown", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
