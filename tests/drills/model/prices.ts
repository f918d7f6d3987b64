/** How a reseller names a duration, and an admin's `hours`. */
export interface Duration {
  days?: number;
  durationId?: number;
  hours?: number;
}

/** What the drill sells. The seeded prices are the same for each game and limit, which would hide what an action goes by. */
export const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"];

/** By id. The last one is added when a run begins. */
export const durationHours: Record<number, number> = { 1: 120, 2: 240, 3: 480, 4: 720, 5: 1_440, 6: 6 };
export const addedDurationId = 6;

const resellerLimits = [1, 2, 100];

/** Tenths of a credit for 1, 2 and 100 devices. `null` is not sold. */
const pricesTenths: Record<string, Record<number, (number | null)[]>> = {
  "PUBG MOBILE": {
    6: [1, 2, null],
    120: [5, 9, 21],
    240: [10, 8, 30],
    480: [20, 27, 55],
    720: [30, 44, 80],
    1440: [60, 83, 140],
  },
  "LAST ISLAND OF SURVIVAL": {
    6: [0, 1, 3],
    120: [4, null, 17],
    240: [11, 13, 29],
    480: [19, 26, 51],
    720: [28, 39, null],
    1440: [52, 71, null],
  },
  "FREE FIRE": {
    6: [2, 3, 7],
    120: [5, 7, 12],
    240: [10, 15, 22],
    480: [20, 20, 40],
    720: [30, 36, 61],
    1440: [60, 75, 110],
  },
};

/** What one key costs, or `null` if it is not sold. A limit that resellers cannot order counts as the next higher one. */
export function priceTenths(game: string, hours: number, deviceLimit: number): number | null {
  const place = resellerLimits.findIndex((limit) => limit >= deviceLimit);
  return pricesTenths[game]?.[hours]?.[place] ?? null;
}

/**
 * What a higher limit costs: the difference between the prices of the shortest duration that covers the time left, else
 * of the longest. `null` if no duration is sold for both limits.
 */
export function raiseTenths(game: string, leftMs: number, [from, to]: [number, number]): number | null {
  const sold = Object.values(durationHours)
    .sort((a, b) => a - b)
    .filter((hours) => priceTenths(game, hours, from) !== null && priceTenths(game, hours, to) !== null);
  const hours = sold.find((hours) => hours * 3_600_000 >= leftMs) ?? sold.at(-1);
  if (hours === undefined) return null;
  return Math.max(0, (priceTenths(game, hours, to) as number) - (priceTenths(game, hours, from) as number));
}

/** The hours of a duration, or `null` if there is none. */
export function hoursOf({ days, durationId, hours }: Duration): number | null {
  if (hours !== undefined) return hours;
  if (durationId !== undefined) return durationHours[durationId] ?? null;
  return Object.values(durationHours).find((hours) => hours === (days as number) * 24) ?? null;
}

/** The calls that a run begins with. */
export function settingPrices(cookie: string) {
  const added = { label: "6 hours", hours: durationHours[addedDurationId] };
  return [
    { method: "POST", path: "/api/admin/durations", body: added, cookie },
    { method: "PUT", path: "/api/admin/price-lists/1", body: { prices: priceRows() }, cookie },
  ];
}

function priceRows() {
  return games.flatMap((game, place) =>
    Object.entries(durationHours).flatMap(([id, hours]) =>
      resellerLimits.flatMap((deviceLimit) => {
        const tenths = priceTenths(game, hours, deviceLimit);
        return tenths === null
          ? []
          : [{ gameId: place + 1, durationId: Number(id), deviceLimit, credits: tenths / 10 }];
      }),
    ),
  );
}
