import { msPerMinute, type Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { AuditedChanges } from "./audited-changes.ts";
import type { Role } from "./schema.ts";

/** So many rows a minute at most, so that a flood fills neither the memory nor the disk; all that is beyond them is one row more. */
export const rowsPerMinuteMax = 200;

/** rules.md: Recording. Sign-ins that failed are gathered, and written with a count when the minute ends: nobody waits for it. */
export interface FailedSignIns {
  /** Counts a sign-in that was refused for what was given; any other failure is none. */
  count(failure: unknown, attempt: { role: Role; address: string }): void;
  /** Writes what is gathered. A server that stops does not wait for the minute's end. */
  write(): Promise<void>;
}

interface Gathered {
  target: string;
  address: string;
  details: { count: number; wrongCodes: number; suspended: number };
}

const others = { target: "several accounts", address: "several addresses" };

export function createFailedSignIns({ changes, now }: { changes: AuditedChanges; now: Now }): FailedSignIns {
  let gathered = new Map<string, Gathered>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    count(failure, { role, address }) {
      if (!(failure instanceof Refusal) || !isWrong(failure)) return;
      add({
        // A name that nobody has is not kept: people type passwords into the wrong field.
        ...{ target: `${role} ${failure.account ?? "that does not exist"}`, address },
        details: {
          count: 1,
          wrongCodes: failure.code === "WRONG_SECOND_FACTOR" ? 1 : 0,
          suspended: failure.code === "SUSPENDED" ? 1 : 0,
        },
      });
    },
    write,
  };

  function add({ target, address, details }: Gathered): void {
    const sum = sumFor(target, address);
    sum.count += details.count;
    sum.wrongCodes += details.wrongCodes;
    sum.suspended += details.suspended;
    timer ??= setTimeout(write, msPerMinute - (now() % msPerMinute)).unref();
  }

  function sumFor(target: string, address: string): Gathered["details"] {
    const name = `${target} ${address}`;
    const known = gathered.get(name);
    if (known) return known.details;
    if (gathered.size >= rowsPerMinuteMax && target !== others.target) return sumFor(others.target, others.address);
    const details = { count: 0, wrongCodes: 0, suspended: 0 };
    gathered.set(name, { target, address, details });
    return details;
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...gathered.values()];
    gathered = new Map();
    // What a full disk refuses comes again with the next minute's.
    await Promise.all(rows.map((row) => writeRow(row).catch(() => add(row))));
  }

  function writeRow({ target, address, details }: Gathered): Promise<void> {
    return changes.carryOut({ address }, async () => ({
      result: undefined,
      record: { action: "sign_in_failed", target, details },
    }));
  }
}

function isWrong({ code }: Refusal): boolean {
  return code === "WRONG_CREDENTIALS" || code === "WRONG_SECOND_FACTOR" || code === "SUSPENDED";
}
