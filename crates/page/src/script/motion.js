// The motion view: the mechanism large, its plots with the same time cursor, sliders, methods, and what the run is worth.

import { make } from "./dom.js";
import { makeRunner, sameRun } from "./runner.js";
import { makePlayback } from "./playback.js";
import { eventsOf, knownUntil, makeCertificate, makeEvents } from "./certificate.js";
import { makeSliders } from "./sliders.js";
import { makeMethods } from "./methods.js";
import { Stage } from "./stage.js";
import { makePlotPanel } from "./plot_panel.js";
import { doubles } from "./plots.js";
import { newestFirst } from "./newest.js";
import { prose, sentence } from "./prose.js";
import { runTerminal } from "./terminal.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").ModelReply} ModelReply */
/** @typedef {import("./runner.js").RunState} RunState */
/** @typedef {import("./runner.js").RunRequest} RunRequest */

/** A run that took longer is not repeated without being asked for, ms. */
const MAX_UNASKED = 4000;
/** What is done sooner needs neither a bar nor a button to cancel, ms. */
const WORTH_A_BAR = 250;
/** The time of the cursor is kept when it has rested for this long, ms. */
const KEEP_TIME_AFTER = 400;

/**
 * @param {App} app
 * @returns {View}
 */
export function motionView(app) {
  const motion = new Motion(app);
  return {
    element: motion.element,
    show: () => motion.show(),
    hide: () => motion.hide(),
    run: () => motion.run(),
    key: (event) => motion.key(event),
    request: () => ({ do: "run", ...app.request(), options: app.state.run }),
  };
}

class Motion {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isShown = false;
    /** @type {RunRequest | null} what was asked for last */
    this.asked = null;
    this.askedAt = 0;
    this.cost = 0;
    /** @type {{text: string, reply: ModelReply} | null} the model without anything set */
    this.own = null;
    this.isModelWrong = false;
    /** The name of the model that the view shows. */
    this.shownModel = "";
    this.keepTimer = 0;
    this.barTimer = 0;
    this.runner = makeRunner(app);
    this.certificate = makeCertificate();
    this.events = makeEvents((time) => this.seekTime(time));
    this.playback = makePlayback({
      onShow: (show) => app.change({ show }),
      onSpeed: (speed) => app.change({ speed }),
      onSeek: () => this.keepTime(),
    });
    this.plots = makePlotPanel(app, (time) => this.seekTime(time));
    this.stage = new Stage(app, this.playback, {
      onTime: (time, readable) => this.plots.setCursor(time, readable),
      onSeek: () => this.keepTime(),
      onStart: (set) => this.choose({ ...app.state.set, ...set }, "start pose"),
      coordinates: () => this.coordinatesSeen(),
    });
    this.sliders = makeSliders({
      onDrag: (set) => this.poses.ask(set),
      onRelease: (set, label) => this.choose(set, label),
      onWrite: ([from, to], written, label) => {
        const { text } = app.state.model;
        app.change({ model: { text: text.slice(0, from) + written + text.slice(to) } }, label);
      },
    });
    this.methods = makeMethods(app, (run, label) => app.change({ run }, label));
    this.poses = newestFirst((/** @type {Record<string, string>} */ set) => this.showPose(set));
    this.runButton = make("button", { class: "button primary motion-run", type: "button", onclick: () => (this.runButton.textContent === "Cancel" ? this.runner.cancel() : this.run()) }, "Run");
    this.until = make("input", { class: "field", type: "text", autocomplete: "off", spellcheck: "false", onchange: () => this.chooseEnd(this.until.value.trim()) });
    this.progress = make("progress", { "aria-label": "Progress of the run", hidden: true });
    this.status = make("span", { class: "quiet small-text motion-status", role: "status" });
    this.trouble = make("div", { class: "card motion-trouble", role: "alert", hidden: true });
    this.element = this.layout();
    this.runner.onChange((state, before) => this.showRun(state, before));
    app.subscribe((state, before) => this.changed(state, before));
    app.onChecked(() => this.showChecked());
  }

  layout() {
    // over the picture: what comes and goes while a slider is dragged must not move the slider
    this.stage.element.append(this.trouble);
    return make("div", { class: "view-motion" },
      make("div", { class: "motion-bar" }, this.runButton, make("label", { class: "motion-until" }, "until ", make("i", {}, "t"), " =", this.until, "s"), this.progress, this.certificate.element, this.status),
      make("div", { class: "motion-stage card" }, this.stage.element, this.playback.element),
      make("div", { class: "motion-plots card" }, this.plots.element),
      make("div", { class: "motion-side" }, make("button", { type: "button", class: "skip", onclick: () => this.stage.frame.focus() }, "To the mechanism (M)"), make("div", { class: "card" }, this.sliders.element), this.methods.element, this.events.element, runTerminal(this.app)));
  }

  // ---- running

  /** @returns {RunRequest} */
  request() {
    const { model, set } = this.app.request();
    return { model, set, options: this.app.state.run };
  }

  isRunning() {
    return this.runner.state.phase === "running" || this.runner.state.phase === "certifying";
  }

  /** The reader has pressed run. */
  run() {
    this.app.trust();
    this.start(this.request());
  }

  /** @param {RunRequest} request */
  start(request) {
    this.asked = request;
    this.askedAt = performance.now();
    this.methods.fail(null);
    this.runner.run(request);
  }

  /** Runs what the state says, unless that runs already, may not, or took long the last time. */
  runIfWanted() {
    const request = this.request();
    if (!this.isShown || !this.app.mayRun() || sameRun(this.asked, request)) return;
    const isSameModel = this.asked?.model.text === request.model.text;
    if (isSameModel && this.cost > MAX_UNASKED) return this.showStale();
    if (this.app.checked?.request.model.text === request.model.text && this.app.checked.reply.problems.length > 0) return;
    this.start(request);
  }

  showStale() {
    const isStale = this.runner.state.request !== null && !this.isRunning() && !sameRun(this.runner.state.request, this.request());
    this.element.classList.toggle("is-stale", isStale);
    if (!this.isRunning()) this.status.textContent = isStale && this.runner.state.phase !== "failed" ? "Something was changed since this run: Ctrl+Enter runs it again." : "";
  }

  /**
   * Values were chosen: the run starts before anything else looks at them.
   * @param {Record<string, string>} set
   * @param {string} label
   */
  choose(set, label) {
    this.poses.drop();
    const request = { ...this.request(), set };
    if (this.isShown && this.app.mayRun() && this.cost <= MAX_UNASKED) this.start(request);
    else this.poses.ask(set);
    this.app.change({ set }, label);
  }

  /** @param {string} text   empty for the end that the model gives */
  chooseEnd(text) {
    const { t_end: _, ...rest } = this.app.state.run;
    this.app.change({ run: text ? { ...rest, t_end: text } : rest }, `until ${text || "the end of the model"}`);
  }

  /** @param {ModelReply | null} reply */
  showMethods(reply) {
    const { run } = this.app.state;
    this.methods.show(run, reply);
    if (document.activeElement !== this.until) this.until.value = String(run.t_end ?? /** @type {any} */ (reply?.methods)?.t_end ?? "");
  }

  /**
   * @param {Readonly<RunState>} state
   * @param {Readonly<RunState>} before
   */
  showRun(state, before) {
    const isNew = state.run !== before.run && state.run !== null;
    if (isNew && state.run) this.showMotion(state.run);
    if (state.run === null && before.run !== null) {
      this.plots.clear();
      this.events.show([]);
    }
    if (state.phase === "failed") this.showFailure(state);
    else if (state.phase !== before.phase) this.showStop(state);
    this.showBar(state);
    this.certificate.show(state);
    if (state.phase === "done") {
      this.plots.knowUntil(this.known());
      this.playback.knowUntil(this.known());
    }
    this.element.dataset.phase = state.phase;
    if (state.phase === "done" && before.phase !== "done") this.speakVerdict(state);
  }

  /** The time up to which the motion that is shown is known, as far as that was judged. */
  known() {
    const { phase, certificate } = this.runner.state;
    return knownUntil(phase === "done" ? certificate : null);
  }

  /** @param {import("./types.js").RunPart} run */
  showMotion(run) {
    this.cost = performance.now() - this.askedAt;
    if (run.film) this.stage.showRun(run.film);
    else this.stage.showNothing();
    this.measureFirstFrame();
    // the first frame does not wait for the plots
    requestAnimationFrame(() => setTimeout(() => {
      if (this.runner.state.run !== run) return;
      this.plots.showRun(run, this.app.checked?.reply ?? null, this.known());
      this.plots.setCursor(this.stage.time(), true);
      this.events.show(eventsOf(run.events, doubles));
    }));
  }

  measureFirstFrame() {
    requestAnimationFrame(() => {
      if (performance.getEntriesByName("catena-slider-release").length === 0) return;
      performance.measure("catena-first-frame", "catena-slider-release");
      performance.clearMarks("catena-slider-release");
    });
  }

  /** @param {Readonly<RunState>} state */
  showBar(state) {
    const { runButton, progress, status } = this;
    const isLong = this.isRunning() && performance.now() - this.askedAt > WORTH_A_BAR;
    const label = isLong ? "Cancel" : "Run";
    if (runButton.textContent !== label) runButton.textContent = label;
    runButton.title = isLong ? "Escape" : "Ctrl+Enter";
    progress.hidden = !(isLong && state.phase === "running");
    if (state.progress !== null) progress.value = state.progress;
    else progress.removeAttribute("value");
    clearTimeout(this.barTimer);
    if (this.isRunning() && !isLong) this.barTimer = window.setTimeout(() => this.showBar(this.runner.state), WORTH_A_BAR);
    status.textContent = state.queued !== null ? `Waiting: position ${state.queued} in the queue` : "";
    if (!this.isRunning()) this.showStale();
  }

  /** A run that could not begin. @param {Readonly<RunState>} state */
  showFailure({ error }) {
    if (!error) return;
    const isAtField = this.methods.fail(error);
    this.sliders.fail(error.problems ?? []);
    this.showTrouble(error.message, error.help ?? "", isAtField ? "The field is marked." : "");
  }

  /** A run that ended before its end shows what it reached. @param {Readonly<RunState>} state */
  showStop({ certificate, late }) {
    if (late) this.showTrouble(late);
    else if (certificate?.stop === "failed") {
      const reached = `What is seen is what was reached, up to t = ${Number(certificate.time.toPrecision(5))} s.`;
      this.showTrouble(certificate.reason ?? certificate.verdict_reason, certificate.verdict_advice ?? "", reached);
    } else this.showTrouble("");
  }

  /**
   * @param {string} message
   * @param {string} [help]
   * @param {string} [more]
   * @param {import("./types.js").Place | null} [place]   in the model's text
   */
  showTrouble(message, help = "", more = "", place = null) {
    const { trouble } = this;
    const isText = place?.source === "model";
    trouble.hidden = message === "";
    trouble.replaceChildren(
      make("p", {}, make("strong", {}, isText ? `Line ${place.line}: ` : "", ...prose(isText ? message : sentence(message)))),
      ...[help, more].filter(Boolean).map((text) => make("p", { class: "quiet" }, ...prose(sentence(text)))),
      isText ? make("button", { type: "button", class: "button small", onclick: () => this.app.reveal(place.from, place.to) }, "Show it in the text") : "");
  }

  /** @param {Readonly<RunState>} state */
  speakVerdict({ certificate }) {
    if (certificate) this.app.say(`The run is ${certificate.verdict}: ${certificate.verdict_reason ?? ""}`);
  }

  // ---- the state of the page

  show() {
    this.isShown = true;
    this.showState(this.app.state);
    this.showChecked();
    this.runIfWanted();
  }

  hide() {
    this.isShown = false;
    this.stage.leave();
  }

  /**
   * @param {Readonly<State>} state
   * @param {Readonly<State>} before
   */
  changed(state, before) {
    if (state.model.name !== before.model.name) {
      this.cost = 0;
      this.stage.forget();
    }
    if (state.show !== before.show || state.speed !== before.speed || state.run !== before.run || state.theme !== before.theme) this.showState(state);
    if (state.plots !== before.plots) this.plots.choose();
    if (state.model !== before.model || state.set !== before.set || state.run !== before.run) this.runIfWanted();
    this.showStale();
  }

  /** @param {Readonly<State>} state */
  showState(state) {
    this.stage.set(state);
    this.playback.show(state.show);
    this.showMethods(this.app.checked?.reply ?? null);
    this.plots.redraw();
  }

  /** What the core says about the model now. */
  showChecked() {
    const { checked } = this.app;
    if (!checked || !this.isShown) return;
    const { model, set } = checked.request;
    // an answer that the hand has overtaken would set a slider back, or tell of troubles that are over
    if (model.text !== this.app.state.model.text || JSON.stringify(set) !== JSON.stringify(this.app.state.set)) return;
    this.showMethods(checked.reply);
    this.sliders.fail(checked.reply.problems);
    if (checked.reply.about) {
      this.showSliders(checked.reply, model, set);
      if (this.runner.state.request?.model.text === model.text) this.plots.showModel(checked.reply);
    }
    else if (this.shownModel !== model.name) this.forgetModel();
    this.shownModel = model.name;
    const isKnown = this.runner.state.run !== null && this.runner.state.request?.model.text === model.text;
    if (!isKnown && !this.sliders.isDragging()) {
      if (checked.reply.film) this.stage.showStart(checked.reply.film, false);
      else if (checked.reply.about) this.stage.showNothing();
    }
    this.showProblems(checked.reply);
    this.runIfWanted();
  }

  /** Another model that cannot be read: nothing of the one before stands under its name. */
  forgetModel() {
    this.asked = null;
    this.runner.forget();
    this.stage.showNothing();
    this.sliders.clear();
  }

  /** What is wrong with the model, until it is right. @param {Pick<ModelReply, "problems" | "open">} reply */
  showProblems({ problems, open }) {
    const [first] = problems;
    const isWrong = Boolean(first || open);
    if (first) this.showTrouble(first.message, first.help ?? "", "", first.place);
    else if (open) this.showTrouble(open);
    else if (this.isModelWrong) this.showTrouble("");
    this.isModelWrong = isWrong;
  }

  /**
   * @param {ModelReply} reply
   * @param {import("./types.js").Model} model
   * @param {Record<string, string>} set
   */
  async showSliders(reply, model, set) {
    if (Object.keys(set).length === 0) this.own = { text: model.text, reply };
    const isOwn = this.own?.text === model.text;
    this.sliders.show(reply, isOwn && this.own ? this.own.reply : reply, set, model.text);
    if (isOwn) return;
    const own = await this.app.core.ask({ do: "model", model, set: {} }).catch(() => null);
    if (!own?.about) return;
    this.own = { text: model.text, reply: own };
    if (this.app.state.model.text === model.text) this.sliders.show(reply, own, this.app.state.set, model.text);
  }

  /** The start while a slider moves. @param {Record<string, string>} set */
  async showPose(set) {
    const reply = await this.app.core.ask({ do: "model", model: this.app.state.model, set, full: false }).catch(() => null);
    if (!reply || reply.error) return;
    this.sliders.fail(reply.problems ?? []);
    // a run that has begun meanwhile knows better
    this.showProblems({ problems: reply.problems ?? [], open: reply.open });
    if (reply.film && (this.sliders.isDragging() || !this.isRunning())) this.stage.showStart(reply.film, true);
  }

  // ---- time

  /** @param {number} time */
  seekTime(time) {
    this.stage.seekTime(time);
    if (!this.stage.film) this.plots.setCursor(time, true);
    this.keepTime();
  }

  keepTime() {
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => this.app.change({ time: this.stage.time() }), KEEP_TIME_AFTER);
  }

  /** The coordinates of the pose that is seen, in the order of the model. */
  coordinatesSeen() {
    const { run } = this.runner.state;
    const about = this.app.checked?.reply.about;
    if (!run || !about || !this.stage.showsRun) return undefined;
    return this.plots.valuesAt(about.coordinates.map(({ name }) => name), this.stage.time());
  }

  // ---- keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    // a control that has the focus keeps the keys that it knows
    if (target.closest("button, summary, a, input, select") && [" ", "Enter"].includes(event.key)) return false;
    if (target.closest("input, select") && /^(Arrow|Home|End|Page)/.test(event.key)) return false;
    if (this.stage.key(event)) return true;
    const to = { m: this.stage.frame, v: this.sliders.element.querySelector("input[type=range]") }[event.key];
    if (to instanceof HTMLElement) {
      to.focus();
      return true;
    }
    if (event.key !== "Escape" || !this.isRunning()) return false;
    this.runner.cancel();
    return true;
  }
}
