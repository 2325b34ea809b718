// Views in the page: one is shown, the back button goes back through those that were.

import { byId } from "./dom.js";
import { say } from "./notices.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ViewName} ViewName */
/** @typedef {{ name: ViewName, label: string, make: (app: App) => View }} ViewRow */

/**
 * @param {App} app
 * @param {ViewRow[]} rows
 */
export function routeViews(app, rows) {
  /** @type {Map<ViewName, View>} */
  const made = new Map();
  /** @type {View | null} */
  let shown = null;

  /** @param {ViewRow} row */
  function viewOf(row) {
    let view = made.get(row.name);
    if (!view) {
      view = row.make(app);
      view.element.classList.add("view");
      view.element.tabIndex = -1;
      if (!view.element.hasAttribute("aria-label")) view.element.setAttribute("aria-label", row.label);
      made.set(row.name, view);
      byId("main").append(view.element);
    }
    return view;
  }

  function show() {
    const row = rows.find((candidate) => candidate.name === app.state.view) ?? rows[0];
    const view = viewOf(row);
    if (view === shown) return;
    shown?.hide();
    for (const other of made.values()) other.element.hidden = other !== view;
    shown = view;
    view.show();
    say(`${row.label} view`);
  }

  history.replaceState({ view: app.state.view }, "");
  let goesBack = false;
  window.addEventListener("popstate", (event) => {
    if (!event.state?.view) return;
    goesBack = true;
    app.change({ view: event.state.view });
    goesBack = false;
  });
  app.subscribe((state, before) => {
    if (state.view === before.view) return;
    if (!goesBack) history.pushState({ view: state.view }, "");
    show();
    window.scrollTo(0, 0);
  });
  show();

  return {
    get shown() { return shown; },
    /** Where the user goes on after something else led there. */
    focus: () => shown?.element.focus({ preventScroll: true }),
  };
}
