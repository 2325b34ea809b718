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

/**
 * One drag, from taking to letting go: poses follow each other on one branch.
 * @typedef {object} Session
 * @property {Grab} grab
 * @property {string} name
 * @property {Place} to                                  where the hand is
 * @property {number[] | undefined} q                    of the pose that is seen
 * @property {Record<string, string> | null} start       what to set so that a run starts there
 * @property {string} heldKind                           by what it was held last
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

/** @type {Record<string, Place>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Hand {
  /** @param {HandContext} context */
  constructor(context) {
    this.context = context;
    this.note = make("div", { class: "hand-note", hidden: true });
    /** @type {"pose"|"time"} */
    this.mode = "pose";
    /** @type {Session | null} */
    this.session = null;
    /** @type {number | null} the point that the keys hold */
    this.keyPoint = null;
    this.speakTimer = 0;
    this.poses = newestFirst((/** @type {{mine: Session, to: Place}} */ asked) => this.ask(asked));
  }

  isBusy() {
    return this.session !== null;
  }

  /** @param {"pose"|"time"} mode */
  setMode(mode) {
    this.giveUp();
    this.mode = mode;
  }

  /**
   * A pointer has taken something.
   * @param {Grab} grab
   * @param {Place} to
   * @returns {Hold}
   */
  take(grab, to) {
    const film = /** @type {MountedFilm} */ (this.context.film());
    return this.mode === "time" && film.frames > 1 ? this.holdTime(film, grab) : this.holdPose(film, grab, to);
  }

  /**
   * @param {MountedFilm} film
   * @param {Grab} grab
   * @param {Place} to
   * @returns {Hold}
   */
  holdPose(film, grab, to) {
    const from = film.onScreen(to);
    const offset = difference(to, film.placeOf(grab));
    const mine = this.begin(grab, nameOf(film, grab), to);
    let hasMoved = false;
    film.pause();
    film.mark({ at: film.placeOf(grab) });
    return {
      move: (place) => {
        const now = film.onScreen(place);
        hasMoved ||= Math.hypot(now[0] - from[0], now[1] - from[1]) >= LEAST_MOVE;
        // the point does not jump to the pointer: it keeps the distance at which it was taken
        mine.to = difference(place, offset);
        if (hasMoved && this.session === mine) this.poses.ask({ mine, to: mine.to });
      },
      end: () => { if (this.session === mine) this.accept(); },
      cancel: () => this.giveUp(),
    };
  }

  /**
   * @param {MountedFilm} film
   * @param {Grab} grab
   * @returns {Hold}
   */
  holdTime(film, grab) {
    const way = film.wayOf(grab);
    film.pause();
    const end = () => { film.mark(null); this.context.onSeek(); };
    return {
      move: (to) => {
        film.seek(nearestFrame(way, to, Math.round(film.frame)));
        film.mark({ at: film.placeOf(grab) });
      },
      end,
      cancel: end,
    };
  }

  // ---- one drag

  /**
   * @param {Grab} grab
   * @param {string} name
   * @param {Place} to
   */
  begin(grab, name, to) {
    this.stop();
    this.context.onTake();
    performance.clearMarks("catena-pose");
    /** @type {Session} */
    const session = { grab, name, to, q: this.context.coordinates(), start: null, heldKind: "" };
    this.session = session;
    return session;
  }

  /** @param {{mine: Session, to: Place}} asked */
  async ask({ mine, to }) {
    const { app } = this.context;
    const reply = await app.core.ask({ do: "pose", ...app.request(), q: mine.q, grab: mine.grab, to }).catch(() => null);
    if (!reply || this.session !== mine) return;
    if (reply.error) {
      this.showNote(reply.error.message, to);
      return app.say(reply.error.message);
    }
    mine.q = reply.q;
    mine.start = reply.start.set;
    this.show(mine, reply);
  }

  stop() {
    this.session = null;
    this.poses.drop();
    clearTimeout(this.speakTimer);
    this.showNote("", [0, 0]);
    this.context.film()?.mark(null);
  }

  giveUp() {
    if (!this.session) return;
    this.stop();
    this.context.film()?.setTracks(null);
    this.context.app.say("The pose is as it was");
  }

  async accept() {
    const mine = this.session;
    if (!mine) return;
    await this.poses.idle();
    if (this.session !== mine) return;
    this.stop();
    if (mine.start) this.context.onAccept(mine.start);
    else this.context.film()?.setTracks(null);
  }

  // ---- what is seen and heard of it

  /** @param {Session} mine @param {PoseReply} reply */
  show(mine, reply) {
    const { app } = this.context;
    const film = this.context.film();
    if (!film) return;
    performance.mark("catena-pose");
    film.setTracks(reply.tracks);
    const held = isFelt(reply, mine.to, film) ? reply.held : null;
    film.mark({ at: reply.reached, to: held ? mine.to : undefined, held: Boolean(held) });
    this.showNote(held?.message ?? reply.note ?? "", mine.to);
    // numbers in the reason change with every move: it is spoken once
    if (held && held.kind !== mine.heldKind) app.say(held.message);
    mine.heldKind = held?.kind ?? "";
    clearTimeout(this.speakTimer);
    this.speakTimer = window.setTimeout(() => app.say(`${mine.name} ${placeText(reply.reached)}${held ? `: ${held.message}` : ""}`), SPEAK_AFTER);
  }

  /** @param {string} text @param {Place} at */
  showNote(text, at) {
    const { note } = this;
    const film = this.context.film();
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

  // ---- keys: Enter takes the first point, Tab the next one, arrows move it, Enter accepts, Escape gives up

  /**
   * Whether the key meant something.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    // another film ends what the keys hold
    if (!this.session) this.keyPoint = null;
    if (this.keyPoint === null) return event.key === "Enter" && this.takeByKey(0);
    if (event.key === "Tab") return this.takeByKey(this.keyPoint + (event.shiftKey ? -1 : 1));
    if (event.key in ARROWS) this.moveByKey(ARROWS[event.key], event.shiftKey ? FINE_ARROW : ARROW);
    else if (event.key === "Enter") this.accept();
    else if (event.key === "Escape") this.giveUp();
    else return false;
    return true;
  }

  /** Beyond the last point the focus goes on. @param {number} next */
  takeByKey(next) {
    const film = this.context.film();
    const point = film?.points()[next];
    if (!film || !point) {
      this.giveUp();
      return false;
    }
    this.keyPoint = next;
    const at = film.placeOf(point.grab);
    this.begin(point.grab, point.name, at);
    film.pause();
    film.mark({ at });
    this.context.app.say(`${point.name} ${placeText(at)}. Arrows move it, Enter accepts, Escape gives up, Tab takes the next point.`);
    return true;
  }

  /** @param {Place} direction @param {number} part */
  moveByKey([across, up], part) {
    const view = this.context.film()?.view();
    if (!this.session || !view) return;
    const step = part * Math.max(view.w, view.h);
    this.session.to = [this.session.to[0] + across * step, this.session.to[1] + up * step];
    this.poses.ask({ mine: this.session, to: this.session.to });
  }
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
 * @param {MountedFilm} film
 * @param {Grab} grab
 */
function nameOf(film, grab) {
  const same = film.points().find((point) => String(point.grab.tracks) === String(grab.tracks));
  return same?.name ?? "point";
}

/** @param {Place} place */
const placeText = ([x, y]) => `at x ${short(x, 3)} m, y ${short(y, 3)} m`;

/** @param {Place} a @param {Place} b @returns {Place} */
const difference = (a, b) => [a[0] - b[0], a[1] - b[1]];
