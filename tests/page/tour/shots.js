// Pictures of every view, to be looked at.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openPage } from "./browser.js";

const SIZES = [[360, 740], [1280, 800], [3840, 2160]];
/** Films and plots come a little later, ms. */
const SETTLED_AFTER = 1500;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {string} folder
 */
export async function takeShots(browser, address, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of SIZES) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const { page, view, close } = await openPage(browser, address, "server", { viewport: { width, height }, colorScheme });
      const names = await page.$$eval("[data-view]", (tabs) => tabs.map((tab) => /** @type {HTMLElement} */ (tab).dataset.view ?? ""));
      for (const name of names) {
        await view(name);
        await page.waitForTimeout(SETTLED_AFTER);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      }
      await close();
    }
  }
}
