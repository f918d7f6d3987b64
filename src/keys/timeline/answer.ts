import { deviceLimitUnlimited } from "../limits.ts";
import type { KeyRow } from "../model.ts";
import { statusOf } from "../model.ts";
import type { KeyAnswer } from "./timeline-schema.ts";

/** Who asks, of a key of whose: that decides what can be done about it. */
export type Asker = "owner" | "admin of an own key" | "admin of a reseller's key";

/** What a device that is not connected yet would be told of the key now, and what to do about it (rules.md: The life of a key). */
export function answerOf(key: KeyRow, asker: Asker, at: number): KeyAnswer {
  const status = statusOf(key, at);
  if (status === "REVOKED") {
    const message = "Refused on every device: it was revoked.";
    return { code: status, message, advice: `Revoking cannot be undone. ${replacement[asker]}` };
  }
  if (status === "EXPIRED") {
    return { code: status, message: "Refused on every device: it has expired.", advice: replacement[asker] };
  }
  const { deviceCount: used, deviceLimit: limit } = key;
  if (used >= limit) {
    const message = `Works on its ${devices(used)}. ${nextDevice(used)} is refused: ${used} of ${limit} in use.`;
    return { code: "DEVICE_LIMIT_REACHED", message, advice: moreRoom[asker] };
  }
  const now = used === 0 ? "Works. No device is connected yet." : `Works on its ${devices(used)}.`;
  const room =
    limit === deviceLimitUnlimited
      ? "The next device that asks is connected."
      : `${limit - used} more can connect: ${used} of ${limit} in use.`;
  return { code: "VALID", message: `${now} ${room}`, advice: elsewhere };
}

const replacement: Record<Asker, string> = {
  owner: "Generate another key for this customer.",
  "admin of an own key": "Generate another key.",
  "admin of a reseller's key": "Its reseller can generate another key.",
};

const moreRoom: Record<Asker, string> = {
  owner: "Remove one below.",
  "admin of an own key": "Generate another key, with a higher device limit.",
  "admin of a reseller's key": "Its reseller can remove one.",
};

const elsewhere = "If a customer says that it does not work, compare the key's text and the game.";

function devices(count: number): string {
  return count === 1 ? "1 device" : `${count} devices`;
}

/** In words as far as the limits that are usual go. */
function nextDevice(used: number): string {
  const words: Record<number, string> = { 1: "A second", 2: "A third", 5: "A sixth", 10: "An eleventh" };
  return words[used] ?? "Another";
}
