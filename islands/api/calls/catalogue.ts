import { useQuery } from "@tanstack/react-query";
import type { Catalogue } from "../../../src/catalogue/schema.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { queryOf } from "../call.ts";

const staleMs = 10_000;

/** What the caller can order. An open form learns of a change when the page is looked at again. */
export const catalogueQuery = {
  ...queryOf("GET /api/catalogue"),
  staleTime: staleMs,
  refetchOnWindowFocus: true,
};

/** The names of all games, also of retired ones: their keys are in the lists. */
export const gamesQuery = queryOf("GET /api/games");

/** The choices of a list's game filter. Until they are loaded, `chosen` is one of them. */
export function useGameFilter(chosen: string): Choice[] {
  const { data = [] } = useQuery(gamesQuery);
  const names = data.map(({ name }) => name);
  const others = chosen === "all" || names.includes(chosen) ? names : [...names, chosen];
  return [{ value: "all", label: "All Games" }, ...others.map((name) => ({ value: name, label: name }))];
}

/** Credits for one key; null if it is not sold, or if no game is chosen and prices of games differ. */
export function priceIn(
  { prices }: Pick<Catalogue, "prices">,
  { gameId, durationId, deviceLimit }: { gameId: number | undefined; durationId: number; deviceLimit: number },
): number | null {
  const found = prices.filter(
    (price) =>
      price.durationId === durationId &&
      price.deviceLimit === deviceLimit &&
      (gameId === undefined || price.gameId === gameId),
  );
  const [first] = found;
  return first && found.every(({ credits }) => credits === first.credits) ? first.credits : null;
}
