// Walks through the page as a person does: one file a theme, each in a fresh browser profile.
//
// A theme exports `title` and `walk({ page, open, catena, check, shot, carrier })`. What the page says on its console, what its
// policy forbids and what it asks of any other machine is a failure, unless the theme exports what is `expected`.

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { launch, openPage } from "./browser.js";
import { startServer } from "./server.js";
import { takeShots } from "./shots.js";

const { values, positionals } = parseArgs({
  options: { address: { type: "string" }, file: { type: "string" }, shots: { type: "string" } },
  allowPositionals: true,
});

const NOT_THEMES = new Set(["run.js", "browser.js", "server.js", "shots.js"]);
const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".js") && !NOT_THEMES.has(name)).map((name) => name.slice(0, -3)).sort();
for (const wanted of positionals) if (!names.includes(wanted)) throw new Error(`there is no theme ${wanted}; there are ${names.join(", ")}`);

/** @param {string} path as the caller sees it, who stood in another folder */
const called = (path) => resolve(process.env.CALLED_FROM ?? ".", path);
const server = values.file ? { address: pathToFileURL(called(values.file)).href, stop() {} }
  : values.address ? { address: values.address, stop() {} } : await startServer();
const browser = await launch();
const carrier = values.file ? "file" : "server";
let failures = 0;
try {
  if (values.shots) await takeShots(browser, server.address, called(values.shots));
  else {
    for (const name of positionals.length > 0 ? positionals : names) {
      const theme = await import(`./${name}.js`);
      const began = performance.now();
      const walk = await openPage(browser, server.address, carrier);
      try {
        await theme.walk(walk);
        const complaints = walk.complaints.filter((text) => !theme.expected?.test(text));
        walk.check(complaints.length === 0, `the page complained: ${complaints.join("; ")}`);
        console.log(`ok    ${name}: ${theme.title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failures += 1;
        const picture = `/tmp/catena-tour-${name}.png`;
        await walk.page.screenshot({ path: picture }).catch(() => {});
        console.log(`FAIL  ${name}: ${theme.title}\n      ${error.stack}\n      the page is in ${picture}${walk.complaints.map((text) => `\n      page: ${text}`).join("")}`);
      }
      await walk.close();
    }
  }
} finally {
  await browser.close();
  server.stop();
}
process.exitCode = failures > 0 ? 1 : 0;
