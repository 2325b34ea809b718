// A hand on the mechanism: it drags a point to a new start pose, or through the motion that is known. The same by keyboard.

import { nearestFrame } from "./grab.js";
import { newestFirst } from "./newest.js";
import { make } from "./dom.js";
import { prose } from "./prose.js";
import { short } from "./certificate.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Grab} Grab */
/** @typedef {import("./types.js").PoseReply} PoseReply */
/** @typedef {import("./film.js").MountedFilm} MountedFilm */
/** @typedef {import("./film.js").Hold} Hold */
/** @typedef {[number, number]} Place */

/**
 * @typedef {object} HandContext
 * @property {App} app
 * @property {() => MountedFilm | null} film
 * @property {() => number[] | undefined} coordinates      of the pose that is seen, if they are known
 * @property {() => void} onTake                           something is taken, before the film stops for it
 * @property {(set: Record<string, string>) => void} onAccept   the start that was chosen, to be set
 * @property {() => void} onSeek                            the film was moved by hand
 */

/** A press that moves less is none, px of the picture. */
const LEAST_MOVE = 3;
/** How far an arrow moves a point, in parts of the picture; with shift. */
const ARROW = 0.01;
const FINE_ARROW = 0.001;
/** Room for what a hand is told above it, px. */
const NOTE_HEIGHT = 60;
/** A hand that is farther from its point than this part of the picture is told why. */
const CLEARLY_BEYOND = 0.05;
/** A pose is spoken when it has not changed for this long, ms. */
const SPEAK_AFTER = 400;

/**
 * @param {HandContext} context
 */
export function makeHand(context) {
  const { app } = context;
  const note = make("div", { class: "hand-note", hidden: true });
  /** @type {"pose"|"time"} */
  let mode = "pose";
  /** @type {Session | null} */
  let session = null;
  let speakTimer = 0;
  const poses = newestFirst(async (/** @type {{mine: Session, to: Place}} */ { mine, to }) => {
    const reply = await app.core.ask({ do: "pose", ...app.request(), q: mine.q, grab: mine.grab, to }).catch(() => null);
    if (!reply || session !== mine) return;
    if (reply.error) {
      showNote(reply.error.message, to);
      return app.say(reply.error.message);
    }
    mine.take(reply);
    show(mine, reply);
  });

  /** @param {string} text @param {Place} at */
  function showNote(text, at) {
    const film = context.film();
    note.hidden = text === "";
    note.replaceChildren(...prose(text));
    if (!film || text === "") return;
    const [width, height] = [note.parentElement?.clientWidth ?? 0, note.parentElement?.clientHeight ?? 0];
    const [x, y] = film.onScreen(at);
    // a hand may leave the picture, what it is told may not
    note.classList.toggle("is-left", x > 0.55 * width);
    note.style.left = `${Math.min(width, Math.max(0, x))}px`;
    note.style.top = `${Math.min(height, Math.max(NOTE_HEIGHT, y))}px`;
  }

  /** @param {Session} mine @param {PoseReply} reply */
  function show(mine, reply) {
    const film = context.film();
    if (!film) return;
    performance.mark("catena-pose");
    film.setTracks(reply.tracks);
    const held = isFelt(reply, mine.to, film) ? reply.held : null;
    film.mark({ at: reply.reached, to: held ? mine.to : undefined, held: Boolean(held) });
    showNote(held?.message ?? reply.note ?? "", mine.to);
    // numbers in the reason change with every move: it is spoken once
    if (held && held.kind !== mine.heldKind) app.say(held.message);
    mine.heldKind = held?.kind ?? "";
    clearTimeout(speakTimer);
    speakTimer = window.setTimeout(() => app.say(`${mine.name} at x ${short(reply.reached[0], 3)} m, y ${short(reply.reached[1], 3)} m${held ? `: ${held.message}` : ""}`), SPEAK_AFTER);
  }

  function stop() {
    session = null;
    poses.drop();
    clearTimeout(speakTimer);
    showNote("", [0, 0]);
    context.film()?.mark(null);
  }
  function giveUp() {
    if (!session) return;
    stop();
    context.film()?.setTracks(null);
    app.say("The pose is as it was");
  }
  async function accept() {
    const mine = session;
    if (!mine) return;
    await poses.idle();
    if (session !== mine) return;
    const chosen = mine.start;
    stop();
    if (chosen) context.onAccept(chosen);
    else context.film()?.setTracks(null);
  }
  /** @param {Grab} grab @param {string} name @param {Place} to */
  function begin(grab, name, to) {
    stop();
    context.onTake();
    performance.clearMarks("catena-pose");
    session = makeSession(grab, name, to, context.coordinates());
    return session;
  }

  /** @param {Grab} grab @param {Place} to @returns {Hold} */
  function holdPose(grab, to) {
    const film = /** @type {MountedFilm} */ (context.film());
    const from = film.onScreen(to);
    const offset = difference(to, film.placeOf(grab));
    const mine = begin(grab, nameOf(film, grab), to);
    let hasMoved = false;
    film.pause();
    film.mark({ at: film.placeOf(grab) });
    return {
      move(place) {
        const now = film.onScreen(place);
        hasMoved ||= Math.hypot(now[0] - from[0], now[1] - from[1]) >= LEAST_MOVE;
        // the point does not jump to the pointer: it keeps the distance at which it was taken
        mine.to = difference(place, offset);
        if (hasMoved && session === mine) poses.ask({ mine, to: mine.to });
      },
      end: () => { if (session === mine) accept(); },
      cancel: giveUp,
    };
  }

  /** @param {Grab} grab @returns {Hold} */
  function holdTime(grab) {
    const film = /** @type {MountedFilm} */ (context.film());
    const way = film.wayOf(grab);
    film.pause();
    /** @param {Place} to */
    const move = (to) => {
      film.seek(nearestFrame(way, to, Math.round(film.frame)));
      film.mark({ at: film.placeOf(grab) });
    };
    const end = () => { film.mark(null); context.onSeek(); };
    return { move, end, cancel: end };
  }

  const keyboard = makeKeyboard({
    points: () => context.film()?.points() ?? [],
    begin: ({ grab, name }) => {
      const film = /** @type {MountedFilm} */ (context.film());
      const at = film.placeOf(grab);
      begin(grab, name, at);
      film.pause();
      film.mark({ at });
      app.say(`${name} at x ${short(at[0], 3)} m, y ${short(at[1], 3)} m. Arrows move it, Enter accepts, Escape gives up, Tab takes the next point.`);
    },
    move: (across, up, isFine) => {
      const view = context.film()?.view();
      if (!session || !view) return;
      const step = (isFine ? FINE_ARROW : ARROW) * Math.max(view.w, view.h);
      session.to = [session.to[0] + across * step, session.to[1] + up * step];
      poses.ask({ mine: session, to: session.to });
    },
    accept,
    giveUp,
    isActive: () => session !== null,
  });

  return {
    note,
    /** @param {Grab} grab @param {Place} to */
    onGrab: (grab, to) => (mode === "time" && (context.film()?.frames ?? 0) > 1 ? holdTime(grab) : holdPose(grab, to)),
    /** @param {"pose"|"time"} next */
    setMode: (next) => { giveUp(); mode = next; },
    key: keyboard,
    giveUp,
    isBusy: () => session !== null,
  };
}

/**
 * Whether a hand feels that it is held: at a dead point always, at the end of its reach where it is clearly beyond.
 * @param {PoseReply} reply
 * @param {Place} to
 * @param {MountedFilm} film
 */
function isFelt({ held, reached }, to, film) {
  const view = film.view();
  if (!held || held.kind === "dead-point" || !view) return Boolean(held);
  return Math.hypot(to[0] - reached[0], to[1] - reached[1]) > CLEARLY_BEYOND * Math.max(view.w, view.h);
}

/**
 * @typedef {object} Session
 * @property {Grab} grab
 * @property {string} name
 * @property {Place} to
 * @property {number[] | undefined} q
 * @property {Record<string, string> | null} start
 * @property {string} heldKind    by what it was held last
 * @property {(reply: PoseReply) => void} take
 */

/**
 * One drag, from taking to letting go: poses follow each other on one branch.
 * @param {Grab} grab
 * @param {string} name
 * @param {Place} to
 * @param {number[] | undefined} q
 * @returns {Session}
 */
function makeSession(grab, name, to, q) {
  /** @type {Session} */
  const session = {
    grab, name, to, q, start: null, heldKind: "",
    take: (reply) => { session.q = reply.q; session.start = reply.start.set; },
  };
  return session;
}

/**
 * @param {MountedFilm} film
 * @param {Grab} grab
 */
function nameOf(film, grab) {
  const same = film.points().find((point) => String(point.grab.tracks) === String(grab.tracks));
  return same?.name ?? "point";
}

/** @param {Place} a @param {Place} b @returns {Place} */
const difference = (a, b) => [a[0] - b[0], a[1] - b[1]];

/**
 * Points one after the other: Enter takes the first, Tab the next one, arrows move it, Enter accepts, Escape gives up.
 * @param {object} actions
 * @param {() => {grab: Grab, name: string}[]} actions.points
 * @param {(point: {grab: Grab, name: string}) => void} actions.begin
 * @param {(across: number, up: number, isFine: boolean) => void} actions.move
 * @param {() => void} actions.accept
 * @param {() => void} actions.giveUp
 * @param {() => boolean} actions.isActive   whether a point is still held: another film ends it
 */
function makeKeyboard(actions) {
  /** @type {number | null} */
  let at = null;
  const arrows = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });
  /** @param {number} next */
  const take = (next) => {
    const points = actions.points();
    if (next < 0 || next >= points.length) {
      at = null;
      actions.giveUp();
      return false;
    }
    at = next;
    actions.begin(points[next]);
    return true;
  };
  /** Whether the key meant something. @param {KeyboardEvent} event */
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (!actions.isActive()) at = null;
    if (at === null) return event.key === "Enter" ? take(0) : false;
    if (event.key === "Tab") return take(at + (event.shiftKey ? -1 : 1));
    if (event.key in arrows) actions.move(...arrows[event.key], event.shiftKey);
    else if (event.key === "Enter") { at = null; actions.accept(); }
    else if (event.key === "Escape") { at = null; actions.giveUp(); }
    else return false;
    return true;
  };
}
