import { msPerMinute, msPerSecond, type Now } from "../core/clock.ts";
import type { Sql } from "../db/contract.ts";
import type { CreateRateLimit } from "./rate-limit.ts";

/** The table counts half tries, because half a try may be given back, and its column holds whole numbers. */
const halvesPerTry = 2;

/** How often windows that are over are erased. */
const eraseEveryMs = 10 * msPerMinute;

/**
 * Limits that all processes of a database count together, in a table. The table does not outlive a crash of PostgreSQL,
 * and no try waits for a disk. `local` counts the tries of this process: what it knows to be over the limit is refused
 * by it, so a flood does not reach the table.
 */
export function shareLimits(sql: Sql, local: CreateRateLimit, now: Now): CreateRateLimit {
  const erase = () => sql`DELETE FROM rate_limits WHERE closes_at <= ${now()}`.catch(() => {});
  setInterval(erase, eraseEveryMs).unref();
  return (rule) => {
    const { name, triesMax, windowMs } = rule;
    const known = local(rule);
    const halvesMax = triesMax * halvesPerTry;

    return {
      async take(person) {
        const knownSeconds = await known.waitSeconds(person);
        if (knownSeconds !== null) return knownSeconds;
        const at = now();
        const counted = await sql`
          INSERT INTO rate_limits AS r (name, person, closes_at, tries) VALUES (${name}, ${person}, ${at + windowMs}, ${halvesPerTry})
          ON CONFLICT (name, person) DO UPDATE SET
            tries = CASE WHEN r.closes_at <= ${at} THEN ${halvesPerTry} ELSE r.tries + ${halvesPerTry} END,
            closes_at = CASE WHEN r.closes_at <= ${at} THEN excluded.closes_at ELSE r.closes_at END
          WHERE r.closes_at <= ${at} OR r.tries < ${halvesMax} RETURNING 1 AS counted`;
        return counted.length === 1 ? known.take(person) : waitOf(person);
      },

      async giveBack(person, tries = 1) {
        await known.giveBack(person, tries);
        const halves = tries * halvesPerTry;
        await sql`
          UPDATE rate_limits SET tries = tries - ${halves}
          WHERE name = ${name} AND person = ${person} AND tries >= ${halves}`;
      },

      async waitSeconds(person) {
        return (await known.waitSeconds(person)) ?? (await waitOf(person));
      },
    };

    async function waitOf(person: string): Promise<number | null> {
      const at = now();
      const [window] = await sql<{ closesAt: number }>`
        SELECT closes_at AS "closesAt" FROM rate_limits
        WHERE name = ${name} AND person = ${person} AND closes_at > ${at} AND tries >= ${halvesMax}`;
      return window ? Math.ceil((window.closesAt - at) / msPerSecond) : null;
    }
  };
}

/** A window that was opened while the clock was ahead would last until then. */
export async function eraseWindowsAfter(sql: Sql, at: number): Promise<void> {
  await sql`DELETE FROM rate_limits WHERE closes_at > ${at}`;
}
