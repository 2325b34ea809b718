export const title = "the folder of the server: models are saved there, opened again, and never lost to somebody else";

export async function walk({ page, check, view, carrier }) {
  const files = new URL("api/1/files", page.url()).href;
  if (carrier !== "server" || (await (await page.request.get(files)).json()).folder === null) return;
  await page.click('[data-system="scissor-lift"]');
  await page.waitForSelector(".view-motion", { state: "visible" });

  await page.keyboard.press("Control+s");
  const said = page.locator("dialog .save-part [role=status]");
  const save = page.locator("dialog").getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("Name of the file").fill("../lift.toml");
  await save.click();
  await said.getByText("the name begins with a dot").waitFor();
  await page.getByLabel("Name of the file").fill("lift one.toml");
  await save.click();
  await said.getByText("Saved lift one.toml.").waitFor();
  await save.click();
  await page.waitForTimeout(200);
  check(await said.textContent() === "Saved lift one.toml.", "what one has saved oneself can be saved again");

  // somebody else writes meanwhile
  const theirs = await page.request.put(`${files}/lift%20one.toml`, { data: 'title = "Theirs"\n', headers: { "Content-Type": "application/toml", "If-Match": "*" } });
  check(theirs.ok(), `the file can be written: ${theirs.status()}`);
  await save.click();
  await said.getByText("is there already").waitFor();
  check((await (await page.request.get(`${files}/lift%20one.toml`)).text()).includes("Theirs"), "what they wrote is still there");
  await page.getByRole("button", { name: "Write over it" }).click();
  await said.getByText("Saved lift one.toml.").waitFor();
  await page.keyboard.press("Escape");

  await view("gallery");
  await page.click('[data-system="lorenz"]');
  await page.click('[data-tool="open"]');
  await page.getByRole("button", { name: "lift one.toml" }).click();
  await page.waitForFunction(() => document.querySelector("#title")?.textContent === "Scissor lift");
}

/** The browser tells of every refusal. */
export const expected = /status of 4(00|12)/;
