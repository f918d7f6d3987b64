import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

test("an internal error is a 500 without details, and the log has its place in the source", async () => {
  const folder = temporaryFolder();
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("ALTER TABLE two_factor RENAME TO elsewhere");
  connection.close();
  const response = await admin.get("/api/auth/two-factor");
  await latchkey.stop();
  rmSync(folder, { recursive: true });

  const requestId = response.headers.get("x-request-id");
  expect([response.status, response.body]).toEqual([
    500,
    {
      code: "FAULT",
      message: `Something went wrong on the server. See request ${requestId} in its log.`,
    },
  ]);
  const lines = latchkey.output().split("\n");
  const { error } = JSON.parse(
    lines.find((line) => line.includes("A request failed") && line.includes(`${requestId}`)) ?? "{}",
  );
  expect(error).toContain("no such table: two_factor");
  expect(error).toMatch(/src\/db\/[a-z/-]+\.ts:\d+:\d+/);
});
