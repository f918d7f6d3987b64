import type { Seal } from "../accounts/sealed.ts";
import { msPerDay } from "../core/clock.ts";
import type { RandomBytes } from "../core/random.ts";
import type { Database, Sql } from "../db/contract.ts";
import { endPending } from "./delivery-store.ts";
import type { Target } from "./sending/sender.ts";
import { allSealed, replaceSealed, switchOff, type WebhookRow } from "./webhook-store.ts";

const secretBytes = 32;

/** How long the secret before a rotation still signs. */
const previousSignsMs = msPerDay;

/** In the form of Standard Webhooks. */
export function newSecret(randomBytes: RandomBytes): string {
  return `whsec_${Buffer.from(randomBytes(new Uint8Array(secretBytes))).toString("base64")}`;
}

/** The purpose for which the secrets of an account's webhooks are sealed. */
export function purposeFor(accountId: number): string {
  return `webhooks of account ${accountId}`;
}

/** Where a webhook's events go; null if its secret was sealed under another SECRET. */
export function targetOf(seal: Seal, webhook: WebhookRow, now: number): Target | null {
  const { kind, url, chatId, accountId, sealedSecret, sealedPrevious, rotatedAt } = webhook;
  const open = (sealed: string | null) => (sealed === null ? null : seal.open(sealed, purposeFor(accountId)));
  if (kind === "discord") return { kind, url: url ?? "" };
  const secret = open(sealedSecret);
  if (secret === null) return null;
  if (kind === "telegram") return { kind, botToken: secret, chatId: chatId ?? "" };
  const previous = (rotatedAt ?? 0) > now - previousSignsMs ? open(sealedPrevious) : null;
  return { kind, url: url ?? "", secrets: previous === null ? [secret] : [secret, previous] };
}

/** Switches off the webhooks whose secret no secret of the seal opens. Returns how many. */
export async function loseWebhooks(sql: Sql, seal: Seal, at: number): Promise<number> {
  let count = 0;
  for (const { id, accountId, sealedSecret } of await allSealed(sql)) {
    if (sealedSecret === null || seal.open(sealedSecret, purposeFor(accountId)) !== null) continue;
    if ((await switchOff(sql, { id, at, reason: "SECRET_LOST" })) === null) continue;
    await endPending(sql, { webhookId: id });
    count += 1;
  }
  return count;
}

/** After SECRET was changed: seals under the current secret what the previous one sealed. Returns how many that were. */
export function sealWebhooksAnew({ database, seal }: { database: Database; seal: Seal }): Promise<number> {
  return database.transaction(null, async ({ sql }) => {
    let count = 0;
    for (const { id, accountId, ...sealed } of await allSealed(sql)) {
      const anew = (text: string | null) => (text === null ? null : seal.anew(text, purposeFor(accountId)));
      const [secret, previous] = [anew(sealed.sealedSecret), anew(sealed.sealedPrevious)];
      if (secret === null && previous === null) continue;
      await replaceSealed(sql, {
        id,
        sealedSecret: secret ?? sealed.sealedSecret,
        sealedPrevious: previous ?? sealed.sealedPrevious,
      });
      count += 1;
    }
    return count;
  });
}
