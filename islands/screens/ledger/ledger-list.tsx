import { Coins } from "lucide-react";
import { useMemo } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { LedgerEntry } from "../../../src/resellers/ledger-schema.ts";
import type { Ledger } from "../../api/calls/ledger.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { DownloadCsv } from "../../api/use-download.tsx";
import { useUrlState } from "../../state/url-state.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ledgerColumns } from "./columns.tsx";
import { LedgerFilters, ledgerFilterChoices, ledgerFilterDefaults, ledgerQueryOf } from "./filters.tsx";

const idOf = ({ id }: LedgerEntry) => id;

interface LedgerListProps {
  ledger: Ledger;
  area: Role;
  search: string;
}

/** What came, what went, for which order and by whom, and the balance after (rules.md: The ledger). */
export function LedgerList({ ledger, area, search }: LedgerListProps) {
  const url = useUrlState(ledgerFilterDefaults, search, ledgerFilterChoices);
  const filters = ledgerQueryOf(url.values);
  const list = usePagedRows(ledger.list, filters);
  const columns = useMemo(() => ledgerColumns(area), [area]);
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <LedgerFilters {...url} />
        <DownloadCsv
          fetchFile={() => ledger.download(filters, "latchkey-credits.csv")}
          done="Credits downloaded successfully"
        />
      </div>
      <DataTable
        {...list}
        label="Credits"
        columns={columns}
        rowId={idOf}
        narrowed={url.narrowed}
        empty={<EmptyState icon={<Coins size={20} />} title="No credits came or went yet" />}
        noMatch={<EmptyState title="Nothing fits" hint="Try another kind of change, or other days." />}
      />
    </>
  );
}
