import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const title = "the joined script: every name in it is declared or the browser's, and its policy holds";

const TSC = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));
/** Cannot find name. */
const UNKNOWN_NAME = /error TS(2304|2552|18004): (.*)/g;

export async function walk({ page, check }) {
  const script = await page.evaluate(() => document.querySelector("script:not([src]):not([type])")?.textContent ?? "");
  if (!script) return;
  const folder = mkdtempSync(join(tmpdir(), "catena-joined-"));
  const file = join(folder, "page.js");
  // one scope of its own: `M1` and the like are not those of another file
  writeFileSync(file, `${script}\nexport {};\n`);
  let said = "";
  try {
    execFileSync(TSC, ["--ignoreConfig", "--noEmit", "--allowJs", "--checkJs", "--strict", "false", "--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--types", "", file]);
  } catch (error) {
    said = String(error.stdout);
  }
  rmSync(folder, { recursive: true });
  const unknown = [...said.matchAll(UNKNOWN_NAME)].map((match) => match[2]);
  check(unknown.length === 0, unknown.join("; "));
  check(!/error TS1[01]\d\d:/.test(said), `the script cannot be read: ${said.slice(0, 500)}`);

  const stopped = await page.evaluate(async () => {
    /** @type {string[]} */
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    const injected = document.createElement("script");
    injected.textContent = "window.injected = true;";
    document.body.append(injected);
    const loud = document.createElement("div");
    loud.setAttribute("style", "color: red");
    document.body.append(loud);
    const image = new Image();
    image.src = "https://example.invalid/x.png";
    await fetch("https://example.invalid/").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const element of [injected, loud]) element.remove();
    return { violations, ran: "injected" in window };
  });
  check(!stopped.ran, "a script that was put into the page does not run");
  for (const directive of ["script-src-elem", "style-src-attr", "img-src", "connect-src"]) check(stopped.violations.includes(directive), `${directive} in ${stopped.violations}`);
}

/** What the policy forbids is told on the console; here it is what is wanted. */
export const expected = /Content Security Policy|example\.invalid/;
