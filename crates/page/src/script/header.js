// The header: the model's title, the views as tabs, undo and redo, the theme.

import { byId, icon, make } from "./dom.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").ViewName} ViewName */

const UNDO = "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3";
const REDO = "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3";
const THEME = "M12 3a9 9 0 1 0 9 9c0-.5 0-1-.1-1.400A5.500 5.500 0 0 1 12 3z";

/**
 * @param {App} app
 * @param {{ undo(): string | null, redo(): string | null, undoable: string | null, redoable: string | null }} history
 * @param {{ name: ViewName, label: string, icon: string }[]} views
 */
export function buildHeader(app, history, views) {
  const tabs = views.map((view, at) => make("button", {
    class: "tab", type: "button", "data-view": view.name, title: `${view.label} (${at + 1})`,
    onclick: () => app.change({ view: view.name }),
  }, icon(view.icon), make("span", {}, view.label)));
  byId("views").append(...tabs);

  const undo = tool("Undo", UNDO, () => { const label = history.undo(); if (label) app.say(`Undone: ${label}`); });
  const redo = tool("Redo", REDO, () => { const label = history.redo(); if (label) app.say(`Done again: ${label}`); });
  const theme = tool("Theme", THEME, () => {
    const dark = app.state.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : app.state.theme === "dark";
    app.change({ theme: dark ? "light" : "dark" });
  });
  byId("tools").append(undo, redo, theme);

  const refresh = () => {
    for (const tab of tabs) {
      if (tab.dataset.view === app.state.view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    undo.disabled = history.undoable === null;
    redo.disabled = history.redoable === null;
    undo.title = history.undoable === null ? "Nothing to undo" : `Undo: ${history.undoable} (Ctrl+Z)`;
    redo.title = history.redoable === null ? "Nothing to redo" : `Redo: ${history.redoable} (Ctrl+Shift+Z)`;
    const title = app.checked?.reply.about?.title ?? app.state.model.name;
    byId("title").textContent = title;
    document.title = title ? `${title} – Catena` : "Catena";
  };
  app.subscribe(refresh);
  app.onChecked(refresh);
  refresh();
}

/**
 * @param {string} label
 * @param {string} path
 * @param {() => void} act
 */
function tool(label, path, act) {
  return make("button", { class: "button tool", type: "button", title: label, "aria-label": label, onclick: act }, icon(path));
}
