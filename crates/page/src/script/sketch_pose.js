// Dragging the pose: the core moves the mechanism as far as its joints let it follow the hand.
import { ownOf } from "./sketch_model.js";
import { minus } from "./sketch_geometry.js";
import { posed, writePose } from "./sketch_move.js";

/** @typedef {import("./sketch_board.js").Board} Board */
/** @typedef {import("./sketch_geometry.js").Vector} Vector */

/** One drag of the pose at a time, one request at a time: of several places the newest is asked for. */
export class PoseHand {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** Whether dragging moves the pose instead of lengths. */
    this.isTaken = false;
    /** @type {{ body: number, at: Vector, q: number[] | undefined } | null} */
    this.held = null;
    /** @type {Vector | null} */
    this.wanted = null;
    this.isAsking = false;
    /** @type {(() => void) | undefined} */
    this.onIdle = undefined;
  }

  /** @param {Vector} at @param {string} pointer @returns {boolean} whether there was something */
  grab(at, pointer) {
    const { draft } = this.board;
    if (!draft || !this.board.isCurrent) return false;
    const { spot, bodies } = this.board.pick(at, pointer);
    // the ground cannot be moved: of what is pinned to it the body itself is taken
    const body = spot?.nodes.find((node) => node.body !== null)?.body ?? bodies[0];
    if (body === undefined || body === null || !draft.mechanism.bodies[body].tracks) return false;
    const its = draft.mechanism.bodies[body];
    this.held = { body, at: minus(ownOf(its, spot ? spot.at : at), its.centre), q: undefined };
    return true;
  }

  /** @param {Vector} to */
  drag(to) {
    this.wanted = to;
    if (!this.isAsking) this.follow();
  }

  async follow() {
    const { board } = this;
    const { app, draft } = board;
    this.isAsking = true;
    while (this.held && this.wanted && draft) {
      const to = this.wanted;
      const held = this.held;
      this.wanted = null;
      const grab = { tracks: draft.mechanism.bodies[held.body].tracks ?? [], at: held.at };
      const reply = await app.core.ask({ do: "pose", ...app.request(), ...(held.q ? { q: held.q } : {}), grab, to }).catch(() => null);
      if (!reply) break;
      if (reply.error) {
        board.tell([reply.error.message, reply.error.help].filter(Boolean).join(": "), true);
        break;
      }
      held.q = reply.q;
      if (board.draft !== draft) break;
      board.shown = posed(draft.mechanism, reply.q);
      board.message = { text: reply.held?.message ?? "", isRefusal: reply.held?.kind === "dead-point" };
      board.changed();
    }
    this.isAsking = false;
    this.onIdle?.();
  }

  /** Lets go: the pose is where the assembly begins from now on. */
  drop() {
    const settle = () => {
      const { draft } = this.board;
      const q = this.held?.q;
      this.onIdle = undefined;
      this.held = null;
      if (draft && q) this.board.apply(writePose(draft, q));
    };
    if (this.isAsking) this.onIdle = settle;
    else settle();
  }

  cancel() {
    this.held = null;
    this.wanted = null;
    this.board.shown = null;
    this.board.changed();
  }
}
