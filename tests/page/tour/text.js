export const title = "text: an error while typing and its words, completion, undo, the derivation, questions with progress and cancel";

/** The editor that is shown. */
const EDITOR = ".editor-text:visible";

export async function walk({ page, check, view, faults }) {
  await page.click('[data-system="four-bar-bodies"]');
  await page.waitForSelector(".view-motion", { state: "visible" });
  await editing({ page, check, view });
  await deriving({ page, check, view });
  await asking({ page, check, view });
  for (const name of ["equations", "questions"]) {
    await view(name);
    const found = await faults();
    check(found.length === 0, `${name}: ${found.join("; ")}`);
  }
}

async function editing({ page, check, view }) {
  await view("equations");
  const text = page.locator(EDITOR);
  const before = await text.inputValue();
  const problems = page.locator(".editor-problems:visible");
  await page.waitForFunction(() => [...document.querySelectorAll(".editor-summary")].some((line) => line.textContent === "The text can be read."));

  // a mistake is underlined and told in the words of the command line
  await text.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('[out');
  await page.waitForSelector(".editor-completions:visible");
  check(await text.getAttribute("aria-activedescendant"), "the list of completions is known to screen readers");
  await page.keyboard.press("Enter");
  await page.keyboard.type('\nreach = "2*crank_B_');
  await page.waitForSelector(".editor-completions:visible");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  check((await text.inputValue()).endsWith('[outputs]\nreach = "2*crank_B_y"'), `arrows and Tab choose a completion: ${(await text.inputValue()).slice(-60)}`);
  await page.keyboard.type(" + nothing");
  await problems.getByText("unknown name nothing").waitFor();
  check(await page.locator('.editor-colours:visible [data-problem="0"]').textContent() === "nothing", "what is wrong is underlined, and nothing else");
  check(await text.getAttribute("aria-invalid") === "true", "screen readers know that the text has a problem");

  // the place is reached by keys, and leaving is one key
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");
  const selected = await text.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  check(selected === "nothing", `F8 selects the problem: ${selected}`);
  await page.waitForSelector(".editor-card:visible");
  await page.keyboard.press("Tab");
  check(await page.evaluate(() => document.activeElement?.matches(".editor-text")) === false, "Tab leaves the editor");

  // colours stand where the letters are
  const apart = await page.evaluate(() => {
    const area = [...document.querySelectorAll(".editor-text")].find((one) => one.checkVisibility());
    const pre = area.parentElement.querySelector(".editor-colours");
    return [area.scrollWidth - area.clientWidth, area.scrollHeight - area.clientHeight, pre.textContent.trimEnd() === area.value.trimEnd() ? 0 : 1];
  });
  check(String(apart) === "0,0,0", `text and colours have the same size and letters: ${apart}`);

  // one history for everything, from the keyboard
  await text.focus();
  while ((await text.inputValue()) !== before) {
    const now = await text.inputValue();
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(50);
    check((await text.inputValue()) !== now, `undo goes on until the text is as it was: ${now.slice(-60)}`);
  }
  await page.waitForFunction(() => [...document.querySelectorAll(".editor-summary")].some((line) => line.textContent === "The text can be read."));
}

async function deriving({ page, check, view }) {
  await view("equations");
  await page.waitForSelector(".equations-step math");
  check(await page.locator(".equations-check").getByText("Checked by numbers").count() === 1, "the check is told");
  await page.getByRole("button", { name: "Fold all" }).click();
  check(await page.locator(".equations-step[open]").count() === 0, "all steps fold");
  await page.getByRole("button", { name: "Open all" }).click();
  check(await page.locator(".equations-step[open] math").count() > 20, "all steps open");
  const formulas = () => page.locator(".equations-step math").count();
  const absolute = await formulas();
  await page.selectOption('[aria-label="Coordinates"]', "joint");
  await page.waitForFunction((before) => document.querySelectorAll(".equations-step math").length !== before, absolute);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  await page.getByRole("button", { name: "LaTeX of step 1", exact: false }).first().click();
  await page.getByText("Copied", { exact: true }).first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText().catch(() => null));
  check(copied === null || copied.includes("\\["), `LaTeX was copied: ${copied?.slice(0, 80)}`);
}

async function asking({ page, check, view }) {
  await view("questions");
  const choose = (name) => page.click(`[data-question="${name}"]`);
  const ask = () => page.locator(".question-form").getByRole("button", { name: "Ask", exact: true }).click();
  const answer = page.locator(".answer");

  // what does not fit says why, and is not the one that is open
  check((await page.textContent('[data-question="bench"]')).includes("no chain"), "a question that does not fit says why");
  check(await page.locator(".question-list .is-misfit[aria-current]").count() === 0, "a question that does not fit is not open at first");

  // refused at its field
  await choose("spectrum");
  await page.locator(".option").filter({ hasText: "frequencies are found" }).locator("input").fill("nowhere");
  await ask();
  await page.locator(".option.is-wrong").getByText("there is no column").waitFor();
  await page.locator(".option.is-wrong input").fill("crank_angle");
  await ask();
  await answer.locator("canvas").first().waitFor();
  const [words, picture] = await Promise.all([answer.locator("p").last(), answer.locator("canvas").first()].map((part) => part.boundingBox()));
  check(words.y < picture.y, "the words stand above the picture");
  check((await page.locator(".question-form .terminal code").textContent()) === "catena analyze spectrum four-bar-bodies --column crank_angle", "the same in a terminal");

  // a bifurcation diagram is watched and cancelled; what is known stays
  await choose("bifurcation");
  await page.getByRole("button", { name: "Open the example" }).click();
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Driven pendulum"));
  await page.waitForFunction(() => document.querySelector(".range-line input")?.value === "drive");
  await ask();
  await page.waitForFunction(() => document.querySelector(".answer progress")?.value > 0.01);
  await page.locator(".question-form h2").click();
  await page.keyboard.press("Escape");
  await answer.getByText("Cancelled.").waitFor();

  // a response comes to its end, and the answers stay side by side
  await choose("response");
  await page.getByRole("button", { name: "Open the example" }).click();
  await page.waitForFunction(() => document.querySelector("#title")?.textContent?.startsWith("Triple pendulum"));
  await page.waitForFunction(() => document.querySelector(".range-line input")?.value === "f");
  const lines = page.locator(".range-line");
  await lines.nth(0).locator("input").nth(3).fill("8");
  await lines.nth(1).getByRole("button").click();
  await ask();
  await page.locator(".answer-table summary").waitFor({ timeout: 60_000 });
  check(await answer.locator("canvas").count() > 0, "the response has a picture");
  check(await page.locator(".answer-list li").count() === 4, "every answer of the session is there");
  await page.locator(".answer-list button").filter({ hasText: "Spectrum" }).last().click();
  await answer.getByRole("heading", { name: "Spectrum" }).waitFor();
}
