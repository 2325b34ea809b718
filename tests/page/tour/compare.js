export const title = "compare: three formulations side by side, one that does not fit, the best one taken, cancel";

export async function walk({ page, check, view, faults }) {
  await page.click('[data-system="four-bar"]');
  await page.waitForSelector(".view-motion .verdict.is-good");
  await view("compare");
  for (const name of ["minimal", "multipliers", "baumgarte", "projection"]) await page.check(`.view-compare input[value="${name}"]`);
  await page.fill(".view-compare .compare-tolerances input", "1e-5, 1e-8");
  await page.press(".view-compare .compare-tolerances input", "Enter");
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => document.querySelectorAll(".view-compare .compare-film svg.scene").length === 6);
  check(await page.locator(".view-compare tbody tr").count() === 6, "three formulations at two tolerances are six runs");
  check((await page.textContent(".view-compare .compare-list")).includes("minimal does not fit: the model has 8 constraints"), "what does not fit says why");
  check(await page.locator(".view-compare .compare-figure canvas").count() === 1, "work and precision are drawn");
  await page.waitForFunction(() => [...document.querySelectorAll(".view-compare .compare-verdict")].every((cell) => ["good", "doubtful", "wrong"].includes(cell.textContent)));

  const best = page.locator(".view-compare tr.is-best");
  check(await best.count() === 1 && (await page.textContent(".view-compare .compare-words")).includes(`take ${await best.locator("th").evaluate((cell) => cell.firstChild.textContent)} with`), "the row that is recommended is marked");

  // one clock moves all of them
  const pause = page.locator('.view-compare .playback-play[aria-label="Pause"]');
  if (await pause.count()) await pause.click();
  const seen = (frame) => page.evaluate((to) => {
    const scrub = document.querySelector(".view-compare .playback-scrub");
    scrub.value = String(to);
    scrub.dispatchEvent(new Event("input", { bubbles: true }));
    return [...document.querySelectorAll(".view-compare .compare-film .stage")].map((stage) => new XMLSerializer().serializeToString(stage));
  }, frame);
  const [first, later] = [await seen(0), await seen(40)];
  check(first.length === 6 && first.every((picture, at) => picture !== later[at]), "one clock moves every picture");
  const faulty = await faults();
  check(faulty.length === 0, faulty.join("; "));

  await page.locator(".view-compare tbody tr", { hasText: "baumgarte" }).first().locator("button").click();
  await page.waitForSelector(".view-motion", { state: "visible" });
  check(await page.locator(".view-motion .method select").first().inputValue() === "baumgarte", "the one that was taken is set in the motion view");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".view-motion .method select").value === "auto");

  // a long comparison is cancelled
  const end = page.locator(".view-motion .motion-until input");
  await view("compare");
  await page.uncheck('.view-compare input[value="multipliers"]');
  await page.check('.view-compare input[value="penalty"]');
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector('.view-compare .compare-form .button.primary:has-text("Cancel")');
  await page.keyboard.press("Escape");
  await page.waitForSelector('.view-compare .compare-form .button.primary:has-text("Compare")');
  check(await end.inputValue() === "10", "the end of the run is still there");
}
