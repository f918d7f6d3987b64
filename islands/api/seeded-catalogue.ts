import type { Catalogue } from "../../src/catalogue/schema.ts";
import { catalogueQuery, gamesQuery } from "./calls/catalogue.ts";
import { queryClient } from "./query.ts";

const names = { "PUBG MOBILE": "PBGM", "LAST ISLAND OF SURVIVAL": "LIOS", "FREE FIRE": "FIRE" };
const games = Object.entries(names).map(([name, prefix], index) => ({ id: index + 1, name, prefix }));
const durations = [5, 10, 20, 30, 60].map((days, index) => ({
  id: index + 1,
  label: `${days} days`,
  hours: days * 24,
}));
const deviceLimits = [1, 2, 100];

/** For an island's test: the catalogue of a new database, already fetched by a reseller. */
export const seededCatalogue: Catalogue = {
  games: games.map((game) => ({ ...game, aliases: [], maintenance: null })),
  durations,
  deviceLimits,
  prices: games.flatMap(({ id }) =>
    durations.flatMap((duration) =>
      deviceLimits.map((deviceLimit) => ({
        ...{ gameId: id, durationId: duration.id, deviceLimit },
        credits: duration.hours / 240,
      })),
    ),
  ),
};

export function keepSeededCatalogue(): void {
  queryClient.setQueryData(catalogueQuery.queryKey, seededCatalogue);
  queryClient.setQueryData(
    gamesQuery.queryKey,
    games.map(({ id, name }) => ({ id, name, isRetired: false })),
  );
}
