// Saving: the model, the whole view, and files that the core makes of what is on the screen.

import { blobOf, download, fileName, pngOf } from "./download.js";
import { folderPart, listFolder } from "./folder.js";
import { make } from "./dom.js";
import { showDialog } from "./dialog.js";
import { linkOf } from "./link.js";
import { viewFile } from "./view_file.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Request} Request */

/** Some mail programs cut off what is longer, in characters. */
const LONG_LINK = 8000;

/**
 * @param {App} app
 */
export async function showSaveDialog(app) {
  const listing = await listFolder();
  const request = app.viewRequest();
  const what = request.do === "ask" ? `the answer to “${request.question}”` : "this motion";
  const changed = Object.keys(app.state.set).length > 0;
  const language = make("select", { class: "field", "aria-label": "Language" },
    ...app.catalogue.languages.map((row) => make("option", { value: row.name, title: row.summary }, row.summary)));
  const button = (/** @type {string} */ label, /** @type {() => void} */ act) => make("button", { class: "button", type: "button", onclick: act }, label);
  const file = (/** @type {string} */ label, /** @type {string} */ as, /** @type {Request} */ of) => button(label, () => saveFile(app, as, of));
  const derive = { do: "derive", ...app.request() };

  showDialog("Save", [
    ...(listing ? [folderPart(app, listing, `${nameOf(app)}.toml`)] : []),
    part("What you made", changed ? "The model file has the model as it is written; values that you moved by sliders are kept by the view." : "The view reopens exactly what is on the screen: model, settings, plots and moment.",
      button("Model file (.toml)", () => download(`${nameOf(app)}.toml`, new Blob([app.state.model.text], { type: "application/toml" }))),
      button("Whole view (.catena.json)", () => saveView(app))),
    part("Numbers", `The table of ${what}, to open in a spreadsheet, in Python or anywhere else.`,
      ...app.catalogue.tableFormats.map((/** @type {string} */ as) => file(as.toUpperCase(), as, request))),
    part("Picture", `The plots of ${what}, for a paper or a slide.`,
      file("SVG", "svg", request), button("PNG", () => savePng(app, request)),
      ...(app.catalogue.pictureFormats.includes("pdf") ? [file("PDF", "pdf", request)] : [])),
    part("To hand on", "Single files that open in any browser: the moving mechanism, or a report with equations, plots and the error estimate.",
      ...app.catalogue.animationFormats.map((/** @type {string} */ as) => file(`Animation (.${as})`, `film.${as}`, runRequest(app))),
      file("Report (.html)", "report", runRequest(app))),
    part("Equations", "The derivation as text, or the equations of motion as a program in another language.",
      file("LaTeX", "tex", derive), file("Markdown", "md", derive), language,
      button("Program", () => saveFile(app, language.value, { do: "model", ...app.request() }))),
  ]);
}

/**
 * @param {string} title
 * @param {string} about
 * @param {...Node} buttons
 */
function part(title, about, ...buttons) {
  return make("section", { class: "save-part" }, make("h3", {}, title), make("p", { class: "quiet" }, about), make("div", { class: "row" }, ...buttons));
}

/** @param {App} app */
export function saveView(app) {
  download(`${nameOf(app)}.catena.json`, new Blob([viewFile(app.state)], { type: "application/json" }));
  app.say("Saved the whole view");
}

/** @param {App} app */
const nameOf = (app) => fileName(app.state.model.name);
/** @param {App} app */
const runRequest = (app) => ({ do: "run", ...app.request(), options: app.state.run });

/**
 * @param {App} app
 * @param {string} as
 * @param {Request} of
 */
async function made(app, as, of) {
  app.trust();
  const control = new AbortController();
  const bar = app.busy(`Making the file`, control);
  try {
    const reply = await app.core.ask({ do: "file", as, of, name: nameOf(app) }, { progress: bar.progress, signal: control.signal });
    if (!reply.error) return reply;
    closeDialogs();
    app.fail(reply.error);
  } catch {
    app.say("Cancelled");
  } finally {
    bar.done();
  }
  return null;
}

/** What went wrong is said on the page, which a dialog would hide. */
function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/**
 * @param {App} app
 * @param {string} as
 * @param {Request} of
 */
async function saveFile(app, as, of) {
  const reply = await made(app, as, of);
  if (!reply) return;
  download(reply.name, blobOf(reply));
  app.say(`Saved ${reply.name}`);
}

/**
 * @param {App} app
 * @param {Request} of
 */
async function savePng(app, of) {
  const reply = await made(app, "svg", of);
  const png = reply && await pngOf(reply.text);
  if (png) download(`${nameOf(app)}.png`, png);
  else if (reply) app.fail({ message: "this browser could not draw the picture", help: "Save it as SVG instead." });
}

/**
 * @param {App} app
 */
export async function showLinkDialog(app) {
  const address = `${location.href.split("#")[0]}#${await linkOf(app.state)}`;
  const field = make("textarea", { class: "field", readonly: true, rows: "4", "aria-label": "Link", value: address, onfocus: () => field.select() });
  const copied = make("span", { class: "quiet", role: "status" });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = "It is marked: copy it with Ctrl+C.";
    }
  };
  const local = /^(localhost|127\.|\[::1\])/.test(location.host) || location.protocol === "file:";
  showDialog("Link to this view", [
    make("p", {}, "The link holds the model, all settings and what you see. Nothing is sent anywhere: everything is in the link itself."),
    field,
    make("div", { class: "row" }, make("button", { class: "button primary", type: "button", onclick: copy }, "Copy"), copied),
    address.length > LONG_LINK ? make("p", { class: "doubtful" }, `It has ${address.length} characters, and some mail programs cut off long links. The whole view as a file is safer.`) : "",
    local ? make("p", { class: "quiet" }, "It leads to this page on this computer. For somebody else, save the whole view as a file, or put the part after # behind the address of the page there.") : "",
  ]);
}
