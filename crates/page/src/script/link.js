// The whole state in the fragment of an address: JSON, deflated, in the letters that addresses may have. The fragment
// never leaves the browser.

import { STATE_VERSION } from "./types.js";
import { validState } from "./valid.js";

/** @typedef {import("./types.js").State} State */

/** Of the fragment, in characters. */
export const MAX_LINK_LENGTH = 2_000_000;
/** Of what is packed in it, in bytes: what claims to be more is no state but a trap. */
export const MAX_UNPACKED_SIZE = 5_000_000;

const DAMAGED = "Perhaps it was cut off on its way: copy it again as a whole. What you had is still here.";

/** A link that cannot be opened, with a sentence for the reader. */
export class LinkError extends Error {
  /**
   * @param {string} message
   * @param {string} help
   */
  constructor(message, help) {
    super(message);
    this.help = help;
  }
}

/**
 * @param {State} state
 * @returns {Promise<string>} the fragment, without #
 */
export async function linkOf(state) {
  // light or dark is the reader's own affair
  const { theme, ...rest } = state;
  const packed = new Blob([JSON.stringify(rest)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return `${STATE_VERSION}.${base64url(bytes)}`;
}

/**
 * Whether a fragment wants to be a link of ours; others are names of places in the page.
 * @param {string} fragment
 */
export function isLink(fragment) {
  return /^\d+\./.test(fragment);
}

/**
 * @param {string} fragment without #
 * @returns {Promise<Omit<State, "theme">>}
 */
export async function stateOfLink(fragment) {
  const [version, packed] = parts(fragment);
  if (version > STATE_VERSION) {
    throw new LinkError(`this link was made by a newer Catena (version ${version} of links, here ${STATE_VERSION})`, "Take the newer program to open it. What you had is still here.");
  }
  if (packed.length > MAX_LINK_LENGTH) {
    throw new LinkError("this link is too long to be a view of Catena", "Ask for the view as a file instead. What you had is still here.");
  }
  const text = await unpacked(bytesOf(packed));
  const { theme, ...state } = readState(text);
  return state;
}

/**
 * @param {string} fragment
 * @returns {[number, string]}
 */
function parts(fragment) {
  const dot = fragment.indexOf(".");
  return [Number(fragment.slice(0, dot)), fragment.slice(dot + 1)];
}

/**
 * @param {string} text
 * @returns {State}
 */
function readState(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LinkError("this link is damaged: what is in it cannot be read", DAMAGED);
  }
  const state = validState(value);
  if (!state) throw new LinkError("this link is damaged: what is in it is no view of Catena", DAMAGED);
  return state;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
async function unpacked(bytes) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    /** @type {{ done: boolean, value?: Uint8Array }} */
    let piece;
    try {
      piece = await reader.read();
      text += decoder.decode(piece.value, { stream: !piece.done });
    } catch {
      throw new LinkError("this link is damaged: it cannot be unpacked", DAMAGED);
    }
    if (piece.done) return text;
    size += piece.value?.length ?? 0;
    if (size > MAX_UNPACKED_SIZE) {
      reader.cancel().catch(() => {});
      throw new LinkError(`this link unpacks to more than ${MAX_UNPACKED_SIZE / 1e6} MB, which no view of Catena does`, "Do not trust whoever made it. What you had is still here.");
    }
  }
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[\w-]*$/.test(text)) throw new LinkError("this link is damaged: it has characters that links do not have", DAMAGED);
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw new LinkError("this link is damaged: its end is missing", DAMAGED);
  }
}
