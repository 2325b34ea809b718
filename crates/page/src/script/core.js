// The core behind the address that sent the page: one request, a stream of server-sent events, the reply.

/** @typedef {import("./types.js").Core} Core */
/** @typedef {import("./types.js").Request} Request */
/** @typedef {import("./types.js").Watch} Watch */

const ADDRESS = "api/1/ask";

/**
 * @returns {Core}
 */
export function httpCore() {
  return { ask };
}

/**
 * @param {Request} request
 * @param {Watch} [watch]
 */
async function ask(request, watch = {}) {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  try {
    const answer = await fetch(ADDRESS, { method: "POST", headers, body: JSON.stringify(request), signal: watch.signal });
    const type = answer.headers.get("Content-Type") || "";
    if (!type.startsWith("text/event-stream") || !answer.body) return await soleReply(answer);
    return await lastOf(answer.body, watch);
  } catch (error) {
    if (watch.signal?.aborted) throw new DOMException("cancelled", "AbortError");
    return unreachable();
  }
}

/**
 * @param {Response} answer
 */
async function soleReply(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return { error: { kind: "failed", message: `the server answered with status ${answer.status} and no reply`, help: text.slice(0, 300) } };
  }
}

/**
 * Hands on events until the reply comes.
 * @param {ReadableStream<Uint8Array>} body
 * @param {Watch} watch
 */
async function lastOf(body, watch) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  const parser = eventParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return unreachable();
    for (const { event, data } of parser(/** @type {any} */ (value))) {
      const content = JSON.parse(data);
      if (event === "done") return inside(content, "reply");
      if (event === "progress") watch.progress?.(content.part);
      else if (event === "queued") watch.queued?.(content.position);
      else if (event === "part") watch.part?.(inside(content, "part"));
    }
  }
}

/**
 * The data of an event may be the whole line of a worker, which names the event again, or only what it carries.
 * @param {any} content
 * @param {"reply" | "part"} key
 */
function inside(content, key) {
  return content.event === undefined ? content : content[key];
}

/**
 * Takes a stream of server-sent events apart; text arrives in pieces that end anywhere.
 * @returns {(piece: string) => { event: string, data: string }[]}
 */
export function eventParser() {
  /** @type {string[]} */
  let pieces = [];
  let event = "message";
  /** @type {string[]} */
  let data = [];
  return (piece) => {
    /** @type {{ event: string, data: string }[]} */
    const whole = [];
    const lines = piece.split("\n");
    for (const [at, end] of lines.entries()) {
      pieces.push(end);
      if (at === lines.length - 1) break;
      const line = pieces.join("").replace(/\r$/, "");
      pieces = [];
      if (line === "") {
        if (data.length > 0) whole.push({ event, data: data.join("\n") });
        event = "message";
        data = [];
      } else if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
    return whole;
  };
}

function unreachable() {
  const help = "Is `catena serve` still running? Start it again and reload the page: nothing that you made is lost.";
  return { error: { kind: "failed", message: "the program behind this page does not answer", help } };
}
