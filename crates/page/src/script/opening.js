// Opening what comes from outside: files that are chosen or dropped, and links.

import { LinkError, isLink, stateOfLink } from "./link.js";
import { MAX_FILE_LENGTH, readFile } from "./view_file.js";
import { byId, make } from "./dom.js";

/** @typedef {import("./types.js").App} App */

/** Asks for a file and opens it. @param {App} app */
export function chooseFile(app) {
  const input = make("input", { type: "file", accept: ".toml,.json,.catena.json,.txt,text/plain,application/json" });
  input.addEventListener("change", () => { if (input.files?.[0]) openFile(app, input.files[0]); });
  input.click();
}

/**
 * @param {App} app
 * @param {File} file
 */
async function openFile(app, file) {
  // a character takes at most four bytes
  const text = file.size > 4 * MAX_FILE_LENGTH ? " ".repeat(MAX_FILE_LENGTH + 1) : await file.text().catch(() => null);
  if (text === null) return app.fail({ message: `${file.name} cannot be read`, help: "Is it still there, and may you read it?" });
  openText(app, file.name, text);
}

/**
 * Opens the text of a model file or of a view.
 * @param {App} app
 * @param {string} name
 * @param {string} text
 */
export function openText(app, name, text) {
  const read = readFile(name, text);
  if ("error" in read) return app.fail(read.error);
  if ("state" in read) app.restore(read.state, `open ${name}`, true);
  else app.open(read.model, `open ${name}`, { view: app.state.view === "gallery" ? "motion" : app.state.view });
  app.say(`Opened ${name}`);
}

/**
 * A file that is dropped anywhere is opened.
 * @param {App} app
 */
export function acceptDrops(app) {
  const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("takes-drop");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("takes-drop"); });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("takes-drop");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openFile(app, file);
  });
}

/**
 * Opens the link in the address, now and whenever another one is put there. Nothing runs before the user says so.
 * @param {App} app
 */
export async function openLinks(app) {
  window.addEventListener("hashchange", () => openLink(app));
  await openLink(app);
}

/** @param {App} app */
async function openLink(app) {
  const fragment = location.hash.slice(1);
  if (!isLink(fragment)) return;
  // what is changed from now on is in the browser's memory; a reload must not bring the link back
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    app.restore(await stateOfLink(fragment), "open a link", false);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    app.fail({ message: error.message, help: error.help });
  }
}

/**
 * Says that a model came from elsewhere, as long as nobody has pressed run.
 * @param {App} app
 */
export function askForTrust(app) {
  const card = make("div", { class: "card notice stranger", role: "status" },
    make("div", { class: "notice-text" },
      make("p", {}, make("strong", {}, "This view came with a link.")),
      make("p", { class: "quiet" }, "You see the model as it stands. Nothing is computed for long before you press run.")),
    make("button", { class: "button primary", type: "button", onclick: () => app.run() }, "Run it"));
  const refresh = () => {
    if (app.mayRun()) card.remove();
    else if (!card.isConnected) byId("notices").prepend(card);
  };
  app.subscribe(refresh);
  refresh();
}
