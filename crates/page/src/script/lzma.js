// Unpacks what `xz --format=lzma` has packed: the core, in three quarters of what gzip would need.
//
// A file is a stream of binary decisions, each with odds that are learnt from those before it. Decisions are joined to
// bytes, or to lengths and distances of what stood there before. The format: "LZMA specification", I. Pavlov, 2015.

/** The odds of zero where nothing is known yet: a half, of 2048. */
const EVEN = 1024;
/** Below 7 the state says that a byte on its own came last, from there on that it was found further back. */
const FIRST_MATCH = 7;
/** Bytes in front of the stream: properties, the size of the dictionary, the length. */
const HEADER = 13;
/** Less is not worth being found further back. */
const MIN_LENGTH = 2;
/** Room for the longest piece that comes at once. */
const MAX_LENGTH = 273;

// Where the odds of a kind of decision begin.
const IS_MATCH = 0;
const IS_REPEATED = IS_MATCH + 192;
const IS_OLDER = IS_REPEATED + 12;
const IS_LONG = IS_OLDER + 36;
const SLOT = IS_LONG + 192;
const DISTANCE = SLOT + 256;
const ALIGN = DISTANCE + 128;
const LENGTH = ALIGN + 16;
const LENGTH_SIZE = 2 + 128 + 128 + 256;
const LITERAL = LENGTH + 2 * LENGTH_SIZE;

/**
 * @param {Uint8Array} packed
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function unpacked(packed) {
  const literalBits = packed[0] % 9;
  const literalMask = (1 << (Math.floor(packed[0] / 9) % 5)) - 1;
  const positionMask = (1 << Math.floor(packed[0] / 45)) - 1;
  const odds = new Uint16Array(LITERAL + (768 << literalBits) * (literalMask + 1)).fill(EVEN);
  let bytes = new Uint8Array(packed.length * 4);
  let count = 0;
  let at = HEADER + 5;
  // the width of the interval that is left, and where in it the stream points
  const interval = new Uint32Array([0xffffffff, new DataView(packed.buffer, packed.byteOffset).getUint32(HEADER + 1)]);

  const narrow = () => {
    if (interval[0] >= 0x1000000) return;
    interval[0] <<= 8;
    interval[1] = (interval[1] << 8) | packed[at];
    at += 1;
  };

  /** One decision. @param {number} which */
  const bit = (which) => {
    const probability = odds[which];
    const bound = Math.imul(interval[0] >>> 11, probability) >>> 0;
    const isOne = interval[1] >= bound;
    if (isOne) {
      interval[0] -= bound;
      interval[1] -= bound;
      odds[which] = probability - (probability >>> 5);
    } else {
      interval[0] = bound;
      odds[which] = probability + ((2 * EVEN - probability) >>> 5);
    }
    narrow();
    return isOne ? 1 : 0;
  };

  /** A number of so many bits, the highest one first. @param {number} from @param {number} bits */
  const number = (from, bits) => {
    let found = 1;
    for (let left = bits; left > 0; left -= 1) found = (found << 1) | bit(from + found);
    return found - (1 << bits);
  };

  /** The lowest one first. @param {number} from @param {number} bits */
  const reversed = (from, bits) => {
    let found = 0;
    for (let place = 0, branch = 1; place < bits; place += 1) {
      const next = bit(from + branch);
      branch = (branch << 1) | next;
      found |= next << place;
    }
    return found;
  };

  /** Bits that are as often one as zero. @param {number} bits */
  const plain = (bits) => {
    let found = 0;
    for (let left = bits; left > 0; left -= 1) {
      interval[0] >>>= 1;
      const isOne = interval[1] >= interval[0];
      if (isOne) interval[1] -= interval[0];
      found = (found << 1) | (isOne ? 1 : 0);
      narrow();
    }
    return found;
  };

  /** @param {number} from @param {number} position */
  const length = (from, position) => {
    if (!bit(from)) return MIN_LENGTH + number(from + 2 + (position << 3), 3);
    if (!bit(from + 1)) return MIN_LENGTH + 8 + number(from + 130 + (position << 3), 3);
    return MIN_LENGTH + 16 + number(from + 258, 8);
  };

  /** How far back, less one. @param {number} length of what is found there */
  const distance = (length) => {
    const slot = number(SLOT + (Math.min(length - MIN_LENGTH, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >>> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + reversed(DISTANCE + high - slot, bits);
    return ((high | (plain(bits - 4) << 4)) >>> 0) + reversed(ALIGN, 4);
  };

  /** A byte on its own. After a match its odds depend on what would have gone on there. @param {number} state @param {number} back */
  const literal = (state, back) => {
    const before = count > 0 ? bytes[count - 1] : 0;
    const from = LITERAL + 768 * (((count & literalMask) << literalBits) + (before >>> (8 - literalBits)));
    let found = 1;
    if (state >= FIRST_MATCH) {
      let expected = bytes[count - back - 1];
      while (found < 256) {
        const hint = (expected >>> 7) & 1;
        expected <<= 1;
        const next = bit(from + ((1 + hint) << 8) + found);
        found = (found << 1) | next;
        if (next !== hint) break;
      }
    }
    while (found < 256) found = (found << 1) | bit(from + found);
    return found & 255;
  };

  let state = 0;
  // how far back the last four matches were, less one, the last one first
  const back = new Uint32Array(4);
  for (;;) {
    if (at > packed.length) throw new Error("what was packed is damaged: it ends too early");
    const position = count & positionMask;
    if (count + MAX_LENGTH > bytes.length) {
      const longer = new Uint8Array(bytes.length * 2);
      longer.set(bytes);
      bytes = longer;
    }
    if (!bit(IS_MATCH + (state << 4) + position)) {
      bytes[count] = literal(state, back[0]);
      count += 1;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    const isLast = state < FIRST_MATCH;
    let times = 1;
    if (bit(IS_REPEATED + state)) {
      let which = 0;
      if (bit(IS_OLDER + state)) which = bit(IS_OLDER + 12 + state) ? 2 + bit(IS_OLDER + 24 + state) : 1;
      const isLong = which > 0 || bit(IS_LONG + (state << 4) + position) === 1;
      const again = back[which];
      back.copyWithin(1, 0, which);
      back[0] = again;
      if (isLong) times = length(LENGTH + LENGTH_SIZE, position);
      state = isLong ? (isLast ? 8 : 11) : isLast ? 9 : 11;
    } else {
      times = length(LENGTH, position);
      back.copyWithin(1, 0, 3);
      back[0] = distance(times);
      if (back[0] === 0xffffffff) return bytes.slice(0, count);
      state = isLast ? 7 : 10;
    }
    if (back[0] >= count) throw new Error("what was packed is damaged: it repeats what was not there");
    const from = count - back[0] - 1;
    for (let copied = 0; copied < times; copied += 1) bytes[count + copied] = bytes[from + copied];
    count += times;
  }
}
