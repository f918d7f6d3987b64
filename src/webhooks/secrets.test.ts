import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { createAdmins } from "../accounts/admins.ts";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import { createPasswords } from "../accounts/passwords/passwords.ts";
import { createSeal } from "../accounts/sealed.ts";
import { sealWebhooksAnew, targetOf } from "./secrets.ts";
import { listWebhooks } from "./webhook-store.ts";

const oldSecret = "a secret that is long enough for tests";
const newSecret = "another secret that is long enough for tests";

let panel: Panel;
let admin: Client;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

async function targetUnder(current: string, id: number) {
  const [row] = (await listWebhooks(panel.database.read, 1)).filter((webhook) => webhook.id === id);
  return row ? targetOf(createSeal({ secrets: { current, previous: null } }), row, panel.clock.now) : null;
}

test("after a change of SECRET both secrets of a webhook open under the new one, and under no other", async () => {
  const form = { kind: "standard", url: "https://example.com", events: ["order.created"] };
  const { id, secret } = (await admin.post("/api/admin/webhooks", form)).body;
  const rotated = (await admin.post(`/api/admin/webhooks/${id}/rotate`)).body.secret;
  const bot = { kind: "telegram", botToken: "123:abc", chatId: 7, events: ["order.created"] };
  const telegram = (await admin.post("/api/admin/webhooks", bot)).body.id;
  const seal = createSeal({ secrets: { current: newSecret, previous: oldSecret } });
  expect(await targetUnder(newSecret, id)).toBeNull();
  expect(await sealWebhooksAnew({ database: panel.database, seal })).toBe(2);
  expect(await targetUnder(newSecret, id)).toEqual({
    ...{ kind: "standard", url: "https://example.com", secrets: [rotated, secret] },
  });
  expect(await targetUnder(newSecret, telegram)).toEqual({ kind: "telegram", botToken: "123:abc", chatId: "7" });
  expect(await targetUnder(oldSecret, id)).toBeNull();
  // The panel has the old one.
  await admin.post(`/api/admin/webhooks/${id}/test`);
  await panel.server.deliveries.run();
  const [{ tries }] = (await admin.get(`/api/admin/webhooks/${id}/deliveries`)).body;
  expect(tries).toMatchObject([
    { status: null, answer: "The secret of this webhook was encrypted with another SECRET." },
  ]);
});

test("an admin who is removed leaves no webhook", async () => {
  const { database, clock } = panel;
  const now = () => clock.now;
  const passwords = createPasswords((bytes) => crypto.getRandomValues(bytes));
  const admins = createAdmins({ database, changes: createAuditedChanges({ database, now }), passwords, now });
  await admins.create("Second", "a-password-for-tests");
  const second = panel.newClient();
  await second.post("/api/auth/admin/login", { username: "Second", password: "a-password-for-tests" });
  const form = { kind: "discord", url: "https://example.com", events: ["order.created"] };
  expect((await second.post("/api/admin/webhooks", form)).status).toBe(201);
  const discord = () => database.read`SELECT id FROM webhooks WHERE kind = 'discord'`;
  expect(await discord()).toHaveLength(1);
  await admins.remove("Second");
  expect(await discord()).toEqual([]);
});
