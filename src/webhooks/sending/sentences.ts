import { hoursPerDay } from "../../core/clock.ts";
import { printable, withThousandsSeparators } from "../../core/text.ts";
import type { WebhookEvent, WebhookEventData } from "../../facts/webhook-events.ts";

/** Of a name or another text that people chose. It keeps sentences far below what Discord and Telegram accept. */
const textCharactersMax = 100;

const sentences: Record<WebhookEvent["type"], (data: WebhookEventData) => string> = {
  "order.created": ({ username, count, amount, orderId, ...of }) =>
    `${username ?? "An admin"} generated ${keyCount(count)}${whatOf(of)}${amount ? ` for ${credits(amount)}` : ""} (order ${orderId}).`,
  "sale.failed": ({ username, code, saleId }) =>
    `A sale${username ? ` of ${username}` : ""} failed: ${code}${saleId ? ` (sale ${saleId})` : ""}.`,
  "key.extended": (data) => `${keysWere(data)} extended${data.amount ? ` for ${credits(data.amount)}` : ""}.`,
  "key.revoked": (data) => `${keysWere(data)} revoked${data.amount ? `, and ${credits(data.amount)} refunded` : ""}.`,
  "key.replaced": (data) => `${keyOf(data)} was given this new text.`,
  "key.expiring": (data) => `${keyOf(data)} expires in less than 72 hours.`,
  "key.refused": (data) => `${keyOf(data)} was refused: ${data.code}.`,
  "device.connected": (data) => `${keyOf(data)} was connected to ${deviceOf(data)}.`,
  "device.released": (data) => `${keyOf(data)} no longer has ${deviceOf(data)}${data.by ? releasedBy[data.by] : ""}.`,
  "credits.granted": ({ username, amount, balance }) =>
    `${username} received ${credits(amount)} and now has ${credits(balance)}.`,
  "credits.low": ({ username, balance }) => `${username} has only ${credits(balance)} left.`,
  "reseller.registered": ({ username }) => `${username} registered as a reseller.`,
  "reseller.suspended": ({ username }) => `${username} was suspended.`,
  "backup.failed": ({ panel, reason }) => (reason ? `${panel}: ${reason}` : "A scheduled backup failed."),
  "backup.late": () => "The last good backup is too old.",
  "keys.imported": (data) => `${keysWere(data)} imported.`,
  "intervention.done": ({ count }) => `An intervention changed ${keyCount(count)}.`,
  "webhook.test": () => "This is a test.",
};

const releasedBy: Record<NonNullable<WebhookEventData["by"]>, string> = {
  player: ", which its player removed",
  reseller: ", which the reseller removed",
  admin: ", which an admin removed",
  idle: ", which had not been used for long",
};

/**
 * An event as one line of English. `escaped` is applied to texts that people chose. No service reads a wide `＠` as a
 * mention.
 */
export function sentenceOf({ type, data }: WebhookEvent, escaped = (text: string) => text): string {
  const harmless = (value: unknown) =>
    typeof value === "string" ? escaped(printable(value, textCharactersMax).replaceAll("@", "＠")) : value;
  return sentences[type](Object.fromEntries(Object.entries(data).map(([name, value]) => [name, harmless(value)])));
}

function keyOf({ key, username }: WebhookEventData): string {
  return `Key …${key}${username ? ` of ${username}` : ""}`;
}

function keysWere(data: WebhookEventData): string {
  if (data.key !== undefined) return `${keyOf(data)} was`;
  const owner = data.username ? ` of ${data.username}` : "";
  return `${keyCount(data.count)}${owner} ${data.count === 1 ? "was" : "were"}`;
}

function deviceOf({ deviceName, deviceId }: WebhookEventData): string {
  return deviceName === undefined ? `device ${deviceId}` : `device “${deviceName}”`;
}

function keyCount(count = 0): string {
  return `${withThousandsSeparators(count)} ${count === 1 ? "key" : "keys"}`;
}

/** ` of PUBG MOBILE lasting 30 days`. What an older version recorded names neither. */
function whatOf({ game, hours = 0 }: WebhookEventData): string {
  if (game === undefined) return "";
  const [length, unit] = hours % hoursPerDay === 0 ? [hours / hoursPerDay, "day"] : [hours, "hour"];
  return ` of ${game}${length > 0 ? ` lasting ${withThousandsSeparators(length)} ${length === 1 ? unit : `${unit}s`}` : ""}`;
}

function credits(amount = 0): string {
  return `${withThousandsSeparators(amount)} ${amount === 1 ? "credit" : "credits"}`;
}
