// The editor of model files: a text area, its colours behind it, completions below the caret and problems below the text.
import { make } from "./dom.js";
import { completionsOf } from "./editor_completions.js";
import { contextAt } from "./editor_context.js";
import { knowledgeOf } from "./editor_knowledge.js";
import { Overlay } from "./editor_overlay.js";
import { Popup } from "./editor_popup.js";
import { changeBetween, createProblemCard, createProblemList, findingsOf, marksOf } from "./editor_problems.js";
import { roleOf } from "./editor_roles.js";
import { indented, paired, unpaired } from "./editor_typing.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./editor_problems.js").Finding} Finding */
/** @typedef {import("./editor_typing.js").Selected} Selected */

/**
 * @typedef {object} EditorHandle
 * @property {HTMLElement} element
 * @property {() => void} focus
 * @property {(from: number, to: number) => void} reveal   selects a piece of the text and scrolls there
 * @property {() => void} remove
 */

/** Events of scrolling follow within this time, ms. */
const OWN_SCROLLING = 150;

let mounted = 0;

/**
 * Puts an editor of the model's text into an element.
 * @param {HTMLElement} element
 * @param {App} app
 * @returns {EditorHandle}
 */
export function mountEditor(element, app) {
  const editor = new Editor(app, `editor-${++mounted}`);
  element.append(editor.element);
  return editor;
}

class Editor {
  /**
   * @param {App} app
   * @param {string} id
   */
  constructor(app, id) {
    this.app = app;
    /** @type {Finding[]} */
    this.findings = [];
    /** Whether something has changed since it was drawn. */
    this.isStale = true;
    /** Until then scrolling is not the reader's own, ms. */
    this.scrolledUntil = 0;
    this.area = make("textarea", {
      id,
      class: "editor-text",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-label": "Model file",
      "aria-describedby": `${id}-problems ${id}-keys`,
    });
    const colours = make("pre", { class: "editor-colours", "aria-hidden": "true", inert: true });
    this.numbers = make("div", { class: "editor-numbers", "aria-hidden": "true", inert: true });
    this.overlay = new Overlay(colours, this.numbers);
    this.popup = new Popup(this.area, (completion) => this.accept(completion));
    this.list = createProblemList(app, `${id}-problems`, (from, to) => this.reveal(from, to));
    this.card = createProblemCard();
    const sheet = make("div", { class: "editor-sheet" }, colours, this.area);
    this.frame = make("div", { class: "editor-frame" }, this.numbers, sheet);
    this.box = make("div", { class: "editor-box" }, this.frame, this.popup.element, this.card.element);
    this.list.head.append(keysHelp(`${id}-keys`));
    this.element = make("div", { class: "editor" }, this.box, this.list.element);
    this.stops = [app.subscribe(() => this.follow()), app.onChecked(() => this.judge())];
    this.listen();
    this.follow();
    this.judge();
  }

  focus() {
    this.area.focus();
  }

  remove() {
    for (const stop of this.stops) stop();
    this.element.remove();
  }

  // ---- the text and the state of the page

  /** Takes over a text that was not typed here: another model, undo, a drawing by hand. */
  follow() {
    const { model } = this.app.state;
    const { text } = model;
    // text areas have one end of line; with another one in the state no place would fit
    if (text.includes("\r")) return this.app.change({ model: { ...model, text: text.replace(/\r\n?/g, "\n") } });
    const old = this.area.value;
    if (old === text) return;
    const { newEnd } = changeBetween(old, text);
    const isHere = document.activeElement === this.area;
    this.area.value = text;
    this.popup.close();
    if (isHere) this.area.setSelectionRange(newEnd, newEnd);
    this.judge();
  }

  /** Hands on what was typed. */
  typed() {
    const { model } = this.app.state;
    this.judge();
    this.showCaret();
    this.app.change({ model: { ...model, text: this.area.value } }, "edit text");
  }

  /** Scrolls as little as needed: the browser has looked for the caret before the sheet had grown. */
  showCaret() {
    const { frame, area } = this;
    this.scrolledUntil = performance.now() + OWN_SCROLLING;
    const { left, top, lineHeight } = this.placeOf(area.selectionDirection === "backward" ? area.selectionStart : area.selectionEnd);
    const numbers = this.numbers.offsetWidth;
    if (top < 0) frame.scrollTop += top - lineHeight;
    else if (top + 2 * lineHeight > frame.clientHeight) frame.scrollTop += top + 2 * lineHeight - frame.clientHeight;
    if (left < numbers) frame.scrollLeft += left - 2 * numbers;
    else if (left > frame.clientWidth - lineHeight) frame.scrollLeft += left - frame.clientWidth + 2 * lineHeight;
  }

  /**
   * Writes what a key or a completion makes of the text.
   * @param {Selected} selected
   */
  write({ text, from, to }) {
    const { area } = this;
    if (text !== area.value) {
      const { start, oldEnd, newEnd } = changeBetween(area.value, text);
      area.setRangeText(text.slice(start, newEnd), start, oldEnd);
    }
    area.setSelectionRange(from, to);
    this.typed();
  }

  /** Draws the text with what the newest reply says about it; an editor that is not seen waits until it is. */
  judge() {
    const { checked } = this.app;
    this.isStale = this.frame.clientHeight === 0;
    if (this.isStale) return;
    const text = this.area.value;
    this.findings = checked ? findingsOf(checked.reply, checked.request.model.text ?? "", text) : [];
    this.overlay.draw(text, marksOf(this.findings));
    this.list.show(this.findings, (at) => this.overlay.lineAt(at));
    this.list.follow(this.findings, this.area.selectionStart);
    this.area.setAttribute("aria-invalid", String(this.findings.some(({ tone }) => tone === "wrong")));
    this.card.hide();
  }

  // ---- what the user does

  listen() {
    const { area } = this;
    area.addEventListener("input", (event) => {
      this.typed();
      if (!(event instanceof InputEvent) || event.isComposing) return;
      if (event.inputType === "insertText" || (this.popup.isOpen && event.inputType.startsWith("delete"))) this.suggest(false);
      else this.popup.close();
    });
    area.addEventListener("compositionend", () => this.typed());
    // the page has one history for everything: that of the text area would bring back texts it does not know
    area.addEventListener("beforeinput", (event) => {
      if (event.inputType === "historyUndo" || event.inputType === "historyRedo") event.preventDefault();
    });
    area.addEventListener("keydown", (event) => this.key(event));
    area.addEventListener("blur", () => this.popup.close());
    area.addEventListener("pointermove", (event) => this.hover(event));
    area.addEventListener("pointerleave", () => this.card.hide());
    area.addEventListener("pointerdown", () => this.popup.close());
    this.frame.addEventListener("scroll", () => {
      // what has just been scrolled to is being shown
      if (performance.now() < this.scrolledUntil) return;
      this.popup.close();
      this.card.hide();
    });
    new ResizeObserver(() => {
      if (this.isStale) this.judge();
      // problems that come up below take height from the text
      else if (document.activeElement === area) this.showCaret();
    }).observe(this.frame);
    const caretMoved = () => this.list.follow(this.findings, area.selectionStart);
    area.addEventListener("keyup", caretMoved);
    area.addEventListener("pointerup", caretMoved);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const isTaken = (this.popup.takes(event) && (event.stopPropagation(), true)) || this.command(event) || this.pairs(event);
    if (isTaken) event.preventDefault();
  }

  /**
   * Keys that do something else than write.
   * @param {KeyboardEvent} event
   */
  command(event) {
    const isControl = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (event.key === "F8") this.nextProblem(event.shiftKey);
    else if (isControl && event.key === " ") this.suggest(true);
    else if (isControl && (event.key === "]" || event.key === "[")) this.write(indented(this.selected(), event.key === "["));
    else if (event.key === "Escape" && !this.card.element.hidden) this.card.hide();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  pairs(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const made = event.key === "Backspace" ? unpaired(this.selected()) : event.key.length === 1 ? paired(this.selected(), event.key) : null;
    if (!made) return false;
    this.write(made);
    if (event.key === "[" || event.key === '"') this.suggest(false);
    return true;
  }

  /** @returns {Selected} */
  selected() {
    const { value, selectionStart, selectionEnd } = this.area;
    return { text: value, from: selectionStart, to: selectionEnd };
  }

  // ---- completion

  /**
   * Opens the list if there is something to offer.
   * @param {boolean} isWanted   by Ctrl+Space; while typing it stays away from places where it would disturb
   */
  suggest(isWanted) {
    const { area, popup } = this;
    const context = area.selectionStart === area.selectionEnd ? contextAt(area.value, area.selectionStart) : null;
    const mayOpen = context && (isWanted || context.prefix !== "" || isClosedList(context));
    const offers = mayOpen ? completionsOf(context, knowledgeOf(this.app, area.value)) : [];
    const isDone = !isWanted && offers[0]?.insert === context?.prefix;
    if (!offers.length || isDone) {
      popup.close();
      if (isWanted) this.app.say("No suggestions here.");
      return;
    }
    this.context = context;
    popup.open(offers, this.placeOf(context?.from ?? area.selectionStart));
    if (isWanted) this.app.say(popup.count === 1 ? "1 suggestion" : `${popup.count} suggestions`);
  }

  /** @param {import("./editor_completions.js").Completion} completion */
  accept({ insert, back = 0 }) {
    const { context, area } = this;
    this.popup.close();
    if (!context) return;
    // a name that already has its parenthesis or its equals sign does not get another one
    const after = area.value.slice(context.to);
    const text = insert.endsWith("()") && after.startsWith("(") ? insert.slice(0, -2) : insert.endsWith(" = ") && /^\s*=/.test(after) ? insert.slice(0, -3) : insert;
    const caret = context.from + text.length - (text === insert ? back : 0);
    this.write({ text: area.value.slice(0, context.from) + text + after, from: caret, to: caret });
    area.focus();
    if (text.endsWith(" = ")) this.suggest(false);
  }

  // ---- problems

  /** @param {boolean} isBack */
  nextProblem(isBack) {
    const places = this.findings.filter(({ from }) => from >= 0).sort((one, other) => one.from - other.from);
    if (!places.length) {
      this.app.say("No problems in the text.");
      return;
    }
    const caret = this.area.selectionStart;
    const next = isBack ? places.findLast(({ from }) => from < caret) : places.find(({ from }) => from > caret);
    const finding = next ?? places[isBack ? places.length - 1 : 0];
    if (!finding) return;
    this.reveal(finding.from, finding.to);
    this.card.show(finding, this.placeOf(finding.from));
    this.app.say(`Line ${this.overlay.lineAt(finding.from) + 1}: ${finding.problem.message}. ${finding.problem.help ?? ""}`);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  reveal(from, to) {
    const { area, frame } = this;
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, to);
    this.list.follow(this.findings, from);
    this.scrolledUntil = performance.now() + OWN_SCROLLING;
    const { left, top, lineHeight } = this.placeOf(from);
    if (top < 0 || top + 3 * lineHeight > frame.clientHeight) frame.scrollTop += top - frame.clientHeight / 3;
    if (left < 60 || left > frame.clientWidth - 60) frame.scrollLeft += left - frame.clientWidth / 2;
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const index = event.buttons ? null : this.overlay.problemUnder(event.clientX, event.clientY);
    const finding = index === null ? undefined : this.findings[index];
    if (finding) this.card.show(finding, this.placeOf(finding.from));
    else this.card.hide();
  }

  /**
   * A place of the text in the box around the frame, in pixels.
   * @param {number} at
   */
  placeOf(at) {
    const place = this.overlay.rectangleAt(at);
    const box = this.box.getBoundingClientRect();
    return { left: place.left - box.left, top: place.top - box.top, lineHeight: place.height || 20 };
  }
}

/**
 * Whether only a few things can stand there, so that they are offered before a letter is typed.
 * @param {import("./editor_context.js").Context} context
 */
function isClosedList({ kind, section, path }) {
  if (kind === "word") return !["formula", "text", "name"].includes(roleOf(section, path));
  return !["key", "inner-key", "formula"].includes(kind);
}

/** @param {string} id */
function keysHelp(id) {
  const key = (/** @type {string} */ name) => make("kbd", {}, name);
  return make("p", { class: "editor-keys quiet", id }, key("Ctrl+Space"), " suggests, ", key("F8"), " next problem, ", key("Ctrl+]"), " indents, ", key("Tab"), " leaves");
}
