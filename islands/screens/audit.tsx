import { ScrollText } from "lucide-react";
import { useId, useMemo } from "react";
import type { AuditQuery } from "../../src/audit/schema.ts";
import { actions } from "../../src/facts/audit-entry.ts";
import { searchCharactersMax } from "../../src/http/limits.ts";
import { auditList, downloadAuditLog } from "../api/calls/audit.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { refresh } from "../api/query.ts";
import { DownloadCsv } from "../api/use-download.tsx";
import { type UrlChoices, useUrlState } from "../state/url-state.ts";
import type { Choice } from "../ui/field/native-select.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { beginningOfDay, useTypedValue } from "../ui/table/day-filter.tsx";
import { FilterBar, filterLook } from "../ui/table/filter-bar.tsx";
import { columns } from "./audit/columns.tsx";
import { folded } from "./audit/folding.ts";
import { actionName } from "./audit/words.ts";

/** /admin/audit (rules.md: Reading the audit log). `search` is the query string of the request. */
export default function Audit({ search }: { search: string }) {
  const url = useUrlState(filterDefaults, search, filterChoices);
  const { actor } = url.values;
  const filters = queryOf(url.values);
  const list = usePagedRows(auditList, filters);
  const rows = useMemo(() => folded(list.rows), [list.rows]);
  const names = useMemo(
    () => [...new Set(list.rows.flatMap((entry) => entry.actor?.username ?? []))].sort(),
    [list.rows],
  );

  return (
    <>
      <PageHeading
        title="Audit Log"
        description="Who did what, when and from where. Entries cannot be changed."
        back={{ href: "/admin", label: "Overview" }}
        actions={
          <DownloadCsv
            fetchFile={() => downloadAuditLog(filters, "latchkey-audit-log.csv")}
            done="Audit log downloaded successfully"
            // The download is an entry itself.
            onDone={() => void refresh(auditList)}
          />
        }
      />
      <FilterBar
        {...url}
        search={{ label: "Search the audit log", placeholder: "Who, what, address" }}
        filters={[{ name: "action", label: "Action", choices: actionChoices }]}
        days
        more={{
          field: <NameFilter value={actor} names={names} onChange={(name) => url.change({ actor: name })} />,
          isSet: actor !== "",
        }}
      />
      <DataTable
        {...list}
        rows={rows}
        label="Audit log"
        columns={columns}
        narrowed={url.narrowed}
        empty={{ icon: <ScrollText size={20} />, title: "No entries yet" }}
        noMatch={{ title: "No entries match", hint: "Try another search, action, name or day." }}
      />
    </>
  );
}

type Values = { search: string; action: NonNullable<AuditQuery["action"]>; actor: string; from: string; to: string };

/** `from` and `to` are days in the reader's time zone: 2025-03-05. */
const filterDefaults: Values = { search: "", action: "all", actor: "", from: "", to: "" };

const actionChoices: Choice<Values["action"]>[] = [
  { value: "all", label: "All Actions" },
  ...actions.map((action) => ({ value: action, label: actionName(action) })),
];

/** Their valid values in the address. */
const filterChoices: UrlChoices<Values> = { action: actionChoices.map(({ value }) => value) };

/** The server's query, with the instants at which the reader's days begin and end. The last day is included. */
function queryOf({ search, action, actor, from, to }: Values): Pick<AuditQuery, keyof Values> {
  return { search, action, actor, from: beginningOfDay(from), to: beginningOfDay(to, 1) };
}

interface NameFilterProps {
  value: string;
  /** Suggested while typing; any other name may be typed. */
  names: readonly string[];
  onChange: (name: string) => void;
}

/** Matches whole usernames, so it is applied on choosing one, on Enter and on leaving the field. */
function NameFilter({ value, names, onChange }: NameFilterProps) {
  const id = useId();
  const [typed, setTyped] = useTypedValue(value);
  const settle = (name: string) => name.trim() !== value && onChange(name.trim());
  return (
    <label className={filterLook}>
      <span className="mb-1.5 block font-medium md:sr-only">Who did it</span>
      <input
        list={id}
        placeholder="Username"
        autoComplete="off"
        spellCheck={false}
        maxLength={searchCharactersMax}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === "" || names.includes(target.value)) settle(target.value);
        }}
        onBlur={() => settle(typed)}
        onKeyDown={({ key }) => key === "Enter" && settle(typed)}
        className="control px-3"
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
