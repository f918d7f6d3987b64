import type { Game } from "../../catalogue/catalogue.ts";
import { msPerDay, msPerHour } from "../../core/clock.ts";
import type { Verification } from "../../verify/verification.ts";

/** A device that a key of the demo is played on. */
export interface Player {
  key: { keyString: string; game: Game; deviceLimit: number };
  deviceId: string;
  connectedAt: number;
  /** Whether the key was full with it. */
  tookLastSlot: boolean;
}

const playedDays = 60;

/** Where the week is: people play more at its end. */
const playersOfThree = [2, 1, 1, 1, 2, 3, 3];

/** So many days lie between two tries of a device that is one too many, and of a text that is no key. */
const refusedEveryDays = 4;

/** Sixty days of games that ask for their keys, some on a device too many, some with a key that is none. `setClock` is the demo's. */
export async function playSixtyDays({
  verification,
  players,
  endsAt,
  setClock,
}: {
  verification: Verification;
  players: readonly Player[];
  endsAt: number;
  setClock: (at: number) => void;
}): Promise<void> {
  const ask = (key: Player["key"], deviceId: string) =>
    verification.verify({ key: key.keyString, game: key.game, deviceId }, () => "demo");

  for (let day = playedDays - 1; day >= 0; day -= 1) {
    const dayAt = endsAt - day * msPerDay - 2 * msPerHour;
    const share = playersOfThree[new Date(dayAt).getUTCDay()] ?? 1;
    for (const [index, { key, deviceId, connectedAt, tookLastSlot }] of players.entries()) {
      if (connectedAt >= dayAt) continue;
      setClock(dayAt);
      if ((index + day) % 3 < share) await ask(key, deviceId);
      const isTriedElsewhere = tookLastSlot && index % 7 === 0 && (index + day) % refusedEveryDays === 0;
      if (isTriedElsewhere) await ask(key, `${deviceId.slice(0, 12)}-second`);
      if (index % 11 === 0 && (index + day) % refusedEveryDays === 0) {
        await ask({ ...key, keyString: `${key.keyString.slice(0, -1)}_` }, deviceId);
      }
    }
  }
}
