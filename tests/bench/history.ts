import { Database } from "bun:sqlite";
import { join } from "node:path";
import { dayOf, msPerDay } from "../../src/core/clock.ts";
import { type Client, createClient } from "../client.ts";
import { type Bench, type Figure, inRounds, keysSmall, median } from "./bench.ts";
import { game, keyText } from "./key-space.ts";

const eventsFew = 10;
const eventsMany = 100_000;
const kinds =
  "PAUSED RESUMED DEVICE_RELEASED NOTED DEVICE_REMOVED DEVICES_RESET DEVICE_IDLE STARTED EXTENDED LIMIT_CHANGED";
const callsPerRound = 40;

/** One device of each key was last seen before these days, on all of which the key was paused for some time. */
const historyDays = 10;
const idleDays = 7;

/** What a key with a long history costs a player, as a multiple of a short one: the call for which it is most. */
export async function longHistory(bench: Bench): Promise<Figure[]> {
  const folder = await bench.dataFolder(keysSmall);
  fillHistories(join(folder, "latchkey.db"));
  const server = await bench.serve(folder);
  await server.idle();
  const player = createClient(server.url);
  const figures: Figure[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const times = await inRounds(bench.rounds * callsPerRound, async () => ({
      few: await call(player, keyText(0)),
      many: await call(player, keyText(1)),
    }));
    const [fewMs, manyMs] = [median(times.map(({ few }) => few)), median(times.map(({ many }) => many))];
    figures.push({ value: manyMs / fewMs, note: `${name}, ${fewMs.toFixed(2)} to ${manyMs.toFixed(2)} ms` });
  }
  await server.stop();
  return [figures.reduce((one, other) => (other.value > one.value ? other : one))];
}

const calls: Record<string, (player: Client, key: string) => Promise<number>> = {
  "a refused verification": (player, key) =>
    msOf(() => player.post("/api/verify", { key, game, deviceId: "one-more" }), '"DEVICE_LIMIT_REACHED"'),
  "a release": async (player, key) => {
    const { body } = await player.post("/api/verify", { key, game, deviceId: "one-more" });
    const { ref } = body.release.devices[0];
    return msOf(() => player.post("/api/verify/release", { key, game, ref }), '"RELEASE_TOO_SOON"');
  },
  "a look at /k": (player, key) =>
    msOf(() => player.post("/k", new URLSearchParams({ key }).toString(), { "content-type": form }), '"WORKS"'),
};
const form = "application/x-www-form-urlencoded";

async function msOf(send: () => ReturnType<Client["post"]>, expected: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await send();
  const ms = performance.now() - startedAt;
  if (!text.includes(expected)) throw new Error(`A key with a history returned ${status}: ${text.slice(0, 500)}`);
  return ms;
}

/** Gives the first two keys of a stopped server two devices each, and histories of different lengths. */
function fillHistories(file: string): void {
  const connection = new Database(file);
  connection.run("PRAGMA synchronous = OFF");
  const now = Date.now();
  connection.run("UPDATE games SET release_idle_days = ?", [idleDays]);
  for (const [key, events] of [
    [keyText(0), eventsFew],
    [keyText(1), eventsMany],
  ] as const) {
    const { id } =
      connection.query<{ id: number }, [string]>("SELECT id FROM license_keys WHERE key_string = ?").get(key) ?? {};
    if (id === undefined) throw new Error(`There is no key ${key}.`);
    connection.run("UPDATE license_keys SET device_limit = 2 WHERE id = ?", [id]);
    connection.run("DELETE FROM key_devices WHERE key_id = ?", [id]);
    for (const [device, day] of [
      ["idle", dayOf(now) - historyDays],
      ["seen", dayOf(now)],
    ] as const)
      connection.run(
        `INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at, last_seen_day)
          VALUES (?, ?, ?, ?, ?)`,
        [id, device, device, now - 2 * historyDays * msPerDay, day],
      );
    connection.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events})
        INSERT INTO key_events (key_id, what, created_at)
        SELECT ?, value, ${now} - CAST(${historyDays * msPerDay} * (1.0 - 1.0 * i / ${events}) AS INTEGER) - 1
        FROM n CROSS JOIN json_each(?)`,
      [id, JSON.stringify(kinds.split(" "))],
    );
  }
  connection.close();
}
