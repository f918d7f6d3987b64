import { msPerMinute, type Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { AuditedChanges } from "./audited-changes.ts";
import type { Role } from "./schema.ts";

/** A flood must fill neither the memory nor the disk: everything beyond this becomes one further row. */
export const rowsPerMinuteMax = 200;

interface Gathered {
  target: string;
  address: string;
  details: { count: number; wrongCodes: number; suspended: number };
}

const others = { target: "several accounts", address: "several addresses" };

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/**
 * rules.md: Audit entries. Failed sign-ins are counted in memory and written when the minute ends, so no request waits
 * for it.
 */
export function createFailedSignIns({ changes, now }: { changes: AuditedChanges; now: Now }) {
  let gathered = new Map<string, Gathered>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /** Counts a sign-in that was refused for its name, password or code. Other failures are not counted. */
    count(failure: unknown, { role, address }: { role: Role; address: string }) {
      if (!(failure instanceof Refusal) || !isWrong(failure)) return;
      add({
        // An unknown name is not kept: people type passwords into the wrong field.
        ...{ target: `${role} ${failure.account ?? "that does not exist"}`, address },
        details: {
          count: 1,
          wrongCodes: failure.code === "WRONG_SECOND_FACTOR" ? 1 : 0,
          suspended: isHeldOff(failure) ? 1 : 0,
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

  /** Writes what is counted. A stopping server calls this before the minute ends. */
  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...gathered.values()];
    gathered = new Map();
    // Rows that a full disk refuses are written with those of the next minute.
    await Promise.all(rows.map((row) => writeRow(row).catch(() => add(row))));
  }

  function writeRow({ target, address, details }: Gathered): Promise<void> {
    return changes.carryOut({ address }, async () => ({
      result: undefined,
      record: { action: "sign_in_failed", target, details },
    }));
  }
}

function isWrong(failure: Refusal): boolean {
  return failure.code === "WRONG_CREDENTIALS" || failure.code === "WRONG_SECOND_FACTOR" || isHeldOff(failure);
}

function isHeldOff({ code }: Refusal): boolean {
  return code === "SUSPENDED" || code === "SWITCHED_OFF";
}
