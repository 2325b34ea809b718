export const title = "sketch: mechanisms drawn by mouse and by keys, run from nothing; text and drawing are one model; undo and redo";

const TEXT = ".build-text textarea";
const SURFACE = ".sk-surface";

export async function walk(walk) {
  const { page, check, view, faults } = walk;
  const hand = handOf(page);
  await view("build");
  await hand.begin();
  await fourBar(walk, hand);
  await goingBack(walk, hand);
  await moving(walk, hand);
  await posing(walk, hand);
  await oneModel(walk, hand);
  await others(walk, hand);
  await byKeys(walk, hand);
  await copies(walk, hand);
  const found = await faults();
  check(found.length === 0, found.join("; "));
  await noMechanism(walk);
}

/** What a hand with a mouse does on the drawing board; places are in metres. */
function handOf(page) {
  const settle = async () => {
    await page.waitForTimeout(50);
    await page.waitForFunction((surface) => document.querySelector(surface).dataset.current === "true", SURFACE);
    await page.waitForTimeout(30);
  };
  const px = async ([x, y]) => {
    const box = await page.locator(SURFACE).boundingBox();
    const [mx, my, scale] = (await page.getAttribute(SURFACE, "data-camera")).split(" ").map(Number);
    return [box.x + box.width / 2 + (x - mx) * scale, box.y + box.height / 2 - (y - my) * scale];
  };
  const move = async (at) => page.mouse.move(...(await px(at)));
  const click = async (at) => {
    await move(at);
    await page.mouse.down();
    await page.mouse.up();
    await settle();
  };
  return {
    settle, click, move,
    text: () => page.inputValue(TEXT),
    type: (text) => page.fill(TEXT, text).then(settle),
    tool: (name) => page.click(`.sk-tool[data-tool="${name}"]`),
    /** A tool at places, one after the other. */
    async use(name, ...places) {
      await page.click(`.sk-tool[data-tool="${name}"]`);
      for (const at of places) await click(at);
    },
    async drag(from, to) {
      await move(from);
      await page.mouse.down();
      await move([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
      await move(to);
      await page.mouse.up();
      await settle();
    },
    /** An empty drawing. */
    async begin() {
      await page.getByRole("button", { name: "New mechanism", exact: true }).click();
      await page.waitForFunction((text) => document.querySelector(text).value.trim() === 'title = "My mechanism"', TEXT);
      await settle();
    },
    advice: () => page.textContent(".sk-advice"),
  };
}

async function fourBar({ page, check, view, carrier }, hand) {
  check((await hand.advice()).includes("Draw a link"), "an empty drawing says what to do first");
  await page.locator(".editor-summary:visible").getByText("Not finished yet.").waitFor();
  check(await page.locator(".wrong:visible").count() === 0, "an empty drawing is no mistake");
  const numbers = await page.locator(".sk-number").allTextContents();
  check(["0 m", "0.5 m", "1 m"].every((number) => numbers.filter((other) => other === number).length === 2), `both axes have numbers: ${numbers}`);
  await hand.tool("link");
  let asked = 0;
  const count = (request) => { asked += /^{"do":"model"/.test(request.postData() ?? "") ? 1 : 0; };
  page.on("request", count);
  await hand.drag([0, 0], [0, 0.4]);
  await page.getByText("Fix a point to the ground.").waitFor();
  page.off("request", count);
  if (carrier === "server") check(asked === 1, `one gesture, one question to the core: ${asked}`);
  await hand.use("link", [0, 0.4], [0.8, 0.8]);
  await hand.use("link", [0.8, 0.8], [1, 0]);
  await hand.use("pin", [0, 0], [1, 0]);
  const text = await hand.text();
  check(text.match(/\[\[body\]\]/g)?.length === 3 && text.match(/type = "revolute"/g)?.length === 4, `three links and four pins are written: ${text}`);
  await page.locator(".sk-advice").getByText("1 degree of freedom").waitFor();
  await page.getByRole("button", { name: "See it move" }).click();
  await page.waitForSelector(".view-motion", { state: "visible" });
  await page.locator(".view-motion svg.scene").waitFor();
  await page.locator(".view-motion").getByText(/good/i).first().waitFor();
  await view("build");
  await hand.settle();
}

/** Undo to the empty drawing and redo give the same texts. */
async function goingBack({ page, check }, hand) {
  const texts = [await hand.text()];
  while (texts.at(-1).trim() !== 'title = "My mechanism"') {
    await page.click('[data-tool="undo"]');
    await hand.settle();
    texts.push(await hand.text());
    check(texts.length < 20, "undo ends at the empty drawing");
  }
  check(texts.length === 6, `one step of undo for a gesture: ${texts.length - 1} steps`);
  const again = [texts.at(-1)];
  for (let step = 1; step < texts.length; step++) {
    await page.click('[data-tool="redo"]');
    await hand.settle();
    again.push(await hand.text());
  }
  check(JSON.stringify(again) === JSON.stringify(texts.reverse()), "redo gives the same texts");
}

async function moving({ check }, hand) {
  await hand.tool("select");
  const before = await hand.text();
  await hand.drag([0, 0.4], [0, 0.5]);
  const after = await hand.text();
  check(before !== after && after.includes("length = 0.5\n"), `a joint that is dragged changes lengths: ${after}`);
  check(after.match(/angle = /g)?.length === 3, "angles follow");
  await hand.drag([3, 3], [3, 3]);
}

/** In the other mode lengths stay, and the pose follows the hand. */
async function posing({ page, check }, hand) {
  await page.getByRole("button", { name: "Pose", exact: true }).click();
  const lengths = (text) => text.match(/length = .*/g)?.join();
  const before = await hand.text();
  await hand.drag([0, 0.5], [0.3, 0.4]);
  await page.waitForFunction(([text, before]) => document.querySelector(text).value !== before, [TEXT, before]);
  await hand.settle();
  const after = await hand.text();
  check(lengths(after) === lengths(before), "lengths stay");
  const angle = Number(after.match(/angle = "([\d.]+) deg"/)?.[1]);
  check(Math.abs(angle - Math.atan2(0.4, 0.3) * 180 / Math.PI) < 1, `the crank points to the hand: ${angle}°`);
  await page.click('[data-tool="undo"]');
  await hand.settle();
  check((await hand.text()) === before, "a pose is one step of undo");
  await page.getByRole("button", { name: "Lengths", exact: true }).click();
}

async function oneModel({ page, check }, hand) {
  const text = await hand.text();
  const drawing = () => page.$eval(".sk-parts", (parts) => parts.innerHTML);
  const before = await drawing();
  await hand.type(text.replace("length = 0.5\n", 'length = "L"      # mine\n').replace("[ground]", "[parameters]\nL = 0.5\n\n[ground]"));
  check(await drawing() === before, "the same lengths make the same drawing, as numbers or as parameters");
  await hand.drag([0, 0.5], [0, 0.4]);
  const moved = await hand.text();
  check(moved.includes("L = 0.4\n") && moved.includes('length = "L"      # mine'), `a parameter is changed where it stands, and remarks stay: ${moved}`);
  await hand.type(moved.replace("L = 0.4", "L = 4"));
  await page.locator(".sk-advice.sk-wrong").getByText("cannot be closed").waitFor();
  check(await page.locator(".view-build").getByText("cannot be closed").locator("visible=true").count() === 1, "what keeps it from running is told once");
  await hand.type(moved.replace("L = 0.4", "L = "));
  await page.locator(".sk-advice").getByText("cannot be read").waitFor();
  await hand.use("pin", [0.8, 0.8]);
  await page.locator(".sk-prompt").getByText("The text has a mistake").waitFor();
  check(!(await hand.text()).includes("ground.E"), "nothing is drawn into a text that cannot be read");
  await hand.type(moved);
}

/** A slider-crank with a motor, a six-bar, a spring and a mass, gears: each can run. */
async function others({ page, check }, hand) {
  const canRun = async (what, words) => {
    await page.locator(".sk-advice.sk-good").getByText(words).waitFor().catch(async () => check(false, `${what}: ${await hand.advice()} ${await hand.text()}`));
  };
  await hand.begin();
  await hand.use("link", [0, 0], [0.2, 0.2]);
  await hand.use("link", [0.2, 0.2], [1, 0]);
  await hand.use("slider", [1, 0], [1.3, 0]);
  await hand.use("pin", [0, 0]);
  await hand.use("motor", [0, 0]);
  await canRun("slider-crank", "as its motor says");

  await hand.begin();
  await hand.use("link", [0, 0], [0, 0.4]);
  await hand.use("link", [0, 0.4], [0.8, 0.8]);
  await hand.use("link", [0.8, 0.8], [1, 0]);
  await hand.use("pin", [0, 0], [1, 0]);
  await hand.use("link", [0.4, 0.6], [0.4, 0.9]);
  await hand.use("link", [0.4, 0.9], [1.2, 0.9]);
  await hand.use("pin", [1.2, 0.9]);
  await canRun("six-bar", "1 degree of freedom");
  check((await hand.text()).includes("points = { P = [0.447214, 0] }"), "three joints are on one line of a link");

  await hand.begin();
  await hand.use("mass", [0.4, 0]);
  await hand.use("spring", [0.4, 0.6], [0.4, 0]);
  await canRun("spring and mass", "3 degrees of freedom");

  await hand.begin();
  await hand.tool("gears");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await hand.click([0, 0]);
  await hand.click([0.6, 0]);
  await canRun("gears", "1 degree of freedom");
  check((await hand.text()).includes("ratio = -0.5"), "a number that was typed is the size of the second gear");
}

async function byKeys({ page, check }, hand) {
  await hand.begin();
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); await hand.settle(); };
  await press("l", "ArrowLeft", "Enter");
  await press("ArrowUp", "ArrowUp", "ArrowUp", "Enter");
  await press("p", "Enter");
  check((await hand.text()).includes('type = "revolute"'), `a link with a pivot is drawn by keys: ${await hand.text()}`);
  await press("l", "Enter");
  await page.keyboard.type("0.35, -30");
  await press("Enter");
  check((await hand.text()).includes('length = 0.35\nangle = "-30 deg"'), `a length and an angle are typed: ${await hand.text()}`);
  const drawn = await hand.text();
  await press("l", "Enter", "Control+z");
  check((await hand.text()) === drawn && await page.locator(".sk-picked").count() === 0, "undo takes back what is half drawn first");
  await press("v", "Escape", "Tab", "Tab");
  check((await page.textContent(".sk-properties h3")) === "Body link1", "Tab goes through what is drawn");
  await press("Delete");
  check(!(await hand.text()).includes("link1"), "Delete takes out what is selected");
}

/** A copy that `repeat` makes is changed in the text, and the way there is one press. */
async function copies({ page, check, view }, hand) {
  await view("gallery");
  await page.click('[data-system="scissor-lift"]');
  await view("build");
  await hand.settle();
  await page.focus(SURFACE);
  while (!/^Body .*2/.test(await page.textContent(".sk-properties h3"))) await page.keyboard.press("Tab").then(hand.settle);
  await page.locator(".sk-properties").getByText("one of several copies").waitFor();
  await page.getByRole("button", { name: "In the text" }).click();
  const line = await page.$eval(TEXT, (area) => area.value.slice(area.selectionStart, area.selectionEnd));
  check(/^\[\[body\]\][^]*repeat = /.test(line), `the copies' item is selected: ${line}`);
}

async function noMechanism({ page, check, view }) {
  await view("gallery");
  await page.click('[data-system="double-pendulum"]');
  await view("build");
  await page.locator(".sk-other svg.scene").waitFor();
  await page.getByRole("button", { name: "Start a new mechanism" }).click();
  await page.waitForSelector(`${SURFACE}:visible`);
  check((await page.inputValue(TEXT)).trim() === 'title = "My mechanism"', "a new drawing is empty");
}
