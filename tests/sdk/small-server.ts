import { game } from "./run-script.ts";
import { active, bindOf, next, pinOf, previous, proofOf } from "./signing.ts";

/** What the scenario needs of a server. */
export type GameServer = Awaited<ReturnType<typeof startSmallServer>>;

/** Signs verdicts as a server does. */
export async function startSmallServer() {
  const keys = ["GOOD-KEY-00001", "FULL-KEY-00001", "NEXT-KEY-00001", "LATE-KEY-00001"];
  let signing = [active, next, previous];
  const revoked = new Set<string>();
  let isFull = true;
  const options = {
    hostname: "127.0.0.1",
    async fetch(request: Request) {
      const { key, game, deviceId, nonce, ref } = (await request.json()) as Record<string, string>;
      if (ref) isFull = false;
      if (ref) return Response.json({ message: "The device was released.", allowedAt: null });
      const isOver = key === "FULL-KEY-00001" && isFull;
      const code = !keys.includes(key as string)
        ? "NOT_FOUND"
        : revoked.has(key as string)
          ? "REVOKED"
          : isOver
            ? "DEVICE_LIMIT_REACHED"
            : "VALID";
      const iat = Math.floor(Date.now() / 1000);
      const valid = code === "VALID";
      const payload = {
        ...{ n: nonce, bind: bindOf(game as string, key as string, deviceId as string), valid, code, iat },
        ...{ exp: valid ? iat + 86_400 : null, until: iat + 864_000, limit: 1, used: 1 },
      };
      const devices = [
        { ref: "first", name: null, firstConnected: "2026-11-01T10:00:00.000Z", lastSeen: "2026-11-02" },
      ];
      const release = isOver ? { isAllowed: true, allowedAt: null, devices } : null;
      return Response.json({ valid, code, message: code, release, proof: proofOf(payload, signing[0]) });
    },
  };
  let server = Bun.serve({ ...options, port: 0 });
  const port = server.port as number;
  return {
    address: `http://127.0.0.1:${port}`,
    game,
    pins: [active, next].map(pinOf),
    keys: { good: "GOOD-KEY-00001", full: "FULL-KEY-00001", next: "NEXT-KEY-00001", late: "LATE-KEY-00001" },
    revoke: async (key: string) => void revoked.add(key),
    /** Signs with the next key from now on. */
    async rotate() {
      signing = signing.slice(1);
    },
    takeAway: () => server.stop(true),
    async bringBack() {
      server = Bun.serve({ ...options, port });
    },
  };
}
