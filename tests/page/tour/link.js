export const title = "links and files: the same view again, strangers, damage";

/** A model that takes longer than anybody waits. */
const ENDLESS = 'title = "Endless"\n[parameters]\nk = 1\n[coordinates]\nx = "place"\n[energy]\nkinetic = "1/2*x\'^2"\npotential = "k*x^2"\n[initial]\nx = 1\n[run]\nt_end = 1e9\n';

const linkOf = async (page) => {
  await page.click('[data-tool="link"]');
  const address = await page.inputValue('textarea[aria-label="Link"]');
  await page.keyboard.press("Escape");
  return address.slice(address.indexOf("#"));
};

/** What the browser remembers of the page. */
const kept = async (page) => {
  await page.waitForTimeout(500);
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("catena") ?? "null"));
};

export async function walk({ page, check, open, view, newTab, complaints }) {
  await page.click('[data-system="slider-crank"]');
  await page.waitForSelector(".view-motion", { state: "visible" });
  const { theme: _, ...before } = (await kept(page)).state;
  const link = await linkOf(page);
  check(link.length < 6000, `the link has ${link.length} characters`);

  // the same person, another tab
  const tab = await newTab();
  await tab.goto(page.url().split("#")[0] + link);
  await tab.waitForSelector(".view-motion", { state: "visible" });
  const { theme: __, ...after } = (await kept(tab)).state;
  check(JSON.stringify(after) === JSON.stringify(before), `the link brings back the same state:\n${JSON.stringify(before)}\n${JSON.stringify(after)}`);
  check(!tab.url().includes("#"), "the link does not stay in the address");
  check((await kept(tab)).trusted === false, "a view that came by a link is a stranger's");
  await tab.getByRole("button", { name: "Run it" }).click();
  check((await kept(tab)).trusted === true, "whoever presses run trusts it");
  await tab.close();

  // damage keeps what was there
  for (const [broken, words] of [[link.slice(0, 90), "damaged"], [`${link}ab%`, "damaged"], ["#9.abc", "newer Catena"], ["#1.", "damaged"]]) {
    await open(broken);
    await page.locator('[role="alert"]', { hasText: words }).waitFor();
    check((await page.textContent("#title"))?.startsWith("Slider-crank"), "a damaged link changes nothing");
  }

  await fromFiles(page, check, view);
  check(complaints.length === 0, complaints.join("; "));
}

async function fromFiles(page, check, view) {
  await page.click('[data-tool="save"]');
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Whole view" }).click()]);
  const [model] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Model file" }).click()]);
  check(saved.suggestedFilename() === "slider-crank.catena.json", saved.suggestedFilename());
  check(model.suggestedFilename() === "slider-crank.toml", model.suggestedFilename());
  await page.keyboard.press("Escape");
  const path = await saved.path();
  const { theme: _, ...before } = (await kept(page)).state;

  await view("gallery");
  await page.click('[data-system="lorenz"]');
  await choose(page, { name: "slider-crank.catena.json", mimeType: "application/json", buffer: (await import("node:fs")).readFileSync(path) });
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Slider-crank"));
  const { theme: __, ...after } = (await kept(page)).state;
  check(JSON.stringify(after) === JSON.stringify(before), "a file brings back the same state");

  await choose(page, { name: "endless.toml", mimeType: "text/plain", buffer: Buffer.from(ENDLESS) });
  await page.waitForFunction(() => document.querySelector("#title")?.textContent === "Endless");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Slider-crank"));
  await choose(page, { name: "picture.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG\0\0", "latin1") });
  await page.locator('[role="alert"]', { hasText: "is no text" }).waitFor();
}

async function choose(page, file) {
  const asked = page.waitForEvent("filechooser");
  await page.click('[data-tool="open"]');
  // a server with a folder shows that first
  const elsewhere = page.getByRole("button", { name: "Choose a file" });
  await Promise.race([asked, elsewhere.click().catch(() => {})]);
  await (await asked).setFiles(file);
}
