import type { Run, Step } from "./run-script.ts";
import type { Vectors } from "./vectors.ts";

/** What is used of latchkey.ts. Mutated copies are modules of the same shape. */
type Sdk = typeof import("../../public/sdk/latchkey.ts");

/** Ed25519 and SHA-512. */
type Crypto = Pick<Sdk["platform"], "sha512" | "verify">;

/** The name of each case that the SDK fails, and why. */
export async function failuresOf(sdk: Sdk, vectors: Vectors, crypto: Crypto = sdk.platform) {
  const failures = new Map<string, string>();
  const attempt = async (name: string, play: () => Promise<void>) => {
    await play().catch((reason) => failures.set(name, String(reason)));
  };
  for (const { name, game, key, deviceId, nonce, proof, isGood } of vectors.proofs) {
    await attempt(`proof: ${name}`, async () => {
      const payload = await sdk.readProof(
        vectors.pins,
        proof,
        await sdk.bindOf(game, key, deviceId, crypto),
        nonce,
        crypto,
      );
      same("isGood", payload !== null, isGood);
    });
  }
  for (const { game, source, deviceId } of vectors.deviceIds) {
    await attempt(`device id: ${JSON.stringify([game, source])}`, async () => {
      same("the device id", await sdk.deviceId(game, source, crypto).catch(() => null), deviceId);
    });
  }
  for (const run of vectors.runs) await attempt(`run: ${run.name}`, () => play(sdk, run, vectors.pins, crypto));
  return failures;
}

async function play(sdk: Sdk, run: Run, pins: Vectors["pins"], crypto: Crypto): Promise<void> {
  const { addresses, game, deviceId, deviceName, version, lang, stored, store: kind, steps } = run;
  const store = new Map(Object.entries(stored));
  let step = steps[0] as Step;
  let passed = 0;
  let sent: { url: string; body: string }[] = [];
  let tasks: (() => Promise<void>)[] = [];
  const system = {
    ...crypto,
    now: () => step.now + passed,
    uptime: () => step.uptime + passed,
    random: () => run.random,
    randomBytes: () => new Uint8Array(Buffer.from(step.nonce ?? "", "base64url")),
    background: (task: () => Promise<void>) => void tasks.push(task),
    async send({ url, body }: { url: string; body: string }) {
      const response = step.responses?.[sent.length];
      sent.push({ url, body });
      passed += response?.takes ?? 0;
      const { status = 0, body: text = "", retryAfter = null } = response ?? {};
      return { status, body: text, retryAfter: /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : null };
    },
  };
  const refuse = (call: Run["store"]) => {
    if (kind === call) throw new Error("The store refuses this.");
  };
  const start = (trusted: Vectors["pins"]) =>
    sdk.open({
      ...{ addresses, game, deviceId, deviceName, version, lang, system },
      pins: trusted,
      store: {
        async get(name) {
          refuse("refusesGet");
          return store.get(name);
        },
        async set(name, text) {
          refuse("refusesSet");
          store.set(name, text);
        },
        async remove(name) {
          refuse("refusesRemove");
          store.delete(name);
        },
      },
    });
  let client = await start(pins);
  for (step of steps) {
    passed = 0;
    sent = [];
    tasks = [];
    let result: object | null = null;
    if (step.do === "open") client = await start(step.pins ?? pins);
    if (step.do === "forget") await client.forget();
    if (step.do === "check") result = await client.check(step.key as string);
    if (step.do === "release") result = await client.release(step.ref as string);
    for (const task of tasks) await task();
    const at = `step ${steps.indexOf(step)}`;
    same(at, result, step.expect ?? null);
    same(
      `${at}: the addresses`,
      sent.map(({ url }) => url),
      step.sends ?? [],
    );
    for (const { body } of sent) same(`${at}: the body`, JSON.parse(body), step.body);
  }
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (!Bun.deepEquals(actual, expected)) {
    throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
  }
}
