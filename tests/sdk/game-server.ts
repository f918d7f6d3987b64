import { rmSync } from "node:fs";
import { createClient, signInAdmin } from "../client.ts";
import { freePort } from "../free-port.ts";
import { runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

const game = "PUBG MOBILE";
const keys = { good: "GOOD-KEY-00001", full: "FULL-KEY-00001", next: "NEXT-KEY-00001", late: "LATE-KEY-00001" };

interface SigningKey {
  kid: string;
  publicKey: string;
  state: string;
}

/** A real server on one address, with keys for one device each. One of them has no free slot. */
export type GameServer = Awaited<ReturnType<typeof startGameServer>>;

export async function startGameServer() {
  const dataFolder = temporaryFolder();
  const environment = { PORT: String(await freePort()) };
  const start = () => startLatchkey({ dataFolder, environment });
  let server = await start();
  const { url } = server;
  const newClient = () => createClient(url);
  const admin = await signInAdmin(newClient);
  const expiryDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const ids = new Map<string, number>();
  for (const keyString of Object.values(keys)) {
    const order = { game, deviceLimit: 1, keyString, count: 1, expiryDate };
    const { body, text } = await admin.post("/api/admin/keys/generate", order);
    if (!body.keys) throw new Error(text);
    ids.set(keyString, body.keys[0].id);
  }
  await newClient().post("/api/verify", { key: keys.full, game, deviceId: "the-players-old-phone" });
  const signingKeys = async (): Promise<SigningKey[]> =>
    (await newClient().get("/.well-known/latchkey-keys")).body.keys;

  return {
    address: url,
    game,
    keys,
    pins: await signingKeys(),
    async revoke(key: string) {
      const { status, text } = await admin.call("DELETE", `/api/admin/keys/${ids.get(key)}`);
      if (status !== 200) throw new Error(text);
    },
    /** Signs with the next key from now on, and makes another next one. */
    async rotate() {
      const next = (await signingKeys()).find(({ state }) => state === "next");
      await server.stop();
      for (const words of [["promote", next?.kid ?? ""], ["add"]]) {
        const { code, stderr } = await runLatchkey(["keys", ...words], { environment: { DATA_DIR: dataFolder } });
        if (code !== 0) throw new Error(stderr);
      }
      server = await start();
    },
    takeAway: () => server.stop(),
    async bringBack() {
      server = await start();
    },
    async end() {
      await server.stop();
      rmSync(dataFolder, { recursive: true });
    },
  };
}
