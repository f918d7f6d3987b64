import { rmSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { createAdmins } from "../src/accounts/admins.ts";
import { createPasswords } from "../src/accounts/passwords.ts";
import { createApp } from "../src/app.ts";
import type { Database } from "../src/database/database.ts";
import { migrate, releasedMigrations } from "../src/database/migrations.ts";
import { openSqlite } from "../src/database/sqlite.ts";
import { type Client, createClient } from "./client.ts";
import { adminLogin, temporaryFolder } from "./process.ts";

/** The real application on a real database in this process, so that a test may set its clock. */
export interface Panel {
  database: Database;
  app: Awaited<ReturnType<typeof createApp>>;
  newClient: () => Client;
  /** Milliseconds; moving it moves every clock of the application, the monotonic one included. */
  clock: { now: number };
  close: () => Promise<void>;
}

/** Starts at 5 March 2025, 14:30 UTC, with one admin, `adminLogin`. */
export async function openPanel({ rateLimits = false, publicUrl = null as URL | null } = {}): Promise<Panel> {
  const folder = temporaryFolder();
  const file = join(folder, "latchkey.db");
  const clock = { now: Date.parse("2025-03-05T14:30:00.000Z") };
  const now = () => clock.now;
  migrate(file, releasedMigrations(), now);
  const database = openSqlite(file);
  await createAdmins({ database, passwords: createPasswords(), now }).create(adminLogin.username, adminLogin.password);
  const app = await createApp({
    config: { publicUrl, trustedProxies: new BlockList(), rateLimits, messagingLink: null, logLevel: "error" },
    database,
    secret: "a secret that is long enough for tests",
    now,
    monotonicMs: now,
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
  });
  return {
    database,
    app,
    clock,
    newClient: () => createClient("http://localhost", (request) => app.handle(request)),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
