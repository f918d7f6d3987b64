import { TypeCompiler } from "@sinclair/typebox/compiler";
import { createMetrics } from "../../../src/core/metrics.ts";
import { openSqlite } from "../../../src/db/sqlite/sqlite.ts";
import { readBody } from "../../../src/http/body.ts";
import { anyOrigin, everyAnswer, json, notKept } from "../../../src/http/headers.ts";
import { createPeers } from "../../../src/http/peer.ts";
import { createRateLimits } from "../../../src/http/rate-limit.ts";
import { createGuesses } from "../../../src/keys/guesses.ts";
import { VerifyRequest } from "../../../src/keys/schema.ts";
import { createStandings } from "../../../src/keys/standings.ts";
import { createVerify } from "../../../src/keys/verify.ts";
import { createStatistics } from "../../../src/verify/statistics.ts";
import { answerTo, type Step, steps } from "../steps.ts";

/**
 * What lies between bare Bun.serve and Latchkey, up to one step and with all those before it, from the same parts that Latchkey is made of:
 * what a step costs is the difference to the one before it.
 */
const [, , upTo = "", file = ""] = process.argv;
const isTaken = (step: Step) => steps.indexOf(step) <= steps.indexOf(upTo as Step);

const [headersTaken, requestTaken, schemaTaken] = [isTaken("headers"), isTaken("request"), isTaken("schema")];
const [memoryTaken, verdictTaken, businessTaken] = [isTaken("memory"), isTaken("verdict"), isTaken("business")];

const init = {
  headers: new Headers(headersTaken ? { ...everyAnswer(null), ...anyOrigin, ...notKept, ...json } : json),
};
const schema = TypeCompiler.Compile(VerifyRequest);
const peers = createPeers({ host: "127.0.0.1", publicUrl: null, trustedProxies: [], socketAddressOf: () => undefined });

const database = openSqlite(file);
const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const standings = createStandings({ database, randomBytes });
const metrics = createMetrics({ ms: () => performance.now() });
const createRateLimit = createRateLimits({ monotonicMs: () => performance.now(), randomBytes, enabled: true, metrics });
const guesses = createGuesses({ createRateLimit });
/** Servers of several steps share the file, and each forgets what it remembers when another writes there. */
const unwritten = { ...database, transaction: () => Promise.reject(new Error("Nothing is written here.")) };
const statistics = createStatistics({ database: unwritten, metrics });
const verify = createVerify({ database, standings, guesses, statistics, now: Date.now });

const fixed = JSON.stringify(answerTo({ expiresAt: Date.UTC(2090, 0, 1), deviceLimit: 100, deviceCount: 2 }));

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/api/verify": {
      async POST(request) {
        if (requestTaken && !peers.isAskedForUs(request)) throw new Error("Another host was asked for.");
        const body = requestTaken ? await readBody(request) : await request.json();
        if (schemaTaken && !schema.Check(body)) throw new Error("The body is not of the right form.");
        const text = textOf(body as VerifyRequest);
        return new Response(typeof text === "string" ? text : await text, init);
      },
    },
  },
});
console.log(`ready at http://localhost:${server.port}`);
if (memoryTaken) await standings.rememberConnected();

function textOf(body: VerifyRequest): string | Promise<string> {
  if (!memoryTaken) return fixed;
  if (businessTaken) {
    const verdict = verify.verify(body, () => "127.0.0.1");
    return verdict instanceof Promise ? verdict.then(JSON.stringify) : JSON.stringify(verdict);
  }
  const standing = standings.remembered(body.key.trim(), body.deviceId);
  return verdictTaken && standing !== null && standing !== "no key" ? JSON.stringify(answerTo(standing)) : fixed;
}
