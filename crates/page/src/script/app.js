// The page starts here: the core, the catalogue, the state, the views, and what joins them.

import { PROTOCOL_VERSION } from "./types.js";
import { httpCore } from "./core.js";
import { createStore, emptyState } from "./store.js";
import { remembered, rememberer } from "./memory.js";
import { checker } from "./check.js";
import { byId } from "./dom.js";
import { say, fail, busy, clearNotices } from "./notices.js";
import { buildHeader } from "./header.js";
import { VIEWS } from "./views.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ViewName} ViewName */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Catalogue} Catalogue */

const FIRST_SYSTEM = "double-pendulum";

async function start() {
  const core = httpCore();
  /** @type {Catalogue & { error?: any }} */
  const catalogue = await core.ask({ do: "catalogue", catena: PROTOCOL_VERSION });
  if (catalogue.error) return fail(catalogue.error);
  const kept = remembered() ?? { state: firstState(catalogue), done: [], undone: [], trusted: true };
  const store = createStore(kept);
  const check = checker(store, core, fail);
  store.subscribe(rememberer(() => store.kept));

  /** @type {App} */
  const app = {
    get state() { return store.state; },
    get checked() { return check.checked; },
    change: store.change,
    subscribe: store.subscribe,
    core,
    catalogue,
    onChecked: check.onChecked,
    request: () => ({ model: store.state.model, set: store.state.set }),
    say,
    fail,
    busy,
    mayRun: () => store.trusted,
    trust: () => { store.trusted = true; },
    go: (view) => go(view),
    open(model, label, more = {}) {
      store.trusted = true;
      const { view, ...rest } = more;
      store.change({ model, set: {}, run: {}, plots: [], time: 0, speed: null, ...rest }, label);
      if (view) go(view);
    },
  };

  const views = showViews(app);
  /** @param {ViewName} view */
  const go = (view) => {
    store.change({ view });
    views.focus();
  };
  buildHeader(app, store, VIEWS);
  applyTheme(store.state.theme);
  store.subscribe((state, before) => {
    if (state.theme !== before.theme) applyTheme(state.theme);
    if (state.model.name !== before.model.name) clearNotices();
  });
  check.ask();
}

/**
 * Puts the views into the page and shows the one of the state; the back button goes back through them.
 * @param {App} app
 */
function showViews(app) {
  const main = byId("main");
  /** @type {Map<ViewName, View>} */
  const made = new Map();
  /** @type {View | null} */
  let shown = null;
  const show = () => {
    const row = VIEWS.find((view) => view.name === app.state.view) ?? VIEWS[0];
    let view = made.get(row.name);
    if (!view) {
      view = row.make(app);
      view.element.classList.add("view");
      view.element.tabIndex = -1;
      made.set(row.name, view);
      main.append(view.element);
    }
    if (view === shown) return;
    shown?.hide();
    for (const other of made.values()) other.element.hidden = other !== view;
    shown = view;
    view.show();
    say(`${row.label} view`);
  };
  history.replaceState({ view: app.state.view }, "");
  let going = false;
  window.addEventListener("popstate", (event) => {
    if (!event.state?.view) return;
    going = true;
    app.change({ view: event.state.view });
    going = false;
  });
  app.subscribe((state, before) => {
    if (state.view === before.view) return;
    if (!going) history.pushState({ view: state.view }, "");
    show();
    window.scrollTo(0, 0);
  });
  show();
  return { focus: () => shown?.element.focus({ preventScroll: true }) };
}

/** @param {State["theme"]} theme */
function applyTheme(theme) {
  const root = document.documentElement.dataset;
  if (theme === "auto") delete root.theme;
  else root.theme = theme;
}

/**
 * @param {Catalogue} catalogue
 * @returns {State}
 */
function firstState(catalogue) {
  const { name, text } = catalogue.systems.find((system) => system.name === FIRST_SYSTEM) ?? catalogue.systems[0];
  return { ...emptyState(), model: { name, text } };
}

start();
