import type { LedgerQuery, LedgerReason } from "../../../src/resellers/ledger-schema.ts";
import type { UrlChoices, UrlState } from "../../state/url-state.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { beginningOfDay, DayFilter } from "../../ui/table/day-filter.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { reasonNames } from "./words.ts";

type Values = { reason: NonNullable<LedgerQuery["reason"]>; from: string; to: string };

/** `from` and `to` are days in the reader's time zone: 2025-03-05. */
export const ledgerFilterDefaults: Values = { reason: "all", from: "", to: "" };

const reasonChoices: Choice<Values["reason"]>[] = [
  { value: "all", label: "All Changes" },
  ...Object.entries(reasonNames).map(([value, label]) => ({ value: value as LedgerReason, label })),
];

/** The valid values in the address. */
export const ledgerFilterChoices: UrlChoices<Values> = { reason: reasonChoices.map(({ value }) => value) };

/** The server's query, with the instants at which the reader's days begin and end. The last day is included. */
export function ledgerQueryOf({ reason, from, to }: Values): Pick<LedgerQuery, keyof Values> {
  return { reason, from: beginningOfDay(from), to: beginningOfDay(to, 1) };
}

export function LedgerFilters(url: UrlState<Values>) {
  const { values, change } = url;
  return (
    <FilterBar
      {...url}
      filters={[{ name: "reason", label: "What", choices: reasonChoices }]}
      more={{
        set: [values.from, values.to].filter((value) => value !== "").length,
        fields: (
          <>
            <DayFilter label="From" value={values.from} onChange={(from) => change({ from })} />
            <DayFilter label="To" value={values.to} onChange={(to) => change({ to })} />
          </>
        ),
      }}
    />
  );
}
