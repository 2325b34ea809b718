export const title = "cost: what a frame of a chain of 100 links takes of the main thread (printed, never asserted: machines differ)";

const LINKS = 100;
const SECONDS = 4;
// work of the main thread between two frames
const WORK = new Set(["FireAnimationFrame", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer", "CompositeLayers"]);

export async function walk({ page, check }) {
  await page.click('[data-system="chain"]');
  await page.waitForSelector(".view-motion .verdict.is-good");
  const field = page.locator('.slider[data-name="links"] input[type=text]');
  await field.fill(String(LINKS));
  await field.press("Enter");
  await page.waitForFunction((links) => document.querySelectorAll(".view-motion .stage-film .pin").length >= links, LINKS);
  await page.waitForSelector(".view-motion .verdict.is-good, .view-motion .verdict.is-doubtful");
  check(await page.getAttribute(".view-motion .playback-play", "aria-label") === "Pause", "it plays");
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"] });
  await page.waitForTimeout(1000 * SECONDS);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const costs = frames(traceEvents).sort((a, b) => a - b);
  check(costs.length > 10, `it moves: ${costs.length} frames in ${SECONDS} s`);
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  console.log(`      ${LINKS} links, ${costs.length} frames with plots and sliders in sight: mean ${mean.toFixed(2)} ms of the main thread, 95 % below ${costs[Math.floor(0.95 * (costs.length - 1))].toFixed(2)} ms`);
}

/** The processor time of the main thread between one frame and the next, ms: what other programs take is not counted. */
function frames(events) {
  const main = new Set(events.filter(({ name }) => name === "FireAnimationFrame").map(({ pid, tid }) => `${pid} ${tid}`));
  const work = events.filter(({ ph, name, pid, tid, tdur }) => ph === "X" && tdur !== undefined && WORK.has(name) && main.has(`${pid} ${tid}`)).sort((a, b) => a.tts - b.tts);
  const costs = [];
  let [current, end] = [null, 0];
  for (const { name, tts, tdur } of work) {
    if (name === "FireAnimationFrame") {
      if (current !== null) costs.push(current / 1000);
      [current, end] = [0, 0];
    }
    // what happens inside of something else is counted with it
    if (current === null || tts < end) continue;
    current += tdur;
    end = tts + tdur;
  }
  return costs;
}
