// Requests that a moving hand makes: one at a time, and of those that wait only the newest is sent.

/**
 * @template T
 * @param {(item: T) => Promise<void>} send
 */
export function newestFirst(send) {
  /** @type {{item: T} | null} */
  let waiting = null;
  /** @type {Promise<void> | null} */
  let flight = null;
  async function work() {
    try {
      while (waiting) {
        const { item } = waiting;
        waiting = null;
        await send(item);
      }
    } finally {
      flight = null;
    }
  }
  return {
    /** Sends it now, or when the one before has been answered, unless another comes meanwhile. @param {T} item */
    ask(item) {
      waiting = { item };
      flight ??= work();
    },
    /** Nothing that waits is sent any more. */
    drop() { waiting = null; },
    /** When everything has been answered. */
    async idle() { while (flight) await flight; },
  };
}
