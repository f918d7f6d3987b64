import { getLogger } from "@logtape/logtape";
import type { Entry } from "../../core/audit-entry.ts";
import { msPerDay, msPerHour, type Now } from "../../core/clock.ts";
import type { Refusal, RefusalCode } from "../../core/refusal.ts";
import type { Clients, Origin } from "../request.ts";
import { createBoundedLines } from "./bounded-lines.ts";
import { traceOf } from "./request-log.ts";

const log = getLogger(["latchkey", "security"]);

/** What a refusal is to whoever watches over a server. Every other one is daily business. */
const eventOf: Partial<Record<RefusalCode, RefusedEvent>> = {
  WRONG_CREDENTIALS: "sign_in_failed",
  WRONG_SECOND_FACTOR: "sign_in_failed",
  TOO_MANY_TRIES: "too_many_tries",
  FORBIDDEN: "forbidden",
  SUSPENDED: "forbidden",
  CROSS_SITE: "forbidden",
  STORAGE_UNAVAILABLE: "storage_refused",
};

type RefusedEvent = "sign_in_failed" | "too_many_tries" | "forbidden" | "storage_refused";

/** Lines a second of one event. What comes beyond is counted and told in one line: a flood of tries must not fill the disk. */
const linesPerSecondMax = 100;
const storageLinesPerSecondMax = 1;

/** Who did something, and from where; a `Caller` is one. */
interface Actor extends Origin {
  username: string;
}

/**
 * What an operator, or a program such as fail2ban, should see: one JSON line each, with event, address, account and request id. Never what
 * was typed: people type passwords into the wrong field, so an account is named only where there is one.
 */
export interface SecurityLog {
  refused(refusal: Refusal, request: Request, route: string): void;
  /** A fault of ours, which the log of errors tells. */
  failed(): void;
  /** A change that an operator may want to hear of at once. */
  done(entry: Entry, by: Actor): void;
}

export function createSecurityLog({ clients, failures }: { clients: Clients; failures: Failures }): SecurityLog {
  const lines = {
    sign_in_failed: linesOf("sign_in_failed", linesPerSecondMax),
    too_many_tries: linesOf("too_many_tries", linesPerSecondMax),
    forbidden: linesOf("forbidden", linesPerSecondMax),
    storage_refused: linesOf("storage_refused", storageLinesPerSecondMax),
  };

  return {
    refused(refusal, request, route) {
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
    failed: failures.count,
    done({ action, target, details }, { address, username, requestId }) {
      const amount = "amount" in details ? { amount: details.amount } : {};
      log.info(action, { event: action, address, account: username, requestId, target, ...amount });
    },
  };
}

function linesOf(event: RefusedEvent, perSecondMax: number): (line: object) => void {
  const level = event === "storage_refused" ? "error" : "warn";
  return createBoundedLines({ perSecondMax, write: (line, count) => log[level](event, { event, ...line, count }) });
}

/** How often the server failed: a fault of ours, or a storage that refused. Counted by the hour since the start, for a day. */
export interface Failures {
  count(): void;
  ofLastDay(): number;
}

export function createFailures({ now }: { now: Now }): Failures {
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
