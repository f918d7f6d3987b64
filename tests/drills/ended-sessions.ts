import assert from "node:assert/strict";
import { type Client, createClient, type ResellerClient } from "../client.ts";
import { connectLive } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const buyers = 60;
const password = "test-reseller-password";

/** Many keys, so that the purchases that wait for a session's end to be written take a while themselves. */
const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 20 };

/** The audit log has its rows in the order in which the changes took effect. */
const ordersAfterTheEnd = `audit WHERE action = 'keys_generated' AND id > (
  SELECT max(id) FROM audit WHERE action IN ('signed_out', 'reseller_suspended', 'password_changed', 'sessions_ended'))`;

const endAfterMs = { min: 20, max: 80 };

/** Far longer than it takes on any machine. */
const toldMsMax = 10_000;

interface Scene {
  admin: Client;
  reseller: ResellerClient;
  /** The same person, signed in elsewhere. */
  elsewhere: Client;
}

interface End {
  how: string;
  carryOut: (scene: Scene) => Promise<{ status: number }>;
  /** What the session's open page hears, and whether its socket stays until the page closes it. */
  hears: "closed" | "suspended";
}

const toggle = ({ admin, reseller }: Scene, isActive: boolean) =>
  admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive });

const ends: End[] = [
  { how: "a logout", hears: "closed", carryOut: ({ reseller }) => reseller.post("/api/auth/logout") },
  { how: "a suspension", hears: "suspended", carryOut: (scene) => toggle(scene, false) },
  {
    how: "a new password",
    hears: "closed",
    carryOut: ({ elsewhere }) =>
      elsewhere.post("/api/auth/password", { currentPassword: password, newPassword: password }),
  },
  {
    how: "an admin who ends the sessions",
    hears: "closed",
    carryOut: ({ admin, reseller }) => admin.call("DELETE", `/api/admin/resellers/${reseller.id}/sessions`),
  },
];

export const drill: Drill<{ times: number }> = {
  number: "R11",
  promise:
    "once a logout, a suspension or a new password is acknowledged, nothing that was in flight is accepted any more; open pages are told, then refused",
  onPostgres: true,
  sizes: { short: { times: 2 }, long: { times: 25 }, proof: { times: 8 } },
  async run({ times }) {
    const server = await supervise();
    const { admin, resellers } = await openShop(server.url, 1);
    const reseller = resellers[0] as ResellerClient;
    let accepted = 0;
    for (const { how, carryOut, hears } of Array.from({ length: times }, () => ends).flat()) {
      const elsewhere = createClient(server.url);
      for (const client of [reseller, elsewhere]) {
        const { status, text } = await client.post("/api/auth/reseller/login", {
          username: reseller.username,
          password,
        });
        assert.equal(status, 200, text);
      }
      const scene = { admin, reseller, elsewhere };
      const cookie: string = reseller.cookie();
      const socket = await connectLive(server.url, { cookie });
      socket.send({ type: "auth", resellerId: reseller.id });
      assert.deepEqual(await socket.next(), { type: "auth_success" });

      const late = createClient(server.url);
      const buying = parallel(buyers, async () => {
        for (let bought = 0; ; bought += 1) {
          const { status } = await late.post("/api/reseller/keys/generate", order, { cookie });
          if (status !== 201) return { status, bought };
        }
      });
      await Bun.sleep(endAfterMs.min + Math.random() * (endAfterMs.max - endAfterMs.min));
      const ended = await carryOut(scene);
      assert.equal(ended.status, 200, `${how} was refused.`);
      const refusals = await buying;
      const after = await server.stored.count(ordersAfterTheEnd);
      assert.equal(after, 0, `After ${how}, ${after} orders went through.`);
      assert.deepEqual([...new Set(refusals.map(({ status }) => status))], [401], "A purchase was refused otherwise.");
      accepted += refusals.reduce((sum, { bought }) => sum + bought, 0);

      const told = await Promise.race([hears === "closed" ? socket.closed : socket.next(), Bun.sleep(toldMsMax)]);
      assert.ok(told, `After ${how} an open page was told nothing.`);
      const expected = hears === "closed" ? { code: 1000 } : { type: "status_change", isActive: false };
      assert.partialDeepStrictEqual(told, expected);
      socket.close();
      assert.equal((await late.get("/api/reseller/profile")).status, 401);
      const again = await connectLive(server.url, { cookie });
      again.send({ type: "auth", resellerId: reseller.id });
      assert.equal((await again.closed).code, 1008, `After ${how} a page was welcomed.`);
      if (hears === "suspended") await toggle(scene, true);
    }
    assert.ok(accepted > 0, "No session ended in the middle of anything.");
    await server.close();
    return `${times * ends.length} sessions ended under ${buyers} who buy without a rest: ${accepted.toLocaleString("en-US")} orders accepted before, none after`;
  },
};
