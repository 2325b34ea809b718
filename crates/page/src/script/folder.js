// The folder of model files that `catena serve` was given, if it was: listed, read, and written without losing what somebody
// else wrote meanwhile.

import { make } from "./dom.js";
import { showDialog } from "./dialog.js";
import { chooseFile, openText } from "./opening.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {{ folder: string | null, files: { name: string, size: number, modified: number }[], more: number }} Listing */

const ADDRESS = "api/1/files";
/** What the server said of each file when it was read or written last: its ETag. @type {Map<string, string>} */
const tags = new Map();

/**
 * What is in the folder; null where there is none, as in the page without a server.
 * @returns {Promise<Listing | null>}
 */
export async function listFolder() {
  if (!location.protocol.startsWith("http") || document.getElementById("core")) return null;
  try {
    const answer = await fetch(ADDRESS);
    const listing = answer.ok ? await answer.json() : null;
    return listing?.folder ? listing : null;
  } catch {
    return null;
  }
}

/**
 * Opens a file: of the folder where there is one, else of the computer.
 * @param {App} app
 */
export async function showOpenDialog(app) {
  const listing = await listFolder();
  if (!listing) return chooseFile(app);
  const rows = listing.files.map(({ name, modified }) => make("button", { class: "button plain folder-file", type: "button", onclick: () => { dialog.close(); openFromFolder(app, name); } },
    make("span", {}, name), make("span", { class: "quiet" }, new Date(modified * 1000).toLocaleDateString())));
  const dialog = showDialog("Open", [
    make("section", { class: "save-part" },
      make("h3", {}, "In the folder"),
      make("p", { class: "quiet" }, listing.folder ?? ""),
      rows.length > 0 ? make("div", { class: "folder-files" }, ...rows) : make("p", {}, "There is no model file yet."),
      listing.more > 0 ? make("p", { class: "quiet" }, `and ${listing.more} more`) : null),
    make("section", { class: "save-part" },
      make("h3", {}, "From elsewhere"),
      make("p", { class: "quiet" }, "A model file or a saved view; dropping it on the page does the same."),
      make("div", { class: "row" }, make("button", { class: "button", type: "button", onclick: () => { dialog.close(); chooseFile(app); } }, "Choose a file"))),
  ]);
}

/**
 * @param {App} app
 * @param {string} name
 */
async function openFromFolder(app, name) {
  try {
    const answer = await fetch(`${ADDRESS}/${encodeURIComponent(name)}`);
    if (!answer.ok) return app.fail(await errorOf(answer));
    tags.set(name, answer.headers.get("ETag") ?? "");
    openText(app, name, await answer.text());
  } catch {
    app.fail(gone());
  }
}

/**
 * The part of the dialog for saving that writes into the folder.
 * @param {App} app
 * @param {Listing} listing
 * @param {string} name suggested, with its ending
 */
export function folderPart(app, listing, name) {
  const field = make("input", { class: "field", "aria-label": "Name of the file", value: name, spellcheck: "false" });
  const said = make("p", { class: "quiet", role: "status" });
  const anyway = make("button", { class: "button", type: "button", hidden: true, onclick: () => save(true) }, "Write over it");
  field.addEventListener("input", () => { anyway.hidden = true; });
  /** @param {boolean} isForced */
  const save = async (isForced) => {
    const file = field.value.trim();
    const outcome = await write(file, app.state.model.text, isForced);
    anyway.hidden = outcome !== "there";
    said.textContent = outcome === "done" ? `Saved ${file}.` : outcome === "there" ? `${file} is there already, and not as you saw it last. Write over it, or take another name.` : outcome;
    said.classList.toggle("wrong", outcome !== "done" && outcome !== "there");
  };
  return make("section", { class: "save-part" },
    make("h3", {}, "In the folder"),
    make("p", { class: "quiet" }, listing.folder ?? ""),
    make("div", { class: "row" }, field, make("button", { class: "button primary", type: "button", onclick: () => save(false) }, "Save"), anyway),
    said);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {boolean} isForced
 * @returns {Promise<string>} "done", "there" if something else is there, or what went wrong
 */
async function write(name, text, isForced) {
  const tag = tags.get(name);
  /** @type {Record<string, string>} */
  const seen = isForced ? { "If-Match": "*" } : tag ? { "If-Match": tag } : { "If-None-Match": "*" };
  try {
    const answer = await fetch(`${ADDRESS}/${encodeURIComponent(name)}`, { method: "PUT", body: text, headers: { "Content-Type": "application/toml", ...seen } });
    if (answer.status === 412) return "there";
    if (!answer.ok) return (await errorOf(answer)).message;
    tags.set(name, answer.headers.get("ETag") ?? "");
    return "done";
  } catch {
    return gone().message;
  }
}

/** @param {Response} answer */
async function errorOf(answer) {
  const reply = await answer.json().catch(() => null);
  return reply?.error ?? { message: `the server answered with status ${answer.status}` };
}

function gone() {
  return { message: "the program behind this page does not answer", help: "Is `catena serve` still running?" };
}
