import { priceCreditsMax } from "../../../src/catalogue/limits.ts";
import type { Price, PriceList } from "../../../src/catalogue/schema.ts";
import { tenthsOf } from "../../../src/core/credits.ts";
import { pluralText } from "../../format.ts";
import { readNumber } from "../../ui/field/field.tsx";

/** What was typed into the cells of a price list and is not saved, by cell. */
export type TypedPrices = Readonly<Record<string, string>>;

type Combination = Pick<Price, "gameId" | "durationId" | "deviceLimit">;

export function cellOf({ gameId, durationId, deviceLimit }: Combination): string {
  return `${gameId}-${durationId}-${deviceLimit}`;
}

/** The credits that were typed: null if the combination is not sold, NaN if it is no price. */
export function creditsIn(text: string): number | null {
  if (text.trim() === "") return null;
  const credits = readNumber(text);
  return credits >= 0 && credits <= priceCreditsMax && tenthsOf(credits) !== null ? credits : Number.NaN;
}

export type PriceChanges = ReturnType<typeof changesIn>;

/** What saving would do to the list. */
export function changesIn(list: PriceList, typed: TypedPrices) {
  const saved = new Map(list.prices.map((price) => [cellOf(price), price.credits]));
  const cells = Object.entries(typed)
    .map(([cell, text]) => ({ cell, before: saved.get(cell) ?? null, after: creditsIn(text) }))
    .filter(({ before, after }) => before !== after);
  const changed = cells.filter(({ before, after }) => before !== null && after !== null).length;
  const added = cells.filter(({ before }) => before === null).length;
  return {
    changed,
    added,
    removed: cells.length - changed - added,
    isAny: cells.length > 0,
    hasWrong: cells.some(({ after }) => Number.isNaN(after)),
  };
}

/** The list's prices with what was typed. */
export function pricesWith({ prices }: PriceList, typed: TypedPrices): Price[] {
  const kept = prices.filter((price) => typed[cellOf(price)] === undefined);
  const typedPrices = Object.entries(typed).flatMap(([cell, text]) => {
    const [gameId = 0, durationId = 0, deviceLimit = 0] = cell.split("-").map(Number);
    const credits = creditsIn(text);
    return credits === null ? [] : [{ gameId, durationId, deviceLimit, credits }];
  });
  return [...kept, ...typedPrices];
}

/** `3 prices change, 1 combination is no longer sold for 12 resellers.` */
export function changeSentence({ changed, added, removed }: PriceChanges, resellers: number | undefined): string {
  const parts = [
    changed > 0 && `${pluralText(changed, "price")} ${changed === 1 ? "changes" : "change"}`,
    added > 0 && `${pluralText(added, "combination")} ${added === 1 ? "is" : "are"} newly sold`,
    removed > 0 && `${pluralText(removed, "combination")} ${removed === 1 ? "is" : "are"} no longer sold`,
  ];
  const concerned =
    resellers === undefined ? "" : ` for ${resellers === 0 ? "no reseller" : pluralText(resellers, "reseller")}`;
  return `${parts.filter((part) => part !== false).join(", ")}${concerned}.`;
}
