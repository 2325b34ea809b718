export const title = "motion: run, scrub, plots, sliders, the mechanism dragged by hand, methods, how fast it answers";

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export async function walk({ page, check, view, faults, carrier }) {
  const verdict = () => page.textContent(".view-motion .verdict-badge");
  const time = async () => Number.parseFloat(await page.textContent(".view-motion .playback-time"));
  const judged = () => page.waitForSelector('.view-motion[data-phase="done"]');

  // two systems, their sliders, and how long the first frame takes
  for (const [system, slider] of [["double-pendulum", "l1"], ["four-bar", "L2"]]) {
    await view("gallery");
    await page.click(`[data-system="${system}"]`);
    await judged();
    const range = page.locator(".slider", { has: page.locator(`label[title^="${slider}"]`) }).locator("input[type=range]");
    for (let at = 0; at < 6; at++) {
      const before = await page.evaluate(() => performance.getEntriesByName("catena-first-frame").length);
      await range.evaluate((element, value) => {
        element.value = String(value);
        element.dispatchEvent(new Event("input", { bubbles: true }));
        element.dispatchEvent(new Event("change", { bubbles: true }));
      }, 200 + 3 * at + 2);
      await page.waitForFunction((count) => performance.getEntriesByName("catena-first-frame").length > count, before);
    }
    const times = await page.evaluate(() => performance.getEntriesByName("catena-first-frame").map((entry) => entry.duration));
    console.log(`      ${system}, ${carrier}: from slider release to the first frame ${median(times.slice(-6)).toFixed(0)} ms (median of 6), at most ${Math.max(...times.slice(-6)).toFixed(0)} ms`);
  }

  // play, pause, scrub, step; one cursor for the film and its plots
  await judged();
  await page.click(".view-motion .playback-play");
  check(await page.getAttribute(".view-motion .playback-play", "aria-label") === "Play", "a press pauses it");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("End");
  const end = await time();
  check(end === 10, `the film ends with the run, at ${end}`);
  await page.keyboard.press("Shift+ArrowLeft");
  check(await time() < end, "an arrow with shift goes ten frames back");
  const stage = page.locator(".view-motion .catena-stage").first();
  const box = await stage.boundingBox();
  await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  const shown = Number.parseFloat((await page.textContent(".view-motion .catena-legend .catena-value")).split("=")[1]);
  check(shown > 3 && shown < 8 && Math.abs(shown - await time()) < 0.02, `a press in a plot moves the film: ${shown} and ${await time()}`);
  await page.click(".view-motion .events summary");
  const event = page.locator(".view-motion .event-list button").nth(2);
  await event.click();
  check(Math.abs(Number.parseFloat(await event.locator(".event-time").textContent()) - await time()) < 0.02, "an event moves the cursor to its time");

  // panels come and go with their groups
  const panels = () => page.locator(".view-motion .catena-panel").count();
  const before = await panels();
  await page.click('.view-motion [data-group="Errors"]');
  await page.waitForFunction((count) => document.querySelectorAll(".view-motion .catena-panel").length === count, before + 2);
  await page.click('.view-motion [data-group="Errors"]');
  await page.waitForFunction((count) => document.querySelectorAll(".view-motion .catena-panel").length === count, before);

  // the certificate in words
  await page.click(".view-motion .verdict-badge");
  check((await page.textContent(".view-motion .verdict-facts")).includes("more exact run"), "the badge opens into the certificate");
  const found = await faults();
  check(found.length === 0, `the open certificate: ${found.join("; ")}`);
  await page.click(".view-motion .verdict-badge");

  await values({ page, check, verdict });
  await methods({ page, check, judged });
  await hand({ page, check, time, judged });
  await meanings({ page, check, view, judged });
}

/** What a value means, how long a run is, what is not predicted, where a text is wrong; all of it by keys. */
async function meanings({ page, check, view, judged }) {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("v");
  check(await page.evaluate(() => document.activeElement?.matches(".slider-range")), "V goes to the values");
  await page.keyboard.press("m");
  check(await page.evaluate(() => document.activeElement?.matches(".stage-film")), "M goes to the mechanism");
  check(await page.locator(".chooser-groups button:not([tabindex='-1'])").count() === 1, "one Tab passes all groups of columns");
  await page.click('[data-group="Forces"]');
  await page.locator(".catena-legend").getByText("pin O f").waitFor();
  check(await page.locator(".catena-legend").getByText("lambda").count() === 0, "multipliers are no forces");

  // a chaotic motion, up to where it is known; and a part of it that is known to its end
  await view("gallery");
  await page.click('[data-system="double-pendulum"]');
  await judged();
  check((await page.textContent(".slider[data-name=l1]")).includes("upper rod") && (await page.textContent(".slider[data-name=l1] .slider-unit")) === "m", "a slider says what it sets, with its unit");
  const slide = (type) => page.locator(".slider[data-name=l1] .slider-range").evaluate((range, name) => {
    range.value = "230";
    range.dispatchEvent(new Event(name, { bubbles: true }));
  }, type);
  await slide("input");
  await page.locator(".view-motion .playback-time", { hasText: /^start$/ }).waitFor();
  await slide("change");
  await judged();
  await page.getByText("not predicted beyond").waitFor();
  await page.waitForSelector(".view-motion .playback-unknown:not([hidden])");
  await page.click('.view-motion .sliders button:has-text("Reset all")');
  await page.fill(".motion-until input", "3");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".view-motion .plot-unknown", { state: "hidden" });
  await judged();

  // a motor's speed is a number of the text
  const text = "[[body]]\nname = \"a\"\nmass = 1\nlength = 1\n[[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [[0, 0], \"a.A\"]\n[[motor]]\njoint = \"O\"\nangle = \"30 rpm*t\"\n";
  await view("build");
  await page.fill(".view-build .editor-text", text);
  await view("motion");
  const speed = page.locator(".slider", { hasText: "speed of the motor" }).locator("input[type=text]");
  await speed.fill("45");
  await speed.press("Enter");
  await judged();
  // a new mechanism has coordinates to draw
  await page.waitForSelector('[data-group="Coordinates"]');
  await view("build");
  check((await page.inputValue(".view-build .editor-text")) === text.replace("30", "45"), "the speed stands in the text");
  await page.fill(".view-build .editor-text", text.replace("1\n[[j", "\n[[j"));
  await view("motion");
  await page.getByText("Line 4: ").first().waitFor();
  await page.getByRole("button", { name: "Show it in the text" }).click();
  check(await page.evaluate(() => document.activeElement?.matches(".view-build .editor-text")), "a problem leads to its place in the text");
}

/** Fields take formulas, say what is wrong in the core's words, and come back. */
async function values({ page, check, verdict }) {
  const line = page.locator(".slider", { has: page.locator('label[title^="L3"]') });
  const field = line.locator("input[type=text]");
  await field.fill("2*0.45 + 0.01");
  await field.press("Enter");
  await page.waitForFunction(() => document.querySelector(".view-motion .slider.is-set") !== null);
  await field.fill("nonsense");
  await field.press("Enter");
  await page.waitForSelector(".view-motion .motion-trouble:not([hidden])");
  check((await line.locator(".option-problem").textContent()).includes("nonsense"), "the field says what is wrong");
  check((await verdict()).includes("no result"), "there is no verdict on a run that cannot begin");
  await line.locator(".slider-reset").click();
  await page.waitForSelector(".view-motion .motion-trouble", { state: "hidden" });
  await page.waitForSelector(".view-motion .verdict.is-good");
}

/** Automatic choices explain themselves; others say why they do not fit; a run that ends early shows what it reached. */
async function methods({ page, check, judged }) {
  // auto says why it takes what it takes
  await page.waitForFunction(() => document.querySelector(".view-motion .method-why").textContent.includes("projection"));
  const troubled = (text) => page.waitForFunction((part) => document.querySelector(".view-motion .motion-trouble:not([hidden])")?.textContent.includes(part), text);
  const formulation = page.locator(".view-motion .method select").first();
  await formulation.selectOption("minimal");
  await troubled("does not fit");
  await formulation.selectOption("baumgarte");
  await judged();
  await page.click(".view-motion .method-more summary");
  check(await page.locator(".method-own code", { hasText: "omega" }).count() === 1, "the formulation has options of its own");
  const option = (key) => page.locator(".methods .option", { has: page.locator(`code:text-is("${key}")`) }).locator("input").first();
  await option("max_steps").fill("60");
  await option("max_steps").press("Enter");
  await troubled("was reached");
  await option("max_steps").fill("");
  await option("max_steps").press("Enter");
  await formulation.selectOption("auto");
  await judged();
  await page.waitForSelector(".view-motion .motion-trouble", { state: "hidden" });
}

/** A pin is dragged to a new start, through time, and by keyboard. */
async function hand({ page, check, time, judged }) {
  const pin = async () => page.evaluate(() => {
    const places = [...document.querySelectorAll(".view-motion .stage-film .pin")].map((element) => element.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
    // the two on the ground are the lowest at the start; the crank pin is left of the other that moves
    const ground = Math.max(...places.map((place) => place[1]));
    return places.filter((place) => place[1] < ground - 20).sort((a, b) => a[0] - b[0])[0];
  });
  const shown = async () => page.evaluate(() => [...document.querySelectorAll(".view-motion .slider.is-set")].map((line) => line.querySelector("label").title).join());
  await page.click('.view-motion .sliders button:has-text("Reset all")');
  await page.waitForFunction(() => document.querySelector(".view-motion .slider.is-set") === null);
  await judged();
  await page.click('.view-motion .stage-mode button:has-text("time")');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Home");
  let [x, y] = await pin();
  const from = await time();
  await drag(page, [x, y], [x + 40, y + 40]);
  check(await time() !== from && await shown() === "", "in time mode a hand moves the film and sets nothing");

  await page.click('.view-motion .stage-mode button:has-text("start pose")');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Home");
  [x, y] = await pin();
  const rate = await drag(page, [x, y], [x + 30, y + 60]);
  await page.waitForFunction(() => document.querySelector(".view-motion .slider.is-set") !== null);
  console.log(`      dragging a pose: ${rate.toFixed(0)} updates a second`);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".view-motion .slider.is-set") === null);
  await judged();

  await page.focus(".view-motion .stage-film");
  await page.keyboard.press("Enter");
  for (let at = 0; at < 4; at++) await page.keyboard.press("ArrowDown");
  // the pose is spoken
  await page.waitForFunction(() => /at x .* m, y/.test(document.querySelector("#said").textContent));
  await page.keyboard.press("Escape");
  check(await shown() === "", "Escape gives up");
}

/** Drags in small steps and counts the poses that were drawn in a second. */
async function drag(page, from, to) {
  const steps = 60;
  await page.mouse.move(...from);
  await page.mouse.down();
  const began = performance.now();
  for (let at = 1; at <= steps; at++) {
    await page.mouse.move(from[0] + ((to[0] - from[0]) * at) / steps, from[1] + ((to[1] - from[1]) * at) / steps);
    await page.waitForTimeout(8);
  }
  const seconds = (performance.now() - began) / 1000;
  const poses = await page.evaluate(() => performance.getEntriesByName("catena-pose").length);
  await page.mouse.up();
  await page.waitForTimeout(300);
  return poses / seconds;
}
