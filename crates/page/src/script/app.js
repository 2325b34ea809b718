// The page starts here: the core, the catalogue, the state, the views, and what joins them.

import { PROTOCOL_VERSION } from "./types.js";
import { httpCore } from "./core.js";
import { hasCore, workerCore } from "./worker_core.js";
import { createStore, emptyState } from "./store.js";
import { remembered, rememberer } from "./memory.js";
import { checker } from "./check.js";
import { say, fail, busy, clearNotices } from "./notices.js";
import { buildHeader } from "./header.js";
import { routeViews } from "./routing.js";
import { listenToKeys, showHelp } from "./keys.js";
import { acceptDrops, askForTrust, openLinks } from "./opening.js";
import { showOpenDialog } from "./folder.js";
import { showLinkDialog, showSaveDialog } from "./saving.js";
import { startTour } from "./tour.js";
import { VIEWS } from "./views.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").Core} Core */
/** @typedef {ReturnType<typeof createStore>} Store */

const FIRST_SYSTEM = "double-pendulum";

async function start() {
  const kept = remembered();
  applyTheme(kept?.state.theme ?? "auto");
  const core = hasCore() ? workerCore() : httpCore();
  /** @type {Catalogue & { error?: any }} */
  const catalogue = await core.ask({ do: "catalogue", catena: PROTOCOL_VERSION });
  if (catalogue.error) return fail(catalogue.error);
  const store = createStore(kept ?? { state: firstState(catalogue), done: [], undone: [], trusted: true });
  store.subscribe(rememberer(() => store.kept));

  const { app, check } = makeApp(core, catalogue, store);
  const router = routeViews(app, VIEWS);
  const actions = actionsOf(app, store);
  app.go = (view) => {
    app.change({ view });
    router.focus();
  };
  app.reveal = (from, to) => {
    app.go("build");
    router.shown?.reveal?.(from, to);
  };
  app.viewRequest = () => router.shown?.request?.() ?? { do: "run", ...app.request(), options: app.state.run };
  app.run = () => {
    app.trust();
    if (!router.shown?.run) app.go("motion");
    router.shown?.run?.();
  };
  buildHeader(app, store, VIEWS, actions);
  listenToKeys({ ...actions, run: () => app.run(), view: (at) => { if (VIEWS[at]) app.change({ view: VIEWS[at].name }); }, shown: () => router.shown });
  acceptDrops(app);
  store.subscribe((state, before) => {
    if (state.theme !== before.theme) applyTheme(state.theme);
    if (state.model.name !== before.model.name) clearNotices();
  });
  check.ask();
  askForTrust(app);
  await openLinks(app);
}

/**
 * What views see of all this.
 * @param {Core} core
 * @param {Catalogue} catalogue
 * @param {Store} store
 */
function makeApp(core, catalogue, store) {
  const check = checker(store, core, fail);
  /** @type {Set<() => void>} */
  const trustListeners = new Set();
  /** @type {App} */
  const app = {
    get state() { return store.state; },
    get checked() { return check.checked; },
    change: store.change,
    subscribe: store.subscribe,
    core,
    catalogue,
    onChecked: check.onChecked,
    check: check.ask,
    request: () => ({ model: store.state.model, set: store.state.set }),
    say,
    fail,
    busy,
    mayRun: () => store.trusted,
    trust() {
      if (store.trusted) return;
      store.change({}, undefined, true);
      for (const listener of [...trustListeners]) listener();
    },
    onTrusted(listener) {
      trustListeners.add(listener);
      return () => { trustListeners.delete(listener); };
    },
    open(model, label, more = {}) {
      const { view, ...rest } = more;
      store.change({ ...freshSettings(), model, ...rest }, label, true);
      if (view) app.go(view);
    },
    restore({ view, ...rest }, label, isTrusted) {
      store.change(rest, label, isTrusted);
      app.go(view);
    },
    // these are known when there are views
    go() {},
    reveal() {},
    run() {},
    viewRequest: () => ({ do: "run" }),
  };
  return { app, check };
}

/** What belongs to a model and does not fit another one. */
function freshSettings() {
  const { set, run, plots, time, speed, ask, compare } = emptyState();
  return { set, run, plots, time, speed, ask, compare };
}

/**
 * @param {App} app
 * @param {Store} store
 */
function actionsOf(app, store) {
  const isDark = () => app.state.theme === "dark" || (app.state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const tour = () => startTour(app);
  return {
    undo() {
      const label = store.undo();
      say(label ? `Undone: ${label}` : "Nothing to undo");
    },
    redo() {
      const label = store.redo();
      say(label ? `Done again: ${label}` : "Nothing to redo");
    },
    open: () => { showOpenDialog(app); },
    save: () => { showSaveDialog(app); },
    link: () => { showLinkDialog(app); },
    theme: () => app.change({ theme: isDark() ? "light" : "dark" }),
    tour,
    help: () => showHelp({ tour }),
  };
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
