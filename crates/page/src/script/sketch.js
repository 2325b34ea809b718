// The sketch: tools, the drawing, what to do next, and the values of what is selected.
import { icon, make } from "./dom.js";
import { Board } from "./sketch_board.js";
import { adviceBox } from "./sketch_advice.js";
import { drawMechanism } from "./sketch_draw.js";
import { drawMarks } from "./sketch_marks.js";
import { gridLines, group, svg } from "./sketch_shapes.js";
import { listen } from "./sketch_input.js";
import { PoseHand } from "./sketch_pose.js";
import { propertyBox } from "./sketch_properties.js";
import { TOOLS } from "./sketch_tools.js";
import { prose } from "./prose.js";
import { otherModel } from "./sketch_other.js";

/** @typedef {import("./types.js").App} App */

const GROUPS = [["edit", "Edit"], ["bodies", "Bodies"], ["joints", "Joints"], ["acts", "What acts"]];

/**
 * @param {App} app
 * @param {(from: number, to: number) => void} reveal   shows a piece of the text
 * @returns {{ element: HTMLElement, properties: HTMLElement, show: () => void, hide: () => void, key: (event: KeyboardEvent) => boolean }}
 */
export function mountSketch(app, reveal) {
  let isShown = false;
  let isDrawing = false;
  const board = new Board(app, () => {
    if (isDrawing || !isShown) return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      draw();
    });
  });
  const hand = new PoseHand(board);
  const picture = boardPicture(board);
  const { surface } = picture;
  const keys = make("p", { id: "sk-keys", class: "hidden-text" }, "Arrows move the crosshair, with shift finely; Enter clicks; letters choose tools; Tab goes through what is drawn; Delete takes out; Escape gives up.");
  const prompt = make("p", { class: "sk-prompt" });
  const field = typedField(board, surface);
  const advice = adviceBox(app, board, surface);
  const box = propertyBox(board, reveal);
  const toolbar = toolButtons(board, surface);
  const other = otherModel(app);
  const stage = make("div", { class: "sk-stage" }, surface, keys, viewButtons(board, hand));
  const promptRow = make("div", { class: "sk-prompt-row" }, prompt, field);
  const element = make("div", { class: "sk" }, toolbar.element, promptRow, stage, other.element, advice.element);
  const { key } = listen({ surface, board, hand, field });

  function draw() {
    picture.draw();
    toolbar.show();
    box.show();
    stage.hidden = toolbar.element.hidden = promptRow.hidden = advice.element.hidden = board.isOther;
    other.show(board.isOther);
    const isAdvice = !board.message.isRefusal && !board.moves && !board.shown;
    prompt.replaceChildren(...(isAdvice ? [make("strong", {}, `${board.tool.label}: `), board.advice] : prose(board.message.text)));
    prompt.classList.toggle("wrong", board.message.isRefusal);
    field.hidden = !board.takesNumber;
    field.placeholder = board.tool.preview === "line" ? "length, angle" : board.tool.number ?? "";
    if (document.activeElement !== field && board.typed === null && board.size === null) field.value = "";
    advice.show();
  }

  /** What the core has read of the model that is open. */
  function take() {
    const { checked } = app;
    if (isShown && checked && checked.request.model.name === app.state.model.name) board.take(checked.request.model.text, checked.reply);
  }

  app.subscribe((state, before) => {
    if (state.model.name !== before.model.name) board.forget();
    if (state.model !== before.model) board.changed();
  });
  app.onChecked(take);

  return {
    element,
    key,
    properties: box.element,
    show() {
      isShown = true;
      take();
      board.changed();
    },
    hide() {
      isShown = false;
      board.cancel();
    },
  };
}

/** The sheet that is drawn on. @param {Board} board */
function boardPicture(board) {
  const picture = /** @type {SVGSVGElement} */ (svg("svg", { class: "sk-picture", "aria-hidden": "true" }));
  const surface = make("div", {
    class: "sk-surface", tabindex: "0", role: "application", "aria-label": "Drawing board", "aria-describedby": "sk-keys", "data-tour": "sketch",
  }, picture);
  new ResizeObserver(() => {
    const { clientWidth, clientHeight } = surface;
    if (clientWidth > 0 && clientHeight > 0) board.resize(clientWidth, clientHeight);
  }).observe(surface);
  const still = group("", []);
  /** @type {unknown[]} what the drawing was made of */
  let drawn = [];

  function draw() {
    const { camera, mechanism, tool, picks, cursor } = board;
    picture.setAttribute("viewBox", `0 0 ${camera.width} ${camera.height}`);
    // the drawing itself is made anew only where it differs: marks follow every move of the pointer
    const now = [mechanism, board.selected, camera.middle, camera.scale, camera.width, camera.height];
    if (now.some((part, at) => part !== drawn[at])) still.replaceChildren(gridLines(camera), ...(mechanism ? [drawMechanism(mechanism, camera, board.selected)] : []));
    drawn = now;
    const isHeld = board.isHeld && document.activeElement === surface;
    picture.replaceChildren(still, drawMarks({ tool, picks, cursor: cursor?.at ?? null, isOnSpot: cursor?.isOnSpot ?? false, isHeld, hint: cursor?.hint ?? "" }, camera));
    surface.dataset.tool = tool.name;
    // where it is looked at: scripts that draw by mouse need it
    surface.dataset.camera = [...camera.middle, camera.scale].join(" ");
    surface.dataset.current = String(board.isCurrent && (board.shown === null || board.isBroken));
  }
  return { surface, draw };
}

/** Where numbers are typed. @param {Board} board @param {HTMLElement} surface */
function typedField(board, surface) {
  const field = make("input", { class: "field sk-typed", inputmode: "decimal", autocomplete: "off", "aria-label": "Typed value" });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { board.cancel(); surface.focus(); }
    if (event.key !== "Enter") return;
    event.preventDefault();
    // what was typed stays to be seen until it is used
    if (board.type(field.value)) surface.focus();
    else board.tell(board.tool.preview === "line" ? "Type a length, as 0.8, or a length and an angle in degrees: 0.8, 30" : "Type a number.", true);
  });
  return field;
}

/** Buttons on the drawing itself. @param {Board} board @param {PoseHand} hand */
function viewButtons(board, hand) {
  const button = (/** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ act) => make("button", { type: "button", class: "button small sk-view-button", "aria-label": label, title: label, onclick: act }, icon(path));
  const lengths = make("button", { type: "button", class: "button small", "aria-pressed": "true", title: "Dragging changes lengths", onclick: () => mode(false) }, "Lengths");
  const pose = make("button", { type: "button", class: "button small", "aria-pressed": "false", title: "Dragging moves the mechanism to another start pose", onclick: () => mode(true) }, "Pose");
  const mode = (/** @type {boolean} */ next) => {
    hand.isTaken = next;
    lengths.setAttribute("aria-pressed", String(!next));
    pose.setAttribute("aria-pressed", String(next));
    board.choose("select");
    board.tell(next ? "Dragging moves the mechanism to another start pose; its lengths stay." : "Dragging a joint changes the lengths of its links.");
  };
  return make("div", { class: "sk-view" },
    make("div", { class: "sk-mode", role: "group", "aria-label": "What dragging changes" }, lengths, pose),
    button("Zoom in", "M12 5v14M5 12h14", () => board.zoom(1.25)),
    button("Zoom out", "M5 12h14", () => board.zoom(0.8)),
    button("Show everything", "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", () => board.fit()));
}

/** @param {Board} board @param {HTMLElement} surface */
function toolButtons(board, surface) {
  const buttons = TOOLS.map((tool) => make("button", {
    type: "button", class: "button sk-tool", "data-tool": tool.name, "aria-pressed": "false", "aria-keyshortcuts": tool.letter, title: `${tool.label} (${tool.letter.toUpperCase()})`,
    onclick: () => { board.choose(tool.name); surface.focus({ preventScroll: true }); },
  }, icon(tool.icon), make("span", { class: "hidden-text" }, tool.label), make("kbd", { "aria-hidden": "true" }, tool.letter.toUpperCase())));
  const element = make("div", { class: "sk-toolbar", role: "toolbar", "aria-label": "Drawing tools" },
    ...GROUPS.map(([group, label]) => make("div", { class: "sk-group", role: "group", "aria-label": label }, ...buttons.filter((_, at) => TOOLS[at].group === group))));
  // one stop of Tab; arrows go from tool to tool
  element.addEventListener("keydown", (event) => {
    const shown = [...element.querySelectorAll("button")];
    const at = shown.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : null;
    if (next === null || at < 0) return;
    event.preventDefault();
    shown[(next + shown.length) % shown.length].focus();
  });
  const show = () => buttons.forEach((button, at) => {
    const isOn = TOOLS[at] === board.tool;
    button.setAttribute("aria-pressed", String(isOn));
    button.tabIndex = isOn ? 0 : -1;
  });
  return { element, show };
}
