// What of a film a hand can take: points of its pieces that move, and bodies anywhere on them.

/** @typedef {import("./types.js").Grab} Grab */
/** @typedef {InstanceType<typeof CatenaScene.Scene>} Scene */

/**
 * An anchor of scene.js: a place on its carrier, and the tracks of that; without tracks it is on the ground.
 * @typedef {number[]} Anchor
 */

/** Points nearer to each other than this part of the picture are one. */
const SAME_POINT = 2e-3;

/** @param {Anchor} anchor */
const moves = (anchor) => anchor.length > 2;

/**
 * @param {Anchor} anchor
 * @returns {Grab}
 */
export const grabOf = ([px, py, ...tracks]) => ({ tracks, at: [px, py] });

/**
 * The anchors of a piece that a hand can move. A pin on the ground stays where it is, so it has none.
 * @param {any} piece
 * @returns {Anchor[]}
 */
export function anchorsOf(piece) {
  switch (piece.k) {
    case "p": return moves(piece.a) && moves(piece.b) ? [piece.b] : [];
    case "m": case "c": return moves(piece.a) ? [piece.a] : [];
    case "s": return [piece.a, piece.b].filter(moves);
    case "l": return piece.p.filter(moves);
    default: return [];
  }
}

/**
 * Where a point of the world is on a body or a point that moves.
 * @param {number[]} tracks
 * @param {ArrayLike<number>} values  of all tracks
 * @param {[number, number]} world
 * @returns {[number, number]}
 */
export function localPlace([tx, ty, ta], values, [x, y]) {
  const [dx, dy] = [x - values[tx], y - values[ty]];
  const angle = ta === undefined ? 0 : values[ta];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * dx + s * dy, c * dy - s * dx];
}

/**
 * Where a grabbed point is, m.
 * @param {Grab} grab
 * @param {ArrayLike<number>} values  of all tracks
 * @returns {[number, number]}
 */
export function worldPlace({ tracks: [tx, ty, ta], at: [px, py] }, values) {
  const angle = ta === undefined ? 0 : values[ta];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [values[tx] + px * c - py * s, values[ty] + px * s + py * c];
}

/**
 * The way of a grabbed point through all frames.
 * @param {Grab} grab
 * @param {ArrayLike<number>} tracks  track after track
 * @param {number} frames
 */
export function wayOf({ tracks: [tx, ty, ta], at: [px, py] }, tracks, frames) {
  const [xs, ys] = [new Float64Array(frames), new Float64Array(frames)];
  for (let frame = 0; frame < frames; frame++) {
    const angle = ta === undefined ? 0 : tracks[ta * frames + frame];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    xs[frame] = tracks[tx * frames + frame] + px * c - py * s;
    ys[frame] = tracks[ty * frames + frame] + px * s + py * c;
  }
  return { xs, ys };
}

/**
 * The frame in which a point is nearest to a place. Ways cross themselves and motions repeat, so of two frames that are
 * equally near the one that is nearer in time wins: the square of the distance is weighed against the square of the way along the film.
 * @param {{xs: ArrayLike<number>, ys: ArrayLike<number>}} way
 * @param {[number, number]} place
 * @param {number} from  the frame that is shown
 */
export function nearestFrame({ xs, ys }, [x, y], from) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let frame = 0; frame < xs.length; frame++) {
    left = Math.min(left, xs[frame]); right = Math.max(right, xs[frame]);
    low = Math.min(low, ys[frame]); high = Math.max(high, ys[frame]);
  }
  // a jump through the whole film weighs as much as a fifth of the size of the way
  const weight = 0.2 * Math.hypot(right - left, high - low) / Math.max(1, xs.length - 1);
  let [best, least] = [from, Infinity];
  for (let frame = 0; frame < xs.length; frame++) {
    const [dx, dy, jump] = [xs[frame] - x, ys[frame] - y, weight * (frame - from)];
    const cost = dx * dx + dy * dy + jump * jump;
    if (cost < least) [best, least] = [frame, cost];
  }
  return best;
}

/**
 * Whether a point stays where it is: through the whole film, or on something that stands on the ground.
 * @param {Scene} scene
 * @param {Anchor} anchor
 */
function isFixed(scene, anchor) {
  const near = SAME_POINT * scene.film.size;
  if (scene.frames > 1) {
    const { xs, ys } = wayOf(grabOf(anchor), scene.tracks, scene.frames);
    const far = near / scene.film.scale;
    return xs.every((x) => Math.abs(x - xs[0]) < far) && ys.every((y) => Math.abs(y - ys[0]) < far);
  }
  const [x, y] = scene.place(anchor);
  const ground = scene.pieces.flatMap((piece) => (piece.k === "m" ? [piece.a] : piece.k === "p" ? [piece.a, piece.b] : [])).filter((other) => !moves(other));
  return ground.some((other) => { const [gx, gy] = scene.place(other); return Math.hypot(gx - x, gy - y) < near; });
}

/**
 * The points that can be taken one after the other, each once, with a name where the film has one.
 * @param {Scene} scene
 * @returns {{grab: Grab, name: string}[]}
 */
export function grabbablePoints(scene) {
  const names = new Map();
  for (const piece of scene.pieces) if (piece.k === "n" && moves(piece.a)) names.set(String(piece.a.slice(2)), piece.element.textContent ?? "");
  const near = SAME_POINT * scene.film.size;
  /** @type {{grab: Grab, name: string, at: [number, number]}[]} */
  const points = [];
  /** @param {Anchor} anchor */
  const add = (anchor) => {
    const at = scene.place(anchor);
    const known = Number.isFinite(at[0] + at[1]);
    if (!known || isFixed(scene, anchor) || points.some((point) => Math.hypot(point.at[0] - at[0], point.at[1] - at[1]) < near)) return;
    points.push({ grab: grabOf(anchor), name: names.get(String(anchor.slice(2))) ?? "", at });
  };
  for (const kind of ["p", "m", "s", "l"]) {
    for (const piece of scene.pieces) if (piece.k === kind) anchorsOf(piece).forEach(add);
  }
  if (points.length === 0) for (const piece of scene.pieces) if (piece.k === "r" && piece.c.length) add([0, 0, ...piece.c]);
  return points.map(({ grab, name }, at) => ({ grab, name: name || `point ${at + 1}` }));
}

/**
 * What is at a place of the picture: a point within reach, or else a body under the hand.
 * @param {Scene} scene
 * @param {[number, number]} place   in the units of the picture
 * @param {number} reach             in the same
 * @param {Element | null} under     the element there
 * @returns {Grab | null}
 */
export function grabAt(scene, [x, y], reach, under) {
  /** @type {Anchor | null} */
  let best = null;
  let least = reach;
  for (const piece of scene.pieces) {
    for (const anchor of anchorsOf(piece)) {
      const [px, py] = scene.place(anchor);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least && !isFixed(scene, anchor)) [best, least] = [anchor, distance];
    }
  }
  if (best) return grabOf(best);
  const piece = pieceOf(scene, under);
  if (!piece) return null;
  if (piece.k === "r" && piece.c.length) {
    const world = /** @type {[number, number]} */ ([scene.film.corner[0] + x / scene.film.scale, scene.film.corner[1] - y / scene.film.scale]);
    return { tracks: [...piece.c], at: localPlace(piece.c, scene.now, world) };
  }
  const ends = piece.k === "p" ? [piece.a, piece.b].filter(moves) : anchorsOf(piece);
  const distance = (/** @type {Anchor} */ anchor) => { const [px, py] = scene.place(anchor); return Math.hypot(px - x, py - y); };
  const nearest = ends.filter((/** @type {Anchor} */ anchor) => !isFixed(scene, anchor)).sort((/** @type {Anchor} */ a, /** @type {Anchor} */ b) => distance(a) - distance(b))[0];
  return nearest ? grabOf(nearest) : null;
}

/**
 * @param {Scene} scene
 * @param {Element | null} element
 */
function pieceOf(scene, element) {
  let at = element;
  while (at && at.parentElement !== /** @type {Element} */ (scene.stage)) at = at.parentElement;
  return at ? scene.pieces.find((piece) => piece.element === at) : undefined;
}
