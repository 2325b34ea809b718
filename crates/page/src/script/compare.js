// The compare view: one model moved in several ways, side by side: pictures with one clock, a table, work and precision.

import { make } from "./dom.js";
import { freshId } from "./form.js";
import { mountFilm } from "./film.js";
import { makeFilmGroup } from "./film_group.js";
import { makePlayback } from "./playback.js";
import { prose, sentence } from "./prose.js";
import { makeCompareTable, outcomeName, outcomeOptions, recommended } from "./compare_table.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Method} Method */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./compare_table.js").Outcome} Outcome */

/** So many pictures fit side by side; the table has all. */
const MAX_FILMS = 12;

/**
 * @param {App} app
 * @returns {View}
 */
export function compareView(app) {
  const compare = new Compare(app);
  return {
    element: compare.element,
    show: () => compare.show(),
    hide: () => compare.group.pause(),
    run: () => compare.run(),
    key: (event) => compare.key(event),
    request: () => ({ do: "ask", question: "compare", ...app.request(), options: compare.options() }),
  };
}

class Compare {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {AbortController | null} */
    this.control = null;
    this.comparedText = "";
    this.group = makeFilmGroup();
    /** @type {CatenaPlotsHandle | null} */
    this.plots = null;
    this.formulations = checklist("Formulations", "none chosen: all that fit", app.catalogue.formulations, (names) => this.choose({ formulations: names }));
    this.integrators = checklist("Integrators", "none chosen: the one that auto takes", app.catalogue.integrators, (names) => this.choose({ integrators: names }));
    const id = freshId("tolerances");
    this.tolerances = make("input", { class: "field", type: "text", id, placeholder: "1e-4, 1e-6, 1e-8", autocomplete: "off", spellcheck: "false", onchange: () => this.choose({ tolerances: this.tolerances.value.trim() }) });
    this.runButton = make("button", { class: "button primary", type: "button", onclick: () => (this.control ? this.control.abort() : this.run()) }, "Compare");
    this.progress = make("progress", { "aria-label": "Progress of the comparison", hidden: true });
    this.status = make("span", { class: "quiet", role: "status" });
    this.trouble = make("div", { class: "card compare-trouble", role: "alert", hidden: true });
    this.words = make("div", { class: "compare-words stack" });
    this.table = make("div", {});
    this.films = make("div", { class: "compare-films" });
    this.playback = makePlayback({ onShow: (show) => app.change({ show }), onSpeed: (speed) => this.setSpeed(speed), onSeek: () => {} });
    this.figure = make("div", { class: "compare-figure" });
    this.results = make("div", { class: "compare-results stack", hidden: true }, this.words,
      make("div", { class: "card compare-moving" }, this.films, this.playback.element),
      make("div", { class: "card stack" }, this.table), make("div", { class: "card" }, make("h3", {}, "Work and precision"), this.figure));
    this.element = make("div", { class: "view-compare stack" },
      make("div", { class: "card stack compare-form" },
        make("div", { class: "compare-lists" }, this.formulations.element, this.integrators.element,
          make("div", { class: "stack compare-tolerances" }, make("label", { for: id }, make("strong", {}, "Tolerances"), " ", make("span", { class: "quiet small-text" }, "relative and absolute alike")), this.tolerances)),
        make("div", { class: "row" }, this.runButton, this.progress, this.status)),
      this.trouble, this.results);
    app.subscribe((state, before) => this.changed(state, before));
  }

  /** @param {Partial<State["compare"]>} patch */
  choose(patch) {
    this.app.change({ compare: patch }, "what is compared");
  }

  show() {
    const { compare, show, model } = this.app.state;
    this.formulations.show(compare.formulations);
    this.integrators.show(compare.integrators);
    if (document.activeElement !== this.tolerances) this.tolerances.value = compare.tolerances;
    this.playback.show(show);
    if (this.comparedText !== model.text) this.clear();
  }

  /**
   * @param {Readonly<State>} state
   * @param {Readonly<State>} before
   */
  changed(state, before) {
    if (state.compare !== before.compare || state.model !== before.model) this.show();
    if (state.show !== before.show) {
      const { loop, ...show } = state.show;
      this.playback.show(state.show);
      this.group.set({ show, loop });
    }
    if (state.theme !== before.theme) this.plots?.redraw();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.group.clock.set({ speed });
    this.playback.showSpeed(speed);
  }

  /** The options of the question: what is compared, and the times and steps of the run. */
  options() {
    const { compare, run } = this.app.state;
    const row = this.app.catalogue.questions.find((question) => question.name === "compare");
    const known = new Set(row?.runOptions.map(({ key }) => key) ?? []);
    /** @type {Record<string, any>} */
    const options = Object.fromEntries(Object.entries(run).filter(([key]) => known.has(key)));
    if (compare.formulations.length) options.formulations = compare.formulations.join(",");
    if (compare.integrators.length) options.integrators = compare.integrators.join(",");
    if (compare.tolerances) options.tolerances = compare.tolerances;
    return options;
  }

  async run() {
    this.app.trust();
    this.control?.abort();
    const control = new AbortController();
    this.control = control;
    this.clear();
    this.setBusy("Comparing …");
    try {
      const request = this.app.request();
      const reply = await this.app.core.ask({ do: "ask", question: "compare", ...request, options: this.options() }, {
        signal: control.signal,
        progress: (part) => { this.progress.value = part; },
        queued: (position) => { this.status.textContent = `Waiting: position ${position} in the queue`; },
        part: (event) => { if (event.figure && this.control === control) this.showFigure(event.figure); },
      });
      if (this.control !== control) return;
      if (reply.error) this.fail(reply.error);
      else await this.showReply(reply, request, control);
    } catch {
      if (this.control === control) this.app.say("The comparison was cancelled");
    }
    if (this.control === control) {
      this.control = null;
      this.setBusy("");
    }
  }

  /** @param {string} text */
  setBusy(text) {
    this.status.textContent = text;
    this.runButton.textContent = text ? "Cancel" : "Compare";
    this.runButton.title = text ? "Escape" : "Ctrl+Enter";
    this.progress.hidden = !text;
    this.progress.removeAttribute("value");
  }

  /** @param {import("./types.js").Failure} error */
  fail(error) {
    this.trouble.hidden = false;
    this.trouble.replaceChildren(make("p", {}, make("strong", {}, ...prose(sentence(error.message)))), make("p", { class: "quiet" }, ...prose(error.help ? sentence(error.help) : "")));
  }

  clear() {
    this.group.clear();
    this.films.replaceChildren();
    this.plots?.dispose();
    this.plots = null;
    this.results.hidden = true;
    this.trouble.hidden = true;
    this.formulations.explain([]);
  }

  /** @param {import("./types.js").Figure} figure */
  showFigure(figure) {
    this.results.hidden = false;
    this.plots?.dispose();
    this.plots = CatenaPlots.create(this.figure, figure);
  }

  /**
   * @param {import("./types.js").AskReply} reply
   * @param {{model: import("./types.js").Model, set: Record<string, string>}} request
   * @param {AbortController} control
   */
  async showReply(reply, request, control) {
    const { outcomes, left_out: leftOut, recommendation = "" } = reply.answer.result;
    this.comparedText = request.model.text;
    this.results.hidden = false;
    this.formulations.explain(leftOut);
    const table = makeCompareTable(outcomes, recommended(outcomes, recommendation), (outcome) => this.take(outcome));
    this.table.replaceChildren(table.element);
    this.words.replaceChildren(...reply.words.filter(({ kind }) => kind !== "table").map((line) => make("p", { class: line.kind === "failure" ? "wrong" : "" }, ...prose([line.mark, line.text].filter(Boolean).join(" ")))));
    if (reply.figure) this.showFigure(reply.figure);
    this.status.textContent = "Moving pictures …";
    const lead = outcomes.find((/** @type {Outcome} */ outcome) => outcome.automatic) ?? outcomes[0];
    // what `auto` takes comes first: its picture says which part of the world the others show
    const order = outcomes.map((/** @type {Outcome} */ _, /** @type {number} */ at) => at).sort((/** @type {number} */ a, /** @type {number} */ b) => Number(outcomes[b] === lead) - Number(outcomes[a] === lead));
    const places = outcomes.map(() => make("div", { class: "compare-film" }));
    this.films.append(...places.slice(0, MAX_FILMS));
    /** @type {import("./film.js").View | null} */
    let view = null;
    for (const [done, at] of order.entries()) {
      this.progress.value = done / outcomes.length;
      const run = await this.runOutcome(outcomes[at], request, control);
      table.setVerdict(at, run.verdict, run.reason);
      if (at < MAX_FILMS && run.film) view = this.addFilm(places[at], outcomes[at], run, view);
      else places[at].remove();
    }
  }

  /**
   * One of them again, for its picture and its verdict.
   * @param {Outcome} outcome
   * @param {{model: import("./types.js").Model, set: Record<string, string>}} request
   * @param {AbortController} control
   */
  async runOutcome(outcome, request, control) {
    /** @type {any} */
    let known = null;
    const { formulations: _, integrators: __, tolerances, ...run } = this.options();
    const options = { ...run, ...outcomeOptions(outcome, Boolean(tolerances)) };
    const reply = await this.app.core.ask({ do: "run", ...request, options, film: true }, { signal: control.signal, part: (event) => { known = event.run ?? known; } });
    const certificate = reply.certificate ?? known?.certificate;
    return { film: known?.film ?? null, verdict: certificate?.verdict ?? "no result", reason: reply.error?.message ?? certificate?.verdict_reason ?? "" };
  }

  /**
   * @param {HTMLElement} place
   * @param {Outcome} outcome
   * @param {{film: import("./types.js").FilmSet, verdict: string, reason: string}} run
   * @param {import("./film.js").View | null} view
   */
  addFilm(place, outcome, { film: filmSet, verdict, reason }, view) {
    const { show: { loop, ...show }, speed } = this.app.state;
    const name = outcomeName(outcome);
    const frame = make("div", { class: "compare-frame" });
    place.append(frame, make("p", { class: "compare-caption" }, make("strong", {}, name), " ", make("span", { class: verdict, title: reason }, verdict)));
    const film = mountFilm(frame, filmSet, { show, loop, view, label: name });
    this.group.add(film);
    this.group.set({ show, loop, speed: speed ?? filmSet.speed });
    this.playback.attach(/** @type {any} */ (this.group), filmSet, true);
    if (!view && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.group.play();
    return view ?? film.view();
  }

  /** @param {Outcome} outcome */
  take(outcome) {
    this.app.change({ run: { ...this.app.state.run, ...outcomeOptions(outcome, this.app.state.compare.tolerances !== "") } }, `run with ${outcomeName(outcome)}`);
    this.app.go("motion");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.playback.toggle(), k: () => this.playback.toggle(),
      ArrowLeft: () => this.playback.step(event.shiftKey ? -10 : -1), ArrowRight: () => this.playback.step(event.shiftKey ? 10 : 1),
    };
    if (event.key === "Escape" && this.control) {
      this.control.abort();
      return true;
    }
    const target = event.target instanceof Element ? event.target : document.body;
    if (!keys[event.key] || this.results.hidden || target.closest("button, input, select, a, .compare-table")) return false;
    keys[event.key]();
    return true;
  }
}

/**
 * Methods to choose several of.
 * @param {string} label
 * @param {string} about
 * @param {Method[]} methods
 * @param {(names: string[]) => void} onChange
 */
function checklist(label, about, methods, onChange) {
  const lines = methods.map((method) => {
    const why = make("span", { class: "quiet small-text compare-why" });
    const input = make("input", { type: "checkbox", value: method.name, onchange: () => onChange(lines.filter((line) => line.input.checked).map((line) => line.input.value)) });
    const element = make("label", { class: "check", title: `${method.summary} (${method.reference})` }, input, " ", make("span", {}, method.name, " ", why));
    return { name: method.name, input, why, element };
  });
  return {
    element: make("fieldset", { class: "compare-list" }, make("legend", {}, make("strong", {}, label), " ", make("span", { class: "quiet small-text" }, about)),
      ...lines.map((line) => line.element)),
    /** @param {string[]} names */
    show: (names) => lines.forEach(({ name, input }) => { input.checked = names.includes(name); }),
    /** @param {{formulation: string, reason: string}[]} leftOut */
    explain: (leftOut) => lines.forEach(({ name, why }) => {
      const reason = leftOut.find(({ formulation }) => formulation === name)?.reason;
      why.textContent = reason ? `does not fit: ${reason}` : "";
    }),
  };
}
