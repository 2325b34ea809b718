export const title = "the frame: gallery, tabs, keys, undo, theme, what survives a reload";

export async function walk({ page, check, view, open, context }) {
  const title = () => page.textContent("#title");
  await page.waitForSelector(".gallery-film.is-ready svg.scene");
  check(await page.locator(".gallery-card").count() >= 20, "every ready system has a card");

  await page.click('[data-system="four-bar"]');
  await page.waitForSelector(".view-motion", { state: "visible" });
  check((await title())?.startsWith("Four-bar"), "the title is that of the system that was opened");
  check(await page.evaluate(() => document.activeElement?.classList.contains("view-motion")), "the focus is in the view that was opened");
  await page.goBack();
  await page.waitForSelector(".view-gallery", { state: "visible" });
  check((await title())?.startsWith("Four-bar"), "going back changes the view alone");

  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Double"));
  await page.keyboard.press("Control+Shift+z");
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Four-bar"));

  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("2");
  check(await page.locator("dialog[open]").count() === 1, "keys of the page do nothing behind a dialog");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });

  await page.click('[data-tool="theme"]');
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  await view("motion");
  // what is kept is written a little later
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForSelector(".view-motion", { state: "visible" });
  check((await title())?.startsWith("Four-bar"), "the model survives a reload");
  check(await page.evaluate(() => document.documentElement.dataset.theme) === theme, "the theme survives a reload");
  check(await page.isEnabled('[data-tool="undo"]'), "undo survives a reload");

  // storage that throws, as in some private modes
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
  });
  await open();
  check((await title())?.startsWith("Double"), "without storage the page begins anew and works");
}
