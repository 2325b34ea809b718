// One answer: how far it is, what it says, its picture, its table, and what can be done with it.
import { answerTable } from "./answer_table.js";
import { wordElements } from "./answer_words.js";
import { make } from "./dom.js";
import { download, fileName } from "./download.js";
import { mountFilm } from "./film.js";
import { makePlayback } from "./playback.js";
import { prose, sentence, titleOf } from "./prose.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./questions_jobs.js").Job} Job */

/** Pictures that come faster are not all drawn, ms. */
const REDRAW_AFTER = 250;

/**
 * The element of one answer, which grows while the answer comes.
 * @param {App} app
 * @param {Job} job
 * @param {{ cancel: () => void, again: () => void }} actions
 */
export function createAnswer(app, job, actions) {
  const bar = make("progress", { "aria-label": `Progress of ${job.question}` });
  const stage = make("span", { class: "quiet" });
  const running = make("div", { class: "row answer-running" }, bar, stage, make("button", { type: "button", class: "button small", onclick: actions.cancel }, "Cancel (Esc)"));
  const outcome = make("div", { class: "stack" });
  const picture = make("div", { class: "answer-figure" });
  const words = make("div", { class: "stack" });
  const rest = make("div", { class: "stack" });
  const element = make("article", { class: "answer stack", "aria-label": `Answer to ${job.question}` }, heading(job), running, outcome, words, picture, rest);
  /** @type {CatenaPlotsHandle | null} */
  let plots = null;
  /** @type {any} */
  let drawn = null;
  let drawnAt = -Infinity;
  let timer = 0;
  /** @type {import("./film.js").MountedFilm | null} */
  let film = null;
  let isOver = false;

  /** Draws the newest picture, at once or a little later, in place of the one before; a reader's zoom stays. */
  function drawSoon() {
    clearTimeout(timer);
    const wait = job.phase === "running" ? Math.max(0, REDRAW_AFTER - (performance.now() - drawnAt)) : 0;
    timer = setTimeout(draw, wait);
  }

  function draw() {
    const figure = job.reply?.figure ?? job.figure;
    if (!figure || figure === drawn || !element.isConnected) return;
    if (!figure.panels?.length) return;
    drawn = figure;
    drawnAt = performance.now();
    // drawing adds to the figure: the answer keeps its own, and has a heading already
    const copy = { ...structuredClone(figure), title: "" };
    if (plots) plots.update(copy);
    else plots = CatenaPlots.create(picture, copy);
  }

  function update() {
    const { phase, progress, queued } = job;
    const isRunning = phase === "running" || phase === "waiting";
    running.hidden = !isRunning;
    if (progress === null) bar.removeAttribute("value");
    else bar.value = Math.min(1, Math.max(0, progress));
    stage.textContent = phase === "waiting" ? "waits for the others" : queued ? `waits for the server, position ${queued}` : progress === null ? "begins" : `${Math.floor(100 * progress)} %`;
    drawSoon();
    if (isRunning || isOver) return;
    isOver = true;
    finish();
  }

  function finish() {
    const { reply, error, phase } = job;
    if (phase === "cancelled") {
      const kept = job.figure ? "The picture shows what was known until then." : "Nothing was known yet.";
      outcome.append(make("p", { class: "doubtful" }, `Cancelled. ${kept} `, make("button", { type: "button", class: "button small", onclick: actions.again }, "Ask again")));
    }
    if (error) outcome.append(make("div", { class: "answer-refusal" }, make("p", { class: "wrong" }, ...prose(sentence(error.message))), error.help ? make("p", {}, ...prose(sentence(error.help))) : null));
    if (!reply) return;
    if (reply.shortfall) outcome.append(make("p", { class: "doubtful" }, ...prose(sentence(String(reply.shortfall)))));
    words.append(...wordElements(reply.words));
    const name = fileName(`${job.request.model.name}-${job.question}`);
    if (reply.film) rest.append(filmElement(reply.film));
    const file = /** @type {any} */ (reply).file;
    if (file) rest.append(fileElement(file, name));
    const table = answerTable(reply.table?.columns ?? [], name);
    if (table) rest.append(table);
    rest.append(make("div", { class: "row" }, make("button", { type: "button", class: "button small", onclick: () => saveJson(name) }, "Save everything as JSON")));
  }

  /** @param {string} name */
  function saveJson(name) {
    download(`${name}.json`, new Blob([JSON.stringify(job.reply?.answer, null, 2)], { type: "application/json" }));
  }

  /** @param {import("./types.js").FilmSet} filmSet */
  function filmElement(filmSet) {
    const stage = make("div", { class: "answer-film" });
    const playback = makePlayback({ onShow: (show) => film?.set({ show, loop: show.loop }), onSpeed: (speed) => film?.set({ speed }), onSeek: () => {} });
    const box = make("div", { class: "answer-moves" }, stage, playback.element);
    film = mountFilm(stage, filmSet, { label: `${job.question}, moving`, show: app.state.show });
    playback.attach(film, filmSet, true);
    playback.show(app.state.show);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) film.play();
    return box;
  }

  /**
   * @param {{ what: string, text?: string, message?: string }} file
   * @param {string} name
   */
  function fileElement({ what, text, message }, name) {
    if (text === undefined) return make("p", { class: "quiet" }, `There is no file of ${what}: ${message ?? ""}`);
    const open = () => app.open({ name: `${name}`, text }, `open ${what}`, { view: "build" });
    const save = () => download(`${name}.toml`, new Blob([text], { type: "application/toml" }));
    return make("div", { class: "row" }, make("button", { type: "button", class: "button small", onclick: save }, `Save ${what} as a model file`), make("button", { type: "button", class: "button small", onclick: open }, `Open ${what} here`));
  }

  return {
    element,
    update,
    /** It is seen again. */
    show() {
      drawSoon();
      plots?.redraw();
    },
    hide() {
      film?.pause();
    },
    dispose() {
      clearTimeout(timer);
      plots?.dispose();
      film?.dispose();
      element.remove();
    },
  };
}

/** @param {Job} job */
function heading(job) {
  const { options = {}, set = {} } = job.request;
  const settings = [...Object.entries(set).map(([name, value]) => `${name}=${value}`), ...Object.entries(options).map(([key, value]) => `${key}: ${[value].flat().join("; ")}`)];
  return make("header", {}, make("h3", {}, `${titleOf(job.question)}: ${job.model}`), settings.length ? make("p", { class: "quiet answer-settings" }, settings.join(", ")) : null);
}
