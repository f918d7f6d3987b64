import assert from "node:assert/strict";
import { type Client, createClient, type ResellerClient } from "../client.ts";
import { connectLive } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const buyers = 60;
const password = "test-reseller-password";

/** Many keys, so that purchases take long and are still waiting when the session ends. */
const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 20 };

/** Audit rows are in the order in which the changes took effect. */
const ordersAfterTheEnd = `audit WHERE action = 'keys_generated' AND id > (
  SELECT max(id) FROM audit WHERE action IN ('signed_out', 'reseller_suspended', 'password_changed', 'sessions_ended'))`;

const endAfterMs = { min: 20, max: 80 };

/** Much longer than it takes on any machine. */
const noticeMsMax = 10_000;

interface Participants {
  admin: Client;
  reseller: ResellerClient;
  /** Another session of the same reseller. */
  elsewhere: Client;
}

interface End {
  how: string;
  carryOut: (participants: Participants) => Promise<{ status: number }>;
  /** Whether the socket of the session's open page is closed or gets the suspension. */
  notice: "closed" | "suspended";
}

const toggle = ({ admin, reseller }: Participants, isActive: boolean) =>
  admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive });

const ends: End[] = [
  { how: "a logout", notice: "closed", carryOut: ({ reseller }) => reseller.post("/api/auth/logout") },
  { how: "a suspension", notice: "suspended", carryOut: (participants) => toggle(participants, false) },
  {
    how: "a new password",
    notice: "closed",
    carryOut: ({ elsewhere }) =>
      elsewhere.post("/api/auth/password", { currentPassword: password, newPassword: password }),
  },
  {
    how: "an admin who ends the sessions",
    notice: "closed",
    carryOut: ({ admin, reseller }) => admin.call("DELETE", `/api/admin/resellers/${reseller.id}/sessions`),
  },
];

export const drill: Drill<{ times: number }> = {
  number: "R11",
  promise:
    "once a logout, a suspension or a new password is acknowledged, no request in flight is accepted; open pages are notified, then refused",
  onPostgres: true,
  sizes: { short: { times: 2 }, long: { times: 25 }, proof: { times: 8 } },
  async run({ times }) {
    const server = await supervise();
    const { admin, resellers } = await openShop(server.url, 1);
    const reseller = resellers[0] as ResellerClient;
    let accepted = 0;
    for (const { how, carryOut, notice } of Array.from({ length: times }, () => ends).flat()) {
      const elsewhere = createClient(server.url);
      for (const client of [reseller, elsewhere]) {
        const { status, text } = await client.post("/api/auth/reseller/login", {
          username: reseller.username,
          password,
        });
        assert.equal(status, 200, text);
      }
      const participants = { admin, reseller, elsewhere };
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
      const ended = await carryOut(participants);
      assert.equal(ended.status, 200, `${how} was refused.`);
      const refusals = await buying;
      const after = await server.stored.count(ordersAfterTheEnd);
      assert.equal(after, 0, `After ${how}, ${after} orders went through.`);
      assert.deepEqual(
        [...new Set(refusals.map(({ status }) => status))],
        [401],
        "A purchase was not refused with 401.",
      );
      accepted += refusals.reduce((sum, { bought }) => sum + bought, 0);

      const received = await Promise.race([
        notice === "closed" ? socket.closed : socket.next(),
        Bun.sleep(noticeMsMax),
      ]);
      assert.ok(received, `After ${how} an open page was not notified.`);
      const expected = notice === "closed" ? { code: 1000 } : { type: "status_change", isActive: false };
      assert.partialDeepStrictEqual(received, expected);
      socket.close();
      assert.equal((await late.get("/api/reseller/profile")).status, 401);
      const again = await connectLive(server.url, { cookie });
      again.send({ type: "auth", resellerId: reseller.id });
      assert.equal((await again.closed).code, 1008, `After ${how} a page could connect.`);
      if (notice === "suspended") await toggle(participants, true);
    }
    assert.ok(accepted > 0, "No session ended during purchases.");
    await server.close();
    return `${times * ends.length} sessions ended during ${buyers} parallel purchases: ${accepted.toLocaleString("en-US")} orders accepted before, none after`;
  },
};
