import { Coins } from "lucide-react";
import { useMemo, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { LedgerEntry, LedgerQuery, LedgerReason } from "../../../src/resellers/ledger-schema.ts";
import type { Ledger } from "../../api/calls/ledger.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { DownloadCsv } from "../../api/use-download.tsx";
import { type UrlChoices, useUrlState } from "../../state/url-state.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { beginningOfDay } from "../../ui/table/day-filter.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { type LedgerLine, ledgerColumns, reasonNames } from "./columns.tsx";

interface LedgerListProps {
  ledger: Ledger;
  area: Role;
  search: string;
  /** Must be the same in every render. */
  onTakeBack?: (grant: LedgerEntry) => void;
}

/** Each change of the credits with its order, its actor and the new balance (rules.md: The ledger). */
export function LedgerList({ ledger, area, search, onTakeBack }: LedgerListProps) {
  const url = useUrlState(ledgerFilterDefaults, search, ledgerFilterChoices);
  const filters = ledgerQueryOf(url.values);
  const list = usePagedRows(ledger.list, filters);
  const [opened, setOpened] = useState<readonly number[]>([]);
  const columns = useMemo(() => ledgerColumns(area, { opened, setOpened, onTakeBack }), [area, opened, onTakeBack]);
  const rows = useMemo(() => linesOf(list.rows, opened), [list.rows, opened]);
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <FilterBar {...url} filters={[{ name: "reason", label: "Type", choices: reasonChoices }]} days />
        <DownloadCsv
          fetchFile={() => ledger.download(filters, "latchkey-credits.csv")}
          done="Credits downloaded successfully"
        />
      </div>
      <DataTable
        {...list}
        rows={rows}
        label="Credits"
        columns={columns}
        narrowed={url.narrowed}
        empty={{ icon: <Coins size={20} />, title: "No credits in or out yet" }}
        noMatch={{ title: "Nothing found", hint: "Try another type or other days." }}
      />
    </>
  );
}

/**
 * The loaded entries, newest first. Those about keys with the same instant, reason, amount and person are one line,
 * with its entries below it if its id is among `opened`.
 */
function linesOf(entries: readonly LedgerEntry[], opened: readonly number[]): LedgerLine[] {
  const acts = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const { id, keyId, at, reason, amount, by } = entry;
    const act = keyId === null ? String(id) : [at, reason, amount, by].join(" ");
    acts.set(act, [...(acts.get(act) ?? []), entry]);
  }
  return [...acts.values()].flatMap((all) => {
    const [newest] = all;
    if (!newest || all.length === 1) return all;
    // An id that no entry has.
    const id = -newest.id;
    const amount = Math.round(newest.amount * all.length * 10) / 10;
    const line = { ...newest, id, amount, orderId: null, keyId: null, count: all.length };
    return opened.includes(id) ? [line, ...all.map((entry) => ({ ...entry, isPart: true }))] : [line];
  });
}

type Values = { reason: NonNullable<LedgerQuery["reason"]>; from: string; to: string };

/** `from` and `to` are days in the reader's time zone: 2025-03-05. */
const ledgerFilterDefaults: Values = { reason: "all", from: "", to: "" };

const reasonChoices: Choice<Values["reason"]>[] = [
  { value: "all", label: "All Changes" },
  ...Object.entries(reasonNames).map(([value, label]) => ({ value: value as LedgerReason, label })),
];

/** The valid values in the address. */
const ledgerFilterChoices: UrlChoices<Values> = { reason: reasonChoices.map(({ value }) => value) };

/** The server's query, with the instants at which the reader's days begin and end. The last day is included. */
function ledgerQueryOf({ reason, from, to }: Values): Pick<LedgerQuery, keyof Values> {
  return { reason, from: beginningOfDay(from), to: beginningOfDay(to, 1) };
}
