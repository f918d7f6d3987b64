import type { ResellerKey } from "../../../../src/keys/schema.ts";
import { dateText, deviceLimitText, firstUseText, fromFirstUseText, pluralText } from "../../../format.ts";
import { rowsAsCsv } from "../../../ui/download.ts";

export type GeneratedKey = Pick<
  ResellerKey,
  "id" | "keyString" | "game" | "deviceLimit" | "createdAt" | "expiryDate" | "durationHours"
>;

/** One key a line. */
export function batchAsText(keys: readonly GeneratedKey[]): string {
  return keys.map(({ keyString }) => `${keyString}\n`).join("");
}

export function batchAsCsv(keys: readonly GeneratedKey[]): string {
  return rowsAsCsv(
    keys.map((key) => ({
      "License Key": key.keyString,
      Game: key.game,
      "Device Limit": deviceLimitText(key.deviceLimit),
      Created: key.createdAt,
      Expires: key.expiryDate ?? firstUseText(key.durationHours),
    })),
  );
}

/** latchkey-5-keys-2025-03-05.txt */
export function batchFileName(keys: readonly GeneratedKey[], ending: "txt" | "csv"): string {
  const day = keys[0]?.createdAt.slice(0, 10) ?? "";
  return `latchkey-${keys.length}-keys-${day}.${ending}`;
}

/** The default message that a reseller sends with keys. */
export const messageDefault = `{count} for {game}, valid until {expires}:
{keys}
Keep them to yourself: anyone who has a key can use it.`;

/** The placeholders of a message, which the batch fills in. */
export const messagePlaces = ["{keys}", "{count}", "{game}", "{devices}", "{expires}"] as const;

export function asLines(keys: readonly GeneratedKey[]): string {
  return keys.map(({ keyString }) => keyString).join("\n");
}

export function asNumbered(keys: readonly GeneratedKey[]): string {
  return keys.map(({ keyString }, index) => `${index + 1}. ${keyString}`).join("\n");
}

export function withExpiry(keys: readonly GeneratedKey[]): string {
  return keys.map((key) => `${key.keyString} (${expiryWords(key)})`).join("\n");
}

function expiryWords({ expiryDate, durationHours }: GeneratedKey): string {
  return expiryDate === null ? fromFirstUseText(durationHours) : `until ${dateText(expiryDate)}`;
}

/**
 * The message about a batch. Other text in braces is left as it is. Keys that start at first use are not valid "until"
 * a day but "for" some days.
 */
export function asMessage(template: string, keys: readonly GeneratedKey[]): string {
  const [first] = keys;
  if (!first) return "";
  const { expiryDate, durationHours } = first;
  const places: Record<(typeof messagePlaces)[number], string> = {
    "{keys}": asLines(keys),
    "{count}": pluralText(keys.length, "key"),
    "{game}": first.game,
    "{devices}": deviceLimitText(first.deviceLimit),
    "{expires}": expiryDate === null ? fromFirstUseText(durationHours) : dateText(expiryDate),
  };
  const fitting = expiryDate === null ? template.replaceAll("until {expires}", "for {expires}") : template;
  return fitting.replaceAll(/\{[a-z]+\}/g, (place) => places[place as keyof typeof places] ?? place);
}
