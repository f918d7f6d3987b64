import { expect, test } from "bun:test";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { parallel } from "../parallel.ts";
import { adminLogin, program, temporaryFolder } from "../process.ts";

test("a server whose log is not read keeps responding and stops on SIGTERM", async () => {
  const folder = temporaryFolder();
  const log = join(folder, "log");
  Bun.spawnSync(["mkfifo", log]);
  // The pipe holds a few hundred lines and is never read.
  const reading = openSync(log, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(log, constants.O_WRONLY);
  const port = await freePort();
  const server = Bun.spawn([...program, "serve"], {
    cwd: folder,
    env: {
      ...{ PORT: String(port), HOST: "127.0.0.1", DATA_DIR: folder, LOG_LEVEL: "debug", RATE_LIMITS: "off" },
      ...{ ADMIN_USERNAME: adminLogin.username, ADMIN_PASSWORD: adminLogin.password },
    },
    stdout: writing,
    stderr: "inherit",
  });
  closeSync(writing);
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 20));
  const statuses = await parallel(2_000, async () => (await fetch(`${url}/api/updates`)).status);
  server.kill("SIGTERM");
  const code = await server.exited;
  closeSync(reading);
  rmSync(folder, { recursive: true });
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(code).toBe(0);
});
