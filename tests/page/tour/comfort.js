export const title = "comfort: the guided tour by keyboard, axe-core on every view in both themes, 360 px";

export async function walk({ page, check, view, faults }) {
  await page.getByRole("button", { name: "three-minute tour" }).click();
  await page.waitForSelector(".tour-card");
  const steps = Number((await page.textContent(".tour-card .quiet"))?.split(" of ")[1]);
  for (let step = 1; step < steps; step++) {
    check((await page.textContent(".tour-card .quiet")) === `${step} of ${steps}`, `step ${step}`);
    check(await page.evaluate(() => document.querySelector(".tour-card")?.contains(document.activeElement)), `the focus is in the card at step ${step}`);
    check(await page.locator(".tour-ring").isVisible(), `step ${step} points at something`);
    if (step === 4) {
      await page.keyboard.press("Escape");
      await page.waitForSelector(".tour-card", { state: "detached" });
      await page.click('[data-tool="tour"]');
      check((await page.textContent(".tour-card .quiet")) === `4 of ${steps}`, "the tour goes on where it was left");
    }
    await page.keyboard.press("ArrowRight");
  }
  await page.getByRole("button", { name: "Done" }).click();
  await page.waitForSelector(".tour-card", { state: "detached" });

  const wrong = [];
  const names = await page.$$eval("[data-view]", (tabs) => tabs.map((tab) => tab.dataset.view));
  for (const colours of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: colours, reducedMotion: "reduce" });
    for (const name of names) {
      await view(name);
      await page.waitForTimeout(800);
      wrong.push(...(await faults()).map((fault) => `${name}, ${colours}: ${fault}`));
    }
  }

  await page.setViewportSize({ width: 360, height: 740 });
  for (const name of names) {
    await view(name);
    await page.waitForTimeout(300);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 360) wrong.push(`${name} is ${width} px wide at 360`);
    const label = page.locator(`[data-view="${name}"] span`);
    check(await label.isVisible(), `${name} is named at 360 px`);
  }
  check(wrong.length === 0, wrong.join("\n"));
}
