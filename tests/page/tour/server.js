// `catena serve` of this tree, on a port of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = process.env.CATENA ?? fileURLToPath(new URL("../../../target/debug/catena", import.meta.url));
const START_WITHIN = 20_000;

/**
 * @returns {Promise<{ address: string, stop(): void }>}
 */
export async function startServer() {
  const server = spawn(PROGRAM, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
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
  return { address: await address, stop: () => server.kill() };
}
