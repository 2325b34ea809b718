// `catena serve` of this tree, on a port of its own, with a folder that is empty.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = process.env.CATENA ?? fileURLToPath(new URL("../../../target/debug/catena", import.meta.url));
const START_WITHIN = 20_000;

/**
 * @returns {Promise<{ address: string, stop(): void }>}
 */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "catena-models-"));
  const server = spawn(PROGRAM, ["serve", folder, "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  const address = new Promise((resolve, reject) => {
    const listen = (piece) => {
      said.push(String(piece));
      const found = /http:\/\/\S+/.exec(said.join(""));
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    once(server, "exit").then(() => reject(new Error(`${PROGRAM} serve ended: ${said.join("")}`)), reject);
    setTimeout(() => reject(new Error(`${PROGRAM} serve said no address: ${said.join("")}`)), START_WITHIN).unref();
  });
  const stop = () => {
    server.kill();
    rmSync(folder, { recursive: true });
  };
  return { address: await address, stop };
}
