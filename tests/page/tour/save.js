import { readFileSync } from "node:fs";

export const title = "saving: data, pictures, films, reports, sources and LaTeX; a file that is dropped";

/** What a file begins with, by the label of its button. */
const FILES = [
  ["CSV", "four-bar.csv", /^t,/],
  ["NPZ", "four-bar.npz", /^PK/],
  ["JSON", "four-bar.json", /^\{/],
  ["SVG", "four-bar.svg", /^<svg|^<\?xml/],
  ["PNG", "four-bar.png", /^\x89PNG/],
  ["Animation (.html)", "four-bar.html", /^<!doctype html>/i],
  ["Report (.html)", "four-bar.html", /^<!doctype html>/i],
  ["LaTeX", "four-bar.tex", /\\documentclass|\\section|\\begin/],
  ["Program", "four-bar.c", /#include/],
];

export async function walk({ page, check, view }) {
  await page.click('[data-system="four-bar"]');
  await page.waitForSelector(".view-motion", { state: "visible" });
  await page.keyboard.press("Control+s");
  for (const [label, name, beginning] of FILES) {
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: label, exact: true }).click()]);
    const text = readFileSync(await saved.path(), "latin1");
    check(saved.suggestedFilename() === name, `${label} is ${saved.suggestedFilename()}`);
    check(beginning.test(text), `${name} begins with ${text.slice(0, 60)}`);
  }
  await page.keyboard.press("Escape");

  await view("gallery");
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['title = "Dropped"\n[coordinates]\nx = "place"\n'], "dropped.toml", { type: "" }));
    return transfer;
  });
  await page.dispatchEvent("body", "dragover", { dataTransfer: dropped });
  check(await page.evaluate(() => document.body.classList.contains("takes-drop")), "the page shows that it takes the file");
  await page.dispatchEvent("body", "drop", { dataTransfer: dropped });
  await page.waitForFunction(() => document.querySelector("#title")?.textContent === "Dropped");
  check(!await page.evaluate(() => document.body.classList.contains("takes-drop")), "and no longer when it was dropped");
}
