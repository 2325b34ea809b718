// The header: the model's title, the views as tabs, and the tools.

import { byId, icon, make } from "./dom.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").ViewName} ViewName */
/** @typedef {{ name: string, label: string, icon: string, keys?: string, act: () => void }} Tool */

const MENU = "M4 7h16M4 12h16M4 17h16";
const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  open: "M3 18V6a1 1 0 0 1 1-1h5l2 2.500h8a1 1 0 0 1 1 1V10M3 18l2.600-7a1 1 0 0 1 1-.7H21a.8.8 0 0 1 .8 1L19.500 18a1 1 0 0 1-1 .8H4a1 1 0 0 1-1-.8z",
  save: "M12 4v11m0 0 4.500-4.500M12 15l-4.500-4.500M5 19.500h14",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700L12 17",
  theme: "M20.500 14.500A8.500 8.500 0 1 1 9.500 3.500a7 7 0 0 0 11 11z",
  tour: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15.500 8.500l-2 5-5 2 2-5z",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.600 2.200c-.8.4-1.100.9-1.100 1.800M12 16.500v.1",
};

/**
 * @param {App} app
 * @param {{ undoable: string | null, redoable: string | null }} history
 * @param {{ name: ViewName, label: string, icon: string }[]} views
 * @param {Record<keyof typeof ICONS, () => void>} actions
 */
export function buildHeader(app, history, views, actions) {
  const tabs = views.map((view, at) => make("button", {
    class: "tab", type: "button", "data-view": view.name, title: `${view.label} (${at + 1})`,
    onclick: () => app.change({ view: view.name }),
  }, icon(view.icon), make("span", {}, view.label)));
  byId("views").append(...tabs);

  const undo = tool("undo", "Undo", actions.undo);
  const redo = tool("redo", "Redo", actions.redo);
  const rest = make("div", { class: "shell-menu", id: "menu" },
    tool("open", "Open", actions.open, "Ctrl+O"), tool("save", "Save", actions.save, "Ctrl+S"), tool("link", "Link", actions.link),
    tool("theme", "Light or dark", actions.theme), tool("tour", "Tour", actions.tour), tool("help", "Help", actions.help, "?"));
  byId("tools").append(undo, redo, menuButton(rest), rest);

  /** What was shown last: a film changes the state with every frame, and nothing here. */
  let shown = "";
  const refresh = () => {
    const title = titleOf(app);
    const now = [app.state.view, title, history.undoable, history.redoable].join("\n");
    if (now === shown) return;
    shown = now;
    for (const tab of tabs) {
      if (tab.dataset.view === app.state.view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    undo.disabled = history.undoable === null;
    redo.disabled = history.redoable === null;
    undo.title = history.undoable === null ? "Nothing to undo" : `Undo: ${history.undoable} (Ctrl+Z)`;
    redo.title = history.redoable === null ? "Nothing to redo" : `Redo: ${history.redoable} (Ctrl+Shift+Z)`;
    byId("title").textContent = title;
    byId("title").title = title;
    document.title = title ? `${title} – Catena` : "Catena";
  };
  app.subscribe(refresh);
  app.onChecked(refresh);
  refresh();
}

/**
 * The title of the model that is open: as the core read it, else, as long as it has not, as it is written, else its name.
 * @param {App} app
 */
function titleOf(app) {
  const { model } = app.state;
  const { checked } = app;
  if (checked?.request.model === model && checked.reply.about) return checked.reply.about.title;
  // it stands at the beginning of a file
  const written = /^\s*title\s*=\s*"([^"]*)"/m.exec(model.text.slice(0, 2000));
  return written?.[1] || model.name;
}

/**
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {() => void} act
 * @param {string} [keys]
 */
function tool(name, label, act, keys) {
  const title = keys ? `${label} (${keys})` : label;
  return make("button", { class: "button tool", type: "button", "data-tool": name, title, "aria-label": label, onclick: act }, icon(ICONS[name]), make("span", { class: "tool-label" }, label));
}

/**
 * Where there is little room the tools are behind a button.
 * @param {HTMLElement} menu
 */
function menuButton(menu) {
  const button = make("button", { class: "button tool menu-button", type: "button", "data-tool": "menu", "aria-label": "Menu", title: "Menu", "aria-expanded": "false", "aria-controls": "menu" }, icon(MENU));
  const toggle = (/** @type {boolean} */ open) => {
    menu.classList.toggle("is-open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => toggle(!menu.classList.contains("is-open")));
  document.addEventListener("pointerdown", (event) => {
    const inside = event.target instanceof Node && (menu.contains(event.target) || button.contains(event.target));
    if (!inside) toggle(false);
  });
  menu.addEventListener("click", () => toggle(false));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle(false);
    button.focus();
  });
  return button;
}
