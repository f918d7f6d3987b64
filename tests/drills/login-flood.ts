import assert from "node:assert/strict";
import { createClient } from "../client.ts";
import { type Attack, beginAttack } from "./harness/attack.ts";
import type { Drill } from "./harness/drill.ts";
import { playersP99, superviseFilledApart } from "./harness/filled-server.ts";
import { crowd, type FloodResult, quantile } from "./harness/flood.ts";

const keys = 50_000;
const peopleCount = 200;
const restMs = 250;
const p99TimesMax = 3;
/** Below this, a multiple of the quiet p99 is meaningless: it is within one time slice of the scheduler. */
const p99MsMin = 2;

/** Enough for a queue of 40 logins, each of which hashes for a few hundredths of a second. */
const acceptedMsMax = { short: 30_000, long: 10_000 };

export const drill: Drill<{ seconds: number }> = {
  number: "R13",
  promise:
    "during 200 simultaneous wrong logins a verification's p99 at most triples, and logins that may not wait are refused at once",
  sizes: { short: { seconds: 3 }, long: { seconds: 30 } },
  async run({ seconds }, form) {
    const server = await superviseFilledApart(keys);
    const quiet = await playersP99(server, { keys, seconds });
    const memoryBefore = server.memoryMib();
    const people = beginAttack<Logins>("login-flood", { url: server.url });
    await people.begun;
    const attacked = await playersP99(server, { keys, seconds });
    const memoryMib = server.memoryMib();
    const { statuses, acceptedMs, refusedMs } = await people.end();
    await server.close();

    const wrong = statuses.filter((status) => status === null || ![401, 429, 503].includes(status));
    assert.deepEqual(wrong, [], `Logins got ${wrong}.`);
    assert.ok(refusedMs.length > 0, `None of ${peopleCount} simultaneous logins was refused.`);
    const [slowest, refusal] = [quantile(acceptedMs, 1), quantile(refusedMs, 0.5)];
    assert.ok(slowest < acceptedMsMax[form === "long" ? "long" : "short"], `A login took ${slowest.toFixed(0)} ms.`);
    assert.ok(refusal < quantile(acceptedMs, 0.5), `A refusal took ${refusal.toFixed(0)} ms, as long as a login.`);
    const times = attacked / Math.max(quiet, p99MsMin);
    if (form === "long")
      assert.ok(times <= p99TimesMax, `p99 went from ${quiet.toFixed(1)} to ${attacked.toFixed(1)} ms.`);
    return `p99 of a verification ${quiet.toFixed(1)} ms, during the logins ${attacked.toFixed(1)} ms; ${acceptedMs.length} logins were checked (the slowest took ${(slowest / 1_000).toFixed(1)} s), ${refusedMs.length} refused after ${refusal.toFixed(0)} ms (median); memory ${memoryBefore.toFixed(0)} → ${memoryMib.toFixed(0)} MiB`;
  },
};

interface Logins extends Pick<FloodResult, "acceptedMs" | "refusedMs"> {
  statuses: (number | null)[];
}

export const attack: Attack<{ url: string }, Logins> = async ({ url }, { begun, over }) => {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  const logins = crowd(
    () => createClient(url).post("/api/auth/admin/login", { username: "admin", password: "wrong-password" }),
    { people: peopleCount, restMs, over: () => isOver },
  );
  begun();
  const { statuses, acceptedMs, refusedMs } = await logins;
  return { statuses: [...statuses.keys()], acceptedMs, refusedMs };
};
