import { deviceLimitText } from "../../../format.ts";
import { rowsAsCsv } from "../../../ui/download.ts";

export interface GeneratedKey {
  id: number;
  keyString: string;
  game: string;
  deviceLimit: number;
  createdAt: string;
  expiryDate: string;
}

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
      Expires: key.expiryDate,
    })),
  );
}

/** latchkey-5-keys-2025-03-05.txt */
export function batchFileName(keys: readonly GeneratedKey[], ending: "txt" | "csv"): string {
  const day = keys[0]?.createdAt.slice(0, 10) ?? "";
  return `latchkey-${keys.length}-keys-${day}.${ending}`;
}
