import { useQuery } from "@tanstack/react-query";
import type { Catalogue } from "../../../src/catalogue/schema.ts";
import { creditsWithUnit } from "../../format.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { call, queryOf, withBody, withIdAndBody } from "../api.ts";
import { refresh } from "../query.ts";

/** An open page learns of another admin's change when it is looked at again. */
const watched = { staleTime: 10_000, refetchOnWindowFocus: true };

/** What the caller can order. */
export const catalogueQuery = { ...queryOf("GET /api/catalogue"), ...watched };

/** The names of all games, also of retired ones: their keys are in the lists. */
export const gamesQuery = queryOf("GET /api/games");

/** The choices of a list's game filter. Until they are loaded, `chosen` is one of them. */
export function useGameFilter(chosen: string): Choice[] {
  const { data = [] } = useQuery(gamesQuery);
  const names = data.map(({ name }) => name);
  const others = chosen === "all" || names.includes(chosen) ? names : [...names, chosen];
  return [{ value: "all", label: "All Games" }, ...others.map((name) => ({ value: name, label: name }))];
}

/** A duration on sale, with the credits for one key; null where games or device limits differ in them. */
export type Offer = Catalogue["durations"][number] & { price: number | null };

/** The durations that are sold, for any game and any device limit if that is left out. */
export function offersIn(
  catalogue: Catalogue | undefined,
  { game, deviceLimit }: { game?: string; deviceLimit?: number },
): Offer[] {
  if (!catalogue) return [];
  const { games, durations, prices } = catalogue;
  const gameId = game ? games.find(({ name }) => name === game)?.id : undefined;
  if (game && gameId === undefined) return [];
  return durations.flatMap((duration) => {
    const sold = prices.filter(
      (price) =>
        price.durationId === duration.id &&
        (deviceLimit === undefined || price.deviceLimit === deviceLimit) &&
        (gameId === undefined || price.gameId === gameId),
    );
    const [first] = sold;
    if (!first) return [];
    return { ...duration, price: sold.every(({ credits }) => credits === first.credits) ? first.credits : null };
  });
}

/** In a select. */
export function offerChoice({ id, label, price }: Offer): Choice {
  return { value: String(id), label, detail: price === null ? undefined : creditsWithUnit(price) };
}

/* For admins: everything, also what is retired. */
export const allGamesQuery = { ...queryOf("GET /api/admin/games"), ...watched };
export const durationsQuery = { ...queryOf("GET /api/admin/durations"), ...watched };
export const priceListsQuery = { ...queryOf("GET /api/admin/price-lists"), ...watched };

export const addGame = withBody("POST /api/admin/games");

export const changeGame = withIdAndBody("PUT /api/admin/games/:id");

export const addDuration = withBody("POST /api/admin/durations");

export const changeDuration = withIdAndBody("PUT /api/admin/durations/:id");

export const addPriceList = withBody("POST /api/admin/price-lists");

export const changePriceList = withIdAndBody("PUT /api/admin/price-lists/:id");

export const assignPriceList = (resellerId: number, priceListId: number) =>
  call("PUT /api/admin/resellers/:id/price-list", { params: { id: resellerId }, body: { priceListId } });

/** Everything that shows games, durations or prices. */
export function refreshCatalogue(): Promise<void> {
  return refresh(allGamesQuery, durationsQuery, priceListsQuery, catalogueQuery, gamesQuery);
}
