import { getLogger } from "@logtape/logtape";
import { msPerDay, msPerHour, type Now } from "../../core/clock.ts";
import type { Refusal, RefusalCode } from "../../core/refusal.ts";
import type { Entry } from "../../facts/audit-entry.ts";
import type { Clients, Origin } from "../request.ts";
import { createBoundedLines, linesPerSecondMax } from "./bounded-lines.ts";
import { traceOf } from "./request-log.ts";

const log = getLogger(["latchkey", "security"]);

/** The refusals that an operator should see. All others are normal. */
const eventOf: Partial<Record<RefusalCode, RefusedEvent>> = {
  WRONG_CREDENTIALS: "sign_in_failed",
  WRONG_SECOND_FACTOR: "sign_in_failed",
  TOO_MANY_TRIES: "too_many_tries",
  FORBIDDEN: "forbidden",
  SCOPE_MISSING: "forbidden",
  API_KEY_NOT_ALLOWED: "forbidden",
  ADDRESS_NOT_ALLOWED: "forbidden",
  SUSPENDED: "forbidden",
  CROSS_SITE: "forbidden",
  STORAGE_UNAVAILABLE: "storage_refused",
};

type RefusedEvent = "sign_in_failed" | "too_many_tries" | "forbidden" | "storage_refused";

const storageLinesPerSecondMax = 1;

export type SecurityLog = ReturnType<typeof createSecurityLog>;

/**
 * What an operator, or a program such as fail2ban, should see: one JSON line each, with event, address, account and
 * request id. It never holds what was typed: people type passwords into the wrong field, so it names only accounts that
 * exist.
 */
export function createSecurityLog({ clients, failures }: { clients: Clients; failures: Failures }) {
  const lines = {
    sign_in_failed: linesOf("sign_in_failed", linesPerSecondMax),
    too_many_tries: linesOf("too_many_tries", linesPerSecondMax),
    forbidden: linesOf("forbidden", linesPerSecondMax),
    storage_refused: linesOf("storage_refused", storageLinesPerSecondMax),
  };

  return {
    refused(refusal: Refusal, request: Request, route: string) {
      const event = eventOf[refusal.code];
      if (!event) return;
      if (event === "storage_refused") failures.count();
      const { requestId, account } = traceOf(request);
      lines[event]({
        address: clients.addressOf(request),
        account,
        requestId,
        code: refusal.code,
        route,
        ...(refusal.cause instanceof Error && { reason: refusal.cause.message }),
      });
    },
    /** Counts a fault of the server, which the error log describes. */
    failed: failures.count,
    /** Logs a change that an operator may want to know of at once. */
    done({ action, target, details }: Entry, { address, username, requestId }: Origin & { username: string }) {
      const amount = "amount" in details ? { amount: details.amount } : {};
      log.info(action, { event: action, address, account: username, requestId, target, ...amount });
    },
  };
}

function linesOf(event: RefusedEvent, perSecondMax: number): (line: object) => void {
  const level = event === "storage_refused" ? "error" : "warn";
  return createBoundedLines(perSecondMax, (line, count) => log[level](event, { event, ...line, count }));
}

export type Failures = ReturnType<typeof createFailures>;

/** Counts the server's failures, its own faults and those of the storage, by the hour for a day. */
export function createFailures({ now }: { now: Now }) {
  let hours: { begunAt: number; failures: number }[] = [];

  return {
    count() {
      const latest = hours.at(-1);
      if (latest && now() < latest.begunAt + msPerHour) latest.failures += 1;
      else hours = [...ofDay(), { begunAt: now(), failures: 1 }];
    },
    ofLastDay: () => ofDay().reduce((sum, { failures }) => sum + failures, 0),
  };

  function ofDay() {
    return hours.filter(({ begunAt }) => begunAt > now() - msPerDay);
  }
}
