import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Answer, createClient, registerReseller, signInAdmin } from "./client.ts";
import { startLatchkey, temporaryFolder } from "./process.ts";

/**
 * Prints which files of `src` run code for one request, from its arrival to its response, in the order of their first
 * execution. What runs once at the start, types, libraries, threads and `src/core` do not count. `--limits 8,11,13`
 * ends with code 1 where a count is above its limit.
 */
const { limits } = parseArgs({ options: { limits: { type: "string" } } }).values;
const limitOf = limits?.split(",").map(Number) ?? [];
if (limits !== undefined && !/^\d+,\d+,\d+$/.test(limits)) {
  console.error("--limits takes three counts: of a connected device, a new one, and a purchase.");
  process.exit(2);
}

/** A file counts if it ran in each of these: what a timer ran beside one of them drops out. */
const runs = 8;

interface Asked {
  name: string;
  files: string[];
  /** What the response of each run said, without what differs from server to server. */
  responses: string[];
}

const folder = temporaryFolder();
const marks = join(folder, "marks.json");
const main = join(import.meta.dir, "../src/main.ts");
const preload = join(import.meta.dir, "request-marks.ts");
const asUsual = await askAll([process.execPath, main]);
const marked = await askAll([process.execPath, "--preload", preload, main]);
rmSync(folder, { recursive: true, force: true });

for (const [index, { name, responses }] of asUsual.entries()) {
  if (Bun.deepEquals(responses, marked[index]?.responses)) continue;
  throw new Error(`${name}: ${responses[0]}\nbecame with marks: ${marked[index]?.responses[0]}`);
}
const [connectedDevice, newDevice, purchase, repeatable] = marked as [Asked, Asked, Asked, Asked];
for (const [index, { name, files }] of [connectedDevice, newDevice, purchase].entries()) {
  if (files.length === 0) throw new Error(`${name}: no file left a mark.`);
  const limit = limitOf[index] ?? Number.POSITIVE_INFINITY;
  console.log(`${name}: ${files.length} files${files.length > limit ? `, and ${limit} are allowed` : ""}`);
  for (const file of files) console.log(`  ${file}`);
  if (files.length > limit) process.exitCode = 1;
}
const more = repeatable.files.filter((file) => !purchase.files.includes(file));
console.log(`${repeatable.name}, besides: ${more.join(", ") || "none"}`);

/** Asks a server of its own everything, one request at a time. */
async function askAll(command: string[]): Promise<Asked[]> {
  const latchkey = await startLatchkey({ command, environment: { REQUEST_MARKS: marks, RATE_LIMITS: "on" } });
  try {
    const newClient = () => createClient(latchkey.url);
    const admin = await signInAdmin(newClient);
    const reseller = await registerReseller(newClient, admin, { username: "owl", credits: 1_000 });
    const order = { game: "FREE FIRE", deviceLimit: 100, days: 30, count: 1 };
    const buy = (headers?: Record<string, string>) => reseller.post("/api/reseller/keys/generate", order, headers);
    const [{ keyString: key }] = (await buy()).body.keys;
    const phone = newClient();
    const verify = (deviceId: string) => phone.post("/api/verify", { key, deviceId, game: order.game });

    const asked: Asked[] = [];
    const ask = async (name: string, request: (run: number) => Promise<Answer>) =>
      void asked.push({ name, ...(await askOften(request)) });
    await ask("A connected device", () => verify("phone"));
    await ask("A new device of a verified key", (run) => verify(`phone-${run}`));
    await ask("A purchase", () => buy());
    await ask("A purchase with an Idempotency-Key", (run) => buy({ "idempotency-key": `order-${run}` }));
    return asked;
  } finally {
    await latchkey.stop();
  }
}

async function askOften(request: (run: number) => Promise<Answer>): Promise<Omit<Asked, "name">> {
  const responses = [said(await request(0))];
  const ran: string[][] = [];
  for (let run = 1; run <= runs; run++) {
    // What the request before left to be written is written meanwhile, and timers fall differently in each.
    await Bun.sleep(37 * run);
    rmSync(marks, { force: true });
    responses.push(said(await request(run)));
    ran.push(existsSync(marks) ? JSON.parse(readFileSync(marks, "utf8")) : []);
  }
  // The order of the last: an earlier one may have filled a cache.
  const files = ran.at(-1)?.filter((file) => ran.every((others) => others.includes(file))) ?? [];
  return { files, responses };
}

function said({ status, headers, text }: Answer): string {
  if (status > 201) throw new Error(`A request was refused: ${text}`);
  const body = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/"(keyString|key)":"[^"]*"/g, '"$1":"<key>"');
  return `${status} ${[...headers.keys()].sort().join(" ")} ${body}`;
}
