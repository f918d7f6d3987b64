import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { withDatabase } from "../backup-stage.ts";
import { createClient, signInAdmin } from "../client.ts";
import { type Latchkey, refusedStart, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";
import { newNonce, type Pin, readProof } from "../read-proof.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });

interface Listed extends Pin {
  state: string;
}

/** The keys as `keys list` shows them. */
async function listed(): Promise<[Listed, Listed, ...Listed[]]> {
  const { stdout } = await run("keys", "list");
  const keys = stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [kid = "", publicKey = "", state = ""] = line.split("  ");
      return { kid, publicKey, state };
    });
  return keys as [Listed, Listed];
}

/** The key that signs now, by a proof that a client with these pins accepts, or null. */
async function signedBy({ url }: Latchkey, pins: Pin[]): Promise<string | null> {
  const nonce = newNonce();
  const question = { key: "NO-SUCH-KEY-HERE", game: "FREE FIRE", deviceId: "phone", nonce };
  const { body } = await createClient(url).post("/api/verify", question);
  const payload = readProof(body.proof, pins);
  return payload?.n === nonce ? payload.kid : null;
}

const followMs = 10_000;

async function untilSignedBy(server: Latchkey, pins: Pin[], kid: string): Promise<void> {
  const lateAt = performance.now() + followMs;
  while ((await signedBy(server, pins)) !== kid) {
    if (performance.now() > lateAt) throw new Error(`${kid} does not sign within ${followMs} ms.`);
    await Bun.sleep(50);
  }
}

describe("signing keys", () => {
  test("are rotated while the server runs, so that a game that pins two keys always has one that signs", async () => {
    const server = await startLatchkey({ dataFolder: folder });
    const pins = await listed();
    const [first, second] = pins;
    expect(pins.map(({ state }) => state)).toEqual(["active", "next"]);
    expect(pins.every(({ kid, publicKey }) => /^[A-Z\d]{8}$/.test(kid) && /^[\w-]{43}$/.test(publicKey))).toBe(true);
    expect(await signedBy(server, pins)).toBe(first.kid);

    expect((await run("keys", "promote", second.kid)).stdout).toBe(`${second.kid} is the active key now.\n`);
    await untilSignedBy(server, pins, second.kid);
    const added = await run("keys", "add");
    const [, third = ""] = /next key (\w{8})\./.exec(added.stdout) ?? [];
    expect((await run("keys", "retire", first.kid)).stdout).toBe(`Retired ${first.kid}.\n`);
    expect((await listed()).map(({ kid, state }) => [kid, state])).toEqual([
      [first.kid, "retired"],
      [second.kid, "active"],
      [third, "next"],
    ]);
    const published = (await createClient(server.url).get("/.well-known/latchkey-keys")).body;
    expect(published).toEqual({ keys: (await listed()).slice(1) });
    expect(await signedBy(server, pins)).toBe(second.kid);

    expect((await run("keys", "promote", second.kid)).stdout).toBe(`${second.kid} was the active key already.\n`);
    expect((await run("keys", "retire", first.kid)).stdout).toBe(`${first.kid} was retired already.\n`);
    const refusals = [
      ["retire", second.kid, `${second.kid} is the active key. Promote another one first.`],
      ["promote", first.kid, `${first.kid} is retired. Add a new key.`],
      ["promote", "NOSUCHKY", "There is no signing key NOSUCHKY."],
    ];
    for (const [command = "", kid = "", sentence = ""] of refusals) {
      const { code, stderr } = await run("keys", command, kid);
      expect([code, stderr.trim()]).toEqual([1, sentence]);
    }

    const admin = await signInAdmin(() => createClient(server.url));
    const audit = (await admin.get("/api/admin/audit")).body as { action: string; target: string; details: object }[];
    expect(
      audit.filter(({ action }) => action.startsWith("signing_key_")).map((row) => [row.action, row.target]),
    ).toEqual([
      ["signing_key_retired", `signing key ${first.kid}`],
      ["signing_key_added", `signing key ${third}`],
      ["signing_key_promoted", `signing key ${second.kid}`],
    ]);
    await server.stop();
    const sealed = withDatabase(join(folder, "latchkey.db"), (connection) =>
      connection.query("SELECT kid FROM signing_keys WHERE sealed_secret IS NULL").values(),
    );
    expect(sealed).toEqual([[first.kid]]);
  });

  test("that are lost are replaced by the next key, which games pin already", async () => {
    await (await startLatchkey({ dataFolder: folder })).stop();
    const pins = await listed();
    const [lost, next] = pins;
    withDatabase(join(folder, "latchkey.db"), (connection) =>
      connection.run("UPDATE signing_keys SET sealed_secret = 'lost' WHERE kid = ?", [lost.kid]),
    );
    expect(refusedStart(await run("serve")).message).toContain(`encrypted the active signing key ${lost.kid}.`);
    expect((await run("keys", "promote", next.kid)).code).toBe(0);
    const server = await startLatchkey({ dataFolder: folder });
    expect(await signedBy(server, pins)).toBe(next.kid);
    const { code, stderr } = await run("keys", "promote", lost.kid);
    expect([code, stderr.trim()]).toEqual([
      1,
      `${lost.kid} was encrypted with another SECRET and cannot sign. Add a new key.`,
    ]);
    await server.stop();
  });

  test("are in a full backup, and one from before a rotation still has the key that is promoted again", async () => {
    await (await startLatchkey({ dataFolder: folder })).stop();
    const [first, second] = await listed();
    expect((await run("backup", "old.db")).code).toBe(0);
    await run("keys", "promote", second.kid);
    await run("keys", "retire", first.kid);
    await run("keys", "add");
    const released = (await listed()).slice(1);
    expect((await run("restore", "old.db")).code).toBe(0);

    const server = await startLatchkey({ dataFolder: folder });
    // Games that pin only the newer keys accept nothing until the key that was active is promoted again.
    expect([await signedBy(server, released), await signedBy(server, [first])]).toEqual([null, first.kid]);
    await run("keys", "promote", second.kid);
    await untilSignedBy(server, released, second.kid);
    await server.stop();
  });

  test("need the server's SECRET", async () => {
    await run("migrate");
    const { code, stderr } = await run("keys", "add");
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no secret: set SECRET as for the server")]);
    await (await startLatchkey({ dataFolder: folder })).stop();
    const other = await runLatchkey(["keys", "add"], {
      environment: { DATA_DIR: folder, SECRET: "q9Zk2_wLmX7t-RbV5nY8cLd4Hf6Gs0Pa" },
    });
    expect([other.code, other.stderr]).toEqual([0, expect.stringContaining("with another SECRET than the one here")]);
  });
});
