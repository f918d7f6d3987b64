import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { auditList, downloadRecord } from "../api/calls/audit.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { refresh } from "../api/query.ts";
import { DownloadCsv } from "../api/use-download.tsx";
import { useUrlState } from "../state/url-state.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { columns, idOf } from "./audit/columns.tsx";
import { AuditFilters, filterChoices, filterDefaults, queryOf } from "./audit/filters.tsx";

/** The record (rules.md: Record page). `search` is the query string that the page was asked with. */
export default function Audit({ search }: { search: string }) {
  const url = useUrlState(filterDefaults, search, filterChoices);
  const filters = queryOf(url.values);
  const list = usePagedRows(auditList, filters);
  const names = useMemo(
    () => [...new Set(list.rows.flatMap(({ actor }) => actor?.username ?? []))].sort(),
    [list.rows],
  );

  return (
    <>
      <PageHeading
        title="Record"
        description="Who did what, when and from where. What is on record cannot be changed."
        back={{ href: "/admin", label: "Overview" }}
        actions={
          <DownloadCsv
            fetchFile={() => downloadRecord(filters, "latchkey-record.csv")}
            done="Record downloaded successfully"
            // The download itself is on record.
            onDone={() => void refresh(auditList)}
          />
        }
      />
      <AuditFilters {...url} names={names} />
      <DataTable
        {...list}
        label="Record"
        columns={columns}
        rowId={idOf}
        narrowed={url.narrowed}
        empty={<EmptyState icon={<ScrollText size={20} />} title="Nothing is on record yet" />}
        noMatch={<EmptyState title="Nothing on record fits" hint="Try another search, action, name or day." />}
      />
    </>
  );
}
