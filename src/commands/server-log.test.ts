import { afterAll, expect, test } from "bun:test";
import { getLogger, resetSync } from "@logtape/logtape";
import { startServerLog } from "./server-log.ts";
import type { System } from "./terminal/command.ts";

afterAll(() => resetSync());

const lines: string[] = [];
const terminal = { isTerminal: () => true, print: (line: string) => void lines.push(line) } as unknown as System;

test("a text line shows each property once, also one whose value is part of another", () => {
  startServerLog({ logLevel: "info" }, terminal);
  const properties = { method: "POST", route: "/api/auth/admin/login", account: "admin", address: null };
  getLogger(["latchkey", "http"]).info("POST /api/auth/admin/login", properties);
  getLogger(["latchkey", "http"]).info("Made {name}, at once.", { name: "a backup" });
  getLogger(["latchkey", "security"]).warn("sign_in_failed", { event: "sign_in_failed", account: "admin" });
  expect(lines.map((line) => line.slice(9))).toEqual([
    "POST /api/auth/admin/login account=admin",
    "Made a backup, at once.",
    "WARNING sign_in_failed account=admin",
  ]);
});
