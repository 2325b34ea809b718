// Every question of the catalogue: choose one, fill in its form, ask, and watch the answer come.
import { createAnswer } from "./answer.js";
import { readExample } from "./command_line.js";
import { make } from "./dom.js";
import { titleOf } from "./prose.js";
import { suggestedOptions } from "./questions_examples.js";
import { misfit } from "./questions_fit.js";
import { createQuestionForm } from "./questions_form.js";
import { createJobs } from "./questions_jobs.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").QuestionRow} QuestionRow */
/** @typedef {import("./questions_jobs.js").Job} Job */

/** An answer that begins farther down, as a part of the window, cannot be watched. */
const LEAST_IN_SIGHT = 0.6;

/**
 * @param {App} app
 * @returns {import("./types.js").View}
 */
export function questionsView(app) {
  const view = new QuestionsView(app);
  return {
    element: view.element,
    show: () => view.show(),
    hide: () => view.hide(),
    run: () => view.ask(),
    key: (event) => view.key(event),
    request: () => view.shown?.request ?? null,
  };
}

class QuestionsView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isShown = false;
    /** @type {Job | null} the answer that is seen */
    this.shown = null;
    /** @type {Map<Job, ReturnType<typeof createAnswer>>} */
    this.answers = new Map();
    /** @type {{ question: QuestionRow, form: ReturnType<typeof createQuestionForm> } | null} */
    this.open = null;
    this.filledFor = "";
    this.jobs = createJobs(app, (job) => this.jobChanged(job));
    this.list = make("ul", { class: "question-list" });
    this.select = make("select", { class: "field question-select", "aria-label": "Question", onchange: () => this.choose(this.select.value) });
    this.place = make("div", { class: "card question-place" });
    this.history = make("ol", { class: "answer-list", "aria-label": "Answers of this session" });
    this.answer = make("div", { class: "answer-place" });
    this.answerSide = make("div", { class: "stack question-answers" }, this.history, this.answer);
    this.element = make(
      "section",
      { class: "view-questions", "aria-label": "Questions" },
      make("nav", { class: "question-nav", "aria-label": "Questions" }, this.select, this.list),
      this.place,
      this.answerSide,
    );
    this.fillList();
    this.showNothing();
    app.subscribe((state, before) => {
      if (state.ask !== before.ask || state.set !== before.set || state.model !== before.model) this.follow();
    });
    app.onChecked(() => this.follow());
  }

  show() {
    this.isShown = true;
    this.follow();
    if (this.shown) this.answers.get(this.shown)?.show();
  }

  hide() {
    this.isShown = false;
    if (this.shown) this.answers.get(this.shown)?.hide();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const job = this.shown;
    if (event.key !== "Escape" || !job || (job.phase !== "running" && job.phase !== "waiting")) return false;
    this.jobs.cancel(job);
    return true;
  }

  // ---- which question

  fillList() {
    const { questions } = this.app.catalogue;
    for (const { name, summary } of questions) {
      const press = make("button", { type: "button", "data-question": name, onclick: () => this.choose(name) }, make("strong", {}, titleOf(name)), make("span", { class: "quiet" }, summary), make("span", { class: "question-misfit" }));
      this.list.append(make("li", {}, press));
      this.select.append(make("option", { value: name }, `${titleOf(name)}: ${summary}`));
    }
  }

  /** @param {string} name */
  choose(name) {
    if (name === this.app.state.ask.question) return;
    this.app.change({ ask: { question: name, options: {} } }, `question ${name}`);
  }

  /** What is known of the model as it is. */
  reply() {
    const { checked, state } = this.app;
    return checked?.request.model.text === state.model.text ? checked.reply : null;
  }

  /** Shows the question of the state, its options, and names of the model as it is. */
  follow() {
    if (!this.isShown) return;
    const { app } = this;
    const { ask } = app.state;
    const { questions } = app.catalogue;
    const reply = this.reply();
    const asked = questions.find(({ name }) => name === ask.question);
    // which one fits is not known before the model is
    if (!asked && !reply) return;
    const question = asked ?? questions.find(({ needs }) => !misfit(needs, reply)) ?? questions[0];
    if (!question) return;
    this.showFit(question, reply);
    if (this.open?.question !== question) this.openForm(question);
    const { open } = this;
    if (!open) return;
    open.form.refresh();
    this.suggestOnce(question);
    open.form.set(app.state.ask.options);
    open.form.block(this.hindrance());
  }

  /**
   * @param {QuestionRow} question   that is open
   * @param {import("./types.js").ModelReply | null} reply
   */
  showFit(question, reply) {
    this.app.catalogue.questions.forEach(({ name, needs, summary }, at) => {
      const why = misfit(needs, reply);
      const press = /** @type {HTMLElement} */ (this.list.children[at].firstChild);
      press.classList.toggle("is-misfit", why !== "");
      /** @type {HTMLElement} */ (press.lastChild).textContent = why;
      if (name === question.name) press.setAttribute("aria-current", "true");
      else press.removeAttribute("aria-current");
      this.select.options[at].textContent = `${titleOf(name)}: ${why ? "does not fit this model" : summary}`;
    });
    this.select.value = question.name;
  }

  /** @param {QuestionRow} question */
  openForm(question) {
    const form = createQuestionForm(this.app, question, {
      changed: (options) => this.app.change({ ask: { question: question.name, options } }, `options of ${question.name}`),
      ask: () => this.ask(),
      suggest: () => this.app.change({ ask: { question: question.name, options: this.suggested(question) } }, `suggest options of ${question.name}`),
      example: () => this.openExample(question),
    });
    this.open = { question, form };
    this.place.replaceChildren(form.element);
  }

  /**
   * Fills in an empty form, once for a question about a model.
   * @param {QuestionRow} question
   */
  suggestOnce(question) {
    const { app } = this;
    const { ask, model } = app.state;
    const about = app.checked?.reply.about;
    const key = `${question.name} ${model.name}`;
    if (!about || app.checked?.request.model.text !== model.text || this.filledFor === key) return;
    this.filledFor = key;
    if (Object.keys(ask.options).length) return;
    const options = this.suggested(question);
    if (Object.keys(options).length) app.change({ ask: { question: question.name, options } });
  }

  /** @param {QuestionRow} question */
  suggested(question) {
    const { app } = this;
    const reply = app.checked?.reply;
    const about = /** @type {any} */ (reply?.about ?? {});
    const coordinates = (about.coordinates ?? []).map((/** @type {any} */ { name }) => name);
    const given = (about.initial ?? []).map((/** @type {any} */ { name }) => name).filter((/** @type {string} */ name) => coordinates.includes(name));
    const known = {
      name: app.state.model.name,
      parameters: about.parameters ?? [],
      coordinates: about.coordinates ?? [],
      angles: reply?.diagnosis?.angles ?? [],
      states: about.states ?? [],
      given,
      freedom: reply?.diagnosis?.freedom_by_rank ?? null,
    };
    return suggestedOptions(question, known, app.catalogue.systems);
  }

  /** @param {QuestionRow} question */
  openExample(question) {
    const { app } = this;
    const { model, set, options } = readExample(question.example, [...question.options, ...question.runOptions]);
    const system = app.catalogue.systems.find(({ name }) => name === model);
    if (!system) return;
    app.open({ name: system.name, text: system.text }, `example of ${question.name}`, { set, ask: { question: question.name, options } });
  }

  /** Why nothing can be asked now, or nothing. */
  hindrance() {
    const problems = this.app.checked?.reply.problems ?? [];
    return problems.length ? `The model cannot be read: ${problems[0]?.message ?? ""}.` : misfit(this.open?.question.needs ?? "", this.reply());
  }

  // ---- answers

  ask() {
    const { app, open } = this;
    if (!open || this.hindrance()) return;
    app.trust();
    open.form.fail(null);
    const { name, moves } = open.question;
    const options = open.form.values();
    const request = { do: "ask", question: name, ...app.request(), options, ...(moves ? { film: true } : {}) };
    const job = this.jobs.ask(request, app.checked?.reply.about?.title ?? app.state.model.name);
    this.showAnswer(job);
    // where the answer is below the form, it is brought into sight
    if (this.answer.getBoundingClientRect().top > LEAST_IN_SIGHT * window.innerHeight) this.answerSide.scrollIntoView({ block: "start" });
  }

  /** @param {Job} job */
  jobChanged(job) {
    if (!this.answers.has(job)) {
      const again = () => this.showAnswer(this.jobs.ask(job.request, job.model));
      this.answers.set(job, createAnswer(this.app, job, { cancel: () => this.jobs.cancel(job), again }));
    }
    this.answers.get(job)?.update();
    this.fillHistory();
    if (job.phase === "running" || job.phase === "waiting") return;
    if (job.error && this.open?.question.name === job.question && job === this.shown) this.open.form.fail(job.error);
    const outcome = { done: "is answered", failed: "was refused", cancelled: "was cancelled" }[job.phase];
    this.app.say(`The question ${job.question} ${outcome}. ${job.error?.message ?? ""}`);
    for (const [old, answer] of this.answers) {
      if (this.jobs.all.includes(old)) continue;
      answer.dispose();
      this.answers.delete(old);
    }
  }

  /** @param {Job | null} job */
  showAnswer(job) {
    if (this.shown && this.shown !== job) this.answers.get(this.shown)?.hide();
    this.shown = job;
    const answer = job && this.answers.get(job);
    if (!answer) return this.showNothing();
    this.answer.replaceChildren(answer.element);
    this.answer.classList.add("card");
    answer.show();
    this.fillHistory();
  }

  showNothing() {
    this.answer.classList.remove("card");
    this.answer.replaceChildren(make("p", { class: "quiet" }, "Answers appear here. You can ask several questions and go back and forth between their answers."));
    this.fillHistory();
  }

  fillHistory() {
    this.history.hidden = this.jobs.all.length === 0;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.job : undefined;
    this.history.replaceChildren(...this.jobs.all.map((job) => this.historyRow(job)));
    if (focused) /** @type {HTMLElement | null} */ (this.history.querySelector(`[data-job="${focused}"]`))?.focus();
  }

  /** @param {Job} job */
  historyRow(job) {
    const state = { waiting: "waits", running: job.progress === null ? "begins" : `${Math.floor(100 * job.progress)} %`, done: `${((job.took ?? 0) / 1000).toFixed(1)} s`, failed: "refused", cancelled: "cancelled" }[job.phase];
    const press = make("button", { type: "button", class: "button small", "data-job": job.id, "aria-pressed": String(job === this.shown), onclick: () => this.showAnswer(job) }, `${job.id}. ${titleOf(job.question)}`, make("span", { class: "quiet" }, `${job.model}, ${state}`));
    const forget = make("button", { type: "button", class: "button small plain", "aria-label": `Remove answer ${job.id}`, title: "Remove this answer" }, "×");
    forget.addEventListener("click", () => this.forget(job));
    return make("li", {}, press, forget);
  }

  /** @param {Job} job */
  forget(job) {
    this.jobs.forget(job);
    this.answers.get(job)?.dispose();
    this.answers.delete(job);
    if (this.shown === job) this.showAnswer(this.jobs.all[0] ?? null);
    else this.fillHistory();
  }
}
