// Files that the reader gets, made in the browser.

/** @typedef {import("./types.js").FileReply} FileReply */

/** A picture of dots has this many for each unit of the drawing: sharp on every screen and in print. */
const DOTS_PER_UNIT = 3;

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  // some browsers begin to read a little later
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * @param {FileReply} file
 * @returns {Blob}
 */
export function blobOf(file) {
  if (file.text !== undefined) return new Blob([file.text], { type: `${file.type};charset=utf-8` });
  const bytes = Uint8Array.from(atob(file.base64 ?? ""), (c) => c.charCodeAt(0));
  return new Blob([bytes], { type: file.type });
}

/**
 * A vector graphic as dots.
 * @param {string} svg
 * @returns {Promise<Blob | null>} null where the browser cannot draw it
 */
export async function pngOf(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * DOTS_PER_UNIT);
    canvas.height = Math.round(image.naturalHeight * DOTS_PER_UNIT);
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * A name for files that every system accepts.
 * @param {string} text
 */
export function fileName(text) {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "catena";
}
