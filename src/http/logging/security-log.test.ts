import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { type LogRecord, resetSync } from "@logtape/logtape";
import { keepLog } from "../../../tests/log-records.ts";
import { readConfig } from "../../config/config.ts";
import { Refusal, type RefusalCode } from "../../core/refusal.ts";
import { createClients } from "../request.ts";
import { createFailures, createSecurityLog } from "./security-log.ts";

let records: LogRecord[];

beforeEach(() => {
  jest.useFakeTimers();
  records = keepLog();
});
afterEach(() => {
  jest.useRealTimers();
  resetSync();
});

function refuse(code: RefusalCode, count: number): void {
  const request = new Request("http://localhost/api/verify");
  const cause = new Error("database or disk is full");
  const refusal = new Refusal(code, "It cannot be.", code === "STORAGE_UNAVAILABLE" ? { cause } : {});
  for (let refused = 0; refused < count; refused += 1) log.refused(refusal, request, "POST /api/verify");
}

const log = createSecurityLog({
  clients: createClients({
    ...readConfig({}),
    app: { server: { requestIP: () => ({ address: "203.0.113.7" }) } },
  }),
  failures: createFailures({ now: () => 0 }),
});
const counts = () => records.map(({ properties }) => properties.count);

test("storage failures are logged at most once a second, with count and reason", () => {
  refuse("STORAGE_UNAVAILABLE", 500);
  expect(counts()).toEqual([1]);
  jest.advanceTimersByTime(1_000);
  refuse("STORAGE_UNAVAILABLE", 20);
  expect(counts()).toEqual([1, 499]);
  jest.advanceTimersByTime(5_000);
  expect(counts()).toEqual([1, 499, 20]);
  expect(records[0]).toMatchObject({
    level: "error",
    properties: { event: "storage_refused", address: "203.0.113.7", reason: "database or disk is full" },
  });
  refuse("STORAGE_UNAVAILABLE", 1);
  expect(counts()).toEqual([1, 499, 20, 1]);
});

test("a flood of tries is logged in at most eight lines a second, and the rest is counted", () => {
  refuse("TOO_MANY_TRIES", 5_000);
  refuse("WRONG_CREDENTIALS", 1);
  jest.advanceTimersByTime(1_000);
  expect(counts()).toEqual([...Array<number>(8).fill(1), 1, 4_992]);
});

test("an ordinary refusal is not logged", () => {
  for (const code of ["NOT_FOUND", "INVALID", "NOT_SIGNED_IN", "CREDITS_SHORT", "BUSY"] as const) refuse(code, 1);
  expect(records).toEqual([]);
});
