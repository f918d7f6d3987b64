import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ApiResponse, createApiKey, createClient, registerReseller, signInAdmin } from "./client.ts";
import { startLatchkey, temporaryFolder } from "./process.ts";

/**
 * Prints the files of `src` whose code runs for one request, from its arrival to its response, in the order of first
 * execution. Startup code, types, libraries, threads and `src/core` do not count. `--limits 9,16,27,28,35` exits with 1 if
 * a count exceeds its limit.
 */
const { limits } = parseArgs({ options: { limits: { type: "string" } } }).values;
const limitOf = limits?.split(",").map(Number) ?? [];
if (limits !== undefined && !/^\d+(,\d+){4}$/.test(limits)) {
  console.error("--limits takes five counts: a connected and a new device, a purchase, one by API key, an extension.");
  process.exit(2);
}

/** A file counts if it ran in each of these runs, which excludes code that a timer happened to run. */
const runs = 8;

interface Measured {
  name: string;
  files: string[];
  /** The response of each run, without values that differ between servers. */
  responses: string[];
}

const folder = temporaryFolder();
const marks = join(folder, "marks.json");
const main = join(import.meta.dir, "../src/main.ts");
const preload = join(import.meta.dir, "request-marks.ts");
const unmarked = await measureAll([process.execPath, main]);
const marked = await measureAll([process.execPath, "--preload", preload, main]);
rmSync(folder, { recursive: true, force: true });

for (const [index, { name, responses }] of unmarked.entries()) {
  if (Bun.deepEquals(responses, marked[index]?.responses)) continue;
  throw new Error(`${name}: ${responses[0]}\nbecame with marks: ${marked[index]?.responses[0]}`);
}
const repeatable = marked.pop() as Measured;
const purchase = marked[2] as Measured;
for (const [index, { name, files }] of marked.entries()) {
  if (files.length === 0) throw new Error(`${name}: no file left a mark.`);
  const limit = limitOf[index] ?? Number.POSITIVE_INFINITY;
  console.log(`${name}: ${files.length} files${files.length > limit ? ` (limit ${limit})` : ""}`);
  for (const file of files) console.log(`  ${file}`);
  if (files.length > limit) process.exitCode = 1;
}
const more = repeatable.files.filter((file) => !purchase.files.includes(file));
console.log(`${repeatable.name}, additionally: ${more.join(", ") || "none"}`);

/** Sends all requests to a new server, one at a time. */
async function measureAll(command: string[]): Promise<Measured[]> {
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

    const measured: Measured[] = [];
    const measure = async (name: string, request: (run: number) => Promise<ApiResponse>) =>
      void measured.push({ name, ...(await measureRuns(request)) });
    await measure("A connected device", () => verify("phone"));
    await measure("A new device of a verified key", (run) => verify(`phone-${run}`));
    await measure("A purchase", () => buy());
    const bearer = { authorization: `Bearer ${await createApiKey(reseller, "reseller", { scopes: ["keys:order"] })}` };
    await measure("A purchase by API key", () => newClient().post("/api/reseller/keys/generate", order, bearer));
    const [{ id }] = (await buy()).body.keys;
    await measure("An extension", () => reseller.post(`/api/reseller/keys/${id}/extend`, { days: 5 }));
    await measure("A purchase with an Idempotency-Key", (run) => buy({ "idempotency-key": `order-${run}` }));
    return measured;
  } finally {
    await latchkey.stop();
  }
}

async function measureRuns(request: (run: number) => Promise<ApiResponse>): Promise<Omit<Measured, "name">> {
  const responses = [textOf(await request(0))];
  const ran: string[][] = [];
  for (let run = 1; run <= runs; run++) {
    // Lets deferred writes of the previous request finish, and varies when timers fire.
    await Bun.sleep(37 * run);
    rmSync(marks, { force: true });
    responses.push(textOf(await request(run)));
    ran.push(existsSync(marks) ? JSON.parse(readFileSync(marks, "utf8")) : []);
  }
  // The order of the last run, because earlier runs may have filled a cache.
  const files = ran.at(-1)?.filter((file) => ran.every((others) => others.includes(file))) ?? [];
  return { files, responses };
}

function textOf({ status, headers, text }: ApiResponse): string {
  if (status > 201) throw new Error(`A request was refused: ${text}`);
  const body = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/"(keyString|key)":"[^"]*"/g, '"$1":"<key>"');
  return `${status} ${[...headers.keys()].sort().join(" ")} ${body}`;
}
