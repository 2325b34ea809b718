// What is wrong with a model, below its text: a list that leads to the places, and a card at the place itself.
import { make } from "./dom.js";
import { prose } from "./prose.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./editor_overlay.js").Mark} Mark */

/**
 * A problem with what the editor needs: where it is now.
 * @typedef {object} Finding
 * @property {Problem} problem
 * @property {"wrong" | "doubtful" | "next"} tone   `next`: it is not finished yet
 * @property {string} setting   the value beyond the text that it is about, `NAME=VALUE`; empty if it is about the text
 * @property {number} from      place in the present text; -1 if it has none
 * @property {number} to
 */

/** What the core says of a model that is begun: that is no mistake. */
const [EMPTY, UNFINISHED] = ["the model is empty", /^(the model is empty|nothing joins )/];

/** A reader is told when the text has been left alone for this long, ms. */
const SPOKEN_AFTER = 1200;

/**
 * The problems of a reply, their places moved along with what was typed since it was asked for.
 * @param {{ problems: readonly Problem[], warnings: readonly Problem[] }} reply
 * @param {string} asked    the text of the request
 * @param {string} present  the text as it is now
 * @returns {Finding[]}
 */
export function findingsOf(reply, asked, present) {
  const move = mover(asked, present);
  /**
   * @param {"wrong" | "doubtful"} tone
   * @returns {(problem: Problem) => Finding}
   */
  const found = (tone) => (problem) => {
    const { place, message } = problem;
    if (message.startsWith(EMPTY)) return { problem: { message: "nothing is here yet", help: "draw the first link in the view Build, or write a model" }, tone: "next", setting: "", from: -1, to: -1 };
    const isText = !place || place.source === "model";
    const setting = isText ? "" : place.source;
    if (!place || !isText) return { problem, tone, setting, from: -1, to: -1 };
    const [from, to] = [move(place.from), move(place.to)];
    return { problem, tone: UNFINISHED.test(message) ? "next" : tone, setting, from: Math.min(from, present.length), to: Math.min(Math.max(from, to), present.length) };
  };
  return [...reply.problems.map(found("wrong")), ...reply.warnings.map(found("doubtful"))];
}

/**
 * Where a place of an old text is in a new one: what stands before the change stays, what stands behind it moves.
 * @param {string} old
 * @param {string} now
 * @returns {(at: number) => number}
 */
function mover(old, now) {
  if (old === now) return (at) => at;
  const { start, oldEnd, newEnd } = changeBetween(old, now);
  return (at) => (at <= start ? at : at >= oldEnd ? at + newEnd - oldEnd : Math.min(at, newEnd));
}

/**
 * The one piece in which two texts differ.
 * @param {string} old
 * @param {string} now
 */
export function changeBetween(old, now) {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let same = 0;
  while (same < most - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return { start, oldEnd: old.length - same, newEnd: now.length - same };
}

/**
 * What is underlined.
 * @param {readonly Finding[]} findings
 * @returns {Mark[]}
 */
export function marksOf(findings) {
  return findings.flatMap(({ from, to, tone }, problem) => (from < 0 || tone === "next" ? [] : [{ from, to, tone, problem }]));
}

/**
 * The list below the text.
 * @param {App} app
 * @param {string} id   of its summary, for `aria-describedby`
 * @param {(from: number, to: number) => void} reveal
 */
export function createProblemList(app, id, reveal) {
  const summary = make("p", { class: "editor-summary", id });
  const list = make("ul", { class: "editor-problem-list" });
  const head = make("div", { class: "editor-head" }, summary);
  const element = make("div", { class: "editor-problems" }, head, list);
  let told = "";
  let timer = 0;

  /**
   * @param {readonly Finding[]} findings
   * @param {(at: number) => number} lineAt   from 0
   */
  function show(findings, lineAt) {
    const wrong = findings.filter(({ tone }) => tone === "wrong").length;
    const doubtful = findings.filter(({ tone }) => tone === "doubtful").length;
    const text = summaryOf(wrong, doubtful, findings.length);
    summary.textContent = text;
    summary.className = `editor-summary ${wrong ? "wrong" : doubtful ? "doubtful" : findings.length ? "next" : "good"}`;
    list.replaceChildren(...findings.map((finding) => row(finding, lineAt)));
    list.hidden = findings.length === 0;
    const first = findings[0];
    speak(first ? `${text} ${whereOf(first, lineAt)}${first.problem.message}` : text);
  }

  /**
   * Says what has changed, when nobody types.
   * @param {string} text
   */
  function speak(text) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (text !== told && told !== "") app.say(text);
      told = text;
    }, SPOKEN_AFTER);
  }

  /**
   * @param {Finding} finding
   * @param {(at: number) => number} lineAt
   */
  function row(finding, lineAt) {
    const { problem, tone, from, to, setting } = finding;
    const where = whereOf(finding, lineAt);
    const words = [where && make("b", {}, where), ...prose(problem.message)];
    const message =
      from >= 0
        ? make("button", { type: "button", class: "editor-problem", onclick: () => reveal(from, to) }, ...words)
        : make("span", { class: "editor-problem" }, ...words);
    const help = problem.help ? make("span", { class: "editor-help quiet" }, ...prose(problem.help)) : null;
    const drop = setting ? make("button", { type: "button", class: "button small", onclick: () => dropSetting(app, setting) }, `Drop ${nameOf(setting)}`) : null;
    return make("li", { class: tone }, message, help, drop);
  }

  return {
    element,
    head,
    show,
    /**
     * Shows which row belongs to the caret.
     * @param {readonly Finding[]} findings
     * @param {number} caret
     */
    follow(findings, caret) {
      findings.forEach(({ from, to }, index) => list.children[index]?.classList.toggle("here", from >= 0 && from <= caret && caret <= to));
    },
  };
}

/**
 * @param {number} wrong
 * @param {number} doubtful
 * @param {number} all   with what is not finished
 */
function summaryOf(wrong, doubtful, all) {
  const parts = [];
  if (wrong) parts.push(wrong === 1 ? "1 problem" : `${wrong} problems`);
  if (doubtful) parts.push(doubtful === 1 ? "1 warning" : `${doubtful} warnings`);
  if (!parts.length) return all ? "Not finished yet." : "The text can be read.";
  return `${parts.join(", ")}.`;
}

/**
 * @param {Finding} finding
 * @param {(at: number) => number} lineAt
 */
function whereOf({ from, setting }, lineAt) {
  if (setting) return `${setting}: `;
  return from < 0 ? "" : `line ${lineAt(from) + 1}: `;
}

/** @param {string} setting */
function nameOf(setting) {
  return setting.split("=")[0]?.trim() ?? setting;
}

/**
 * @param {App} app
 * @param {string} setting
 */
function dropSetting(app, setting) {
  const name = nameOf(setting);
  const { [name]: dropped, ...set } = app.state.set;
  app.change({ set }, `drop ${name}`);
  if (dropped !== undefined) app.say(`${name} has the value of the model file again.`);
}

/** The card that shows one problem at its place. */
export function createProblemCard() {
  const element = make("div", { class: "editor-card card", hidden: true, "aria-hidden": "true" });
  return {
    element,
    /**
     * @param {Finding} finding
     * @param {{ left: number, top: number, lineHeight: number }} place
     */
    show({ problem, tone }, place) {
      element.className = `editor-card card ${tone}`;
      element.replaceChildren(make("p", {}, ...prose(problem.message)), ...(problem.help ? [make("p", { class: "quiet" }, ...prose(problem.help))] : []));
      element.hidden = false;
      const room = element.offsetParent?.clientWidth ?? 0;
      element.style.left = `${Math.max(0, Math.min(place.left, room - element.offsetWidth))}px`;
      element.style.top = `${place.top + place.lineHeight + 2}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
