// A browser, pages in it, and what walks through them need.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MAX_WAIT = 15_000;
/** Characters of what the page says that are shown. */
const MAX_COMPLAINT = 300;

export async function launch() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("there is no Chromium; CHROMIUM names one");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--force-color-profile=srgb"] });
}

/**
 * A fresh profile with the page opened in it.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {"server" | "file"} carrier
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function openPage(browser, address, carrier, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(MAX_WAIT);
  /** @type {string[]} */
  const complaints = [];
  await forbidOthers(context, address, complaints);
  const page = await newPage(context, complaints);
  const open = async (fragment = "") => {
    await page.goto("about:blank");
    await page.goto(address.split("#")[0] + fragment);
    await page.waitForSelector(".view", { state: "visible" });
  };
  await open();
  return {
    page, context, complaints, carrier, open,
    /** Another tab of the same person. */
    newTab: () => newPage(context, complaints),
    check: (/** @type {unknown} */ condition, /** @type {string} */ message) => assert.ok(condition, message),
    /** Shows a view by its tab. */
    view: async (/** @type {string} */ name) => {
      await page.click(`[data-view="${name}"]`);
      await page.waitForSelector(`.view-${name}`, { state: "visible" });
    },
    /** Serious faults that axe-core finds in what is shown. */
    faults: () => faults(page),
    close: () => context.close(),
  };
}

/**
 * Whatever the page wants from anywhere else is refused and told.
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} address
 * @param {string[]} complaints
 */
async function forbidOthers(context, address, complaints) {
  const own = new URL(address);
  await context.route("**/*", (route) => {
    const asked = new URL(route.request().url());
    const isOwn = asked.protocol === "data:" || asked.protocol === "blob:" || (asked.protocol === own.protocol && asked.host === own.host);
    if (isOwn) return route.fallback();
    complaints.push(`it asked for ${asked.href}`);
    return route.abort();
  });
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {string[]} complaints
 */
async function newPage(context, complaints) {
  const page = await context.newPage();
  const complain = (/** @type {string} */ text) => {
    const short = text.slice(0, MAX_COMPLAINT);
    if (!complaints.includes(short)) complaints.push(short);
  };
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") complain(message.text()); });
  page.on("pageerror", (error) => complain(String(error)));
  return page;
}

/** @param {import("playwright-core").Page} page */
async function faults(page) {
  // by the debugger's own channel: the page's policy does not let scripts in
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(" ")).slice(0, 5).join(", ")})`);
}
