// The build view: the drawing and the text of one model, side by side; on a narrow screen one at a time.
import { make } from "./dom.js";
import { mountDiagnosis } from "./diagnosis.js";
import { mountEditor } from "./editor.js";
import { mountSketch } from "./sketch.js";
import { startDrawing } from "./sketch_other.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */

/** The part of the width that the drawing may have. */
const [LEAST_PART, MOST_PART, FIRST_PART] = [0.25, 0.8, 0.6];
/** Where there is room for one of them only; as in build.css. */
const NARROW = "(max-width: 860px)";
/** An arrow moves the splitter by this part. */
const STEP = 0.04;

/**
 * @param {App} app
 * @returns {View}
 */
export function buildView(app) {
  const sketch = mountSketch(app, (from, to) => {
    choose("text");
    editor.reveal(from, to);
  });
  const drawing = make("section", { class: "build-drawing", id: "build-drawing", "aria-label": "Drawing" }, sketch.element);
  const text = make("section", { class: "build-text", id: "build-text", "aria-label": "Model file" });
  const fresh = make("button", { type: "button", class: "button small", title: "An empty drawing instead of this model; undo brings it back", onclick: () => { choose("drawing"); startDrawing(app); } }, "New mechanism");
  const top = make("div", { class: "row build-text-top" }, make("h2", {}, "Model file"));
  text.append(top);
  // values stand next to the drawing, where they take no room from it
  const narrow = matchMedia(NARROW);
  const place = () => {
    (narrow.matches ? drawing : text).insertBefore(sketch.properties, narrow.matches ? null : top.nextSibling);
    (narrow.matches ? tabs : top).append(fresh);
  };
  narrow.addEventListener("change", place);
  const editor = mountEditor(text, app);
  mountDiagnosis(text, app);
  const panes = make("div", { class: "build-panes" }, drawing, splitter(), text);
  const { element: tabs, choose } = tabList(panes);
  const element = make("div", { class: "view-build" }, tabs, panes);
  place();

  function splitter() {
    let part = FIRST_PART;
    const bar = make("div", { class: "build-splitter", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the drawing", "aria-controls": "build-drawing", "aria-valuemin": 100 * LEAST_PART, "aria-valuemax": 100 * MOST_PART });
    const set = (/** @type {number} */ next) => {
      part = Math.min(MOST_PART, Math.max(LEAST_PART, next));
      drawing.style.flexBasis = `${(100 * part).toFixed(1)}%`;
      bar.setAttribute("aria-valuenow", String(Math.round(100 * part)));
    };
    bar.addEventListener("pointerdown", (event) => { bar.setPointerCapture(event.pointerId); event.preventDefault(); });
    bar.addEventListener("pointermove", (event) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const box = panes.getBoundingClientRect();
      set((event.clientX - box.left) / box.width);
    });
    bar.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      set(part + (event.key === "ArrowRight" ? STEP : -STEP));
    });
    set(part);
    return bar;
  }

  return {
    element,
    show: sketch.show,
    hide: sketch.hide,
    key: sketch.key,
    run: () => app.go("motion"),
    reveal: (from, to) => {
      choose("text");
      editor.reveal(from, to);
    },
  };
}

/** Drawing or text, where there is no room for both. @param {HTMLElement} panes */
function tabList(panes) {
  const names = [["drawing", "Drawing"], ["text", "Text"]];
  const choose = (/** @type {string} */ name) => {
    panes.dataset.shown = name;
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.pane === name));
  };
  const tabs = names.map(([name, label]) => make("button", { type: "button", class: "button", "data-pane": name, onclick: () => choose(name) }, label));
  choose("drawing");
  return { element: make("div", { class: "build-tabs", role: "group", "aria-label": "What is shown" }, ...tabs), choose };
}
