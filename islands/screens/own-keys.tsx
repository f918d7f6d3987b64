import { KeyRound, ListOrdered, SquarePlus } from "lucide-react";
import { useMemo, useState } from "react";
import type { ResellerKey } from "../../src/keys/schema.ts";
import { failureText } from "../api/api.ts";
import { ownSelection } from "../api/calls/key-selection.ts";
import { ownKeyList } from "../api/calls/own-keys.ts";
import { profileQuery } from "../api/calls/profile.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { refresh } from "../api/query.ts";
import { countText, pluralText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { useUrlState } from "../state/url-state.ts";
import { LinkButton } from "../ui/button.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { KeyFilters, keyFilterChoices, keyFilterDefaults, keyQueryOf } from "./keys/list/filters.tsx";
import { useSelecting } from "./keys/list/selecting.ts";
import { columnsWith } from "./own-keys/columns.tsx";
import { importKeyDetails, importRevocation } from "./own-keys/dialogs.ts";

const KeyDetails = lazyDialog(importKeyDetails);
const Revocation = lazyDialog(importRevocation);

/** Which key is open stands in the address too, apart from the filters, so that a link can lead to it. */
const dialogDefaults = { key: "" };

const saying = (error: unknown) => failureText(error, "Your keys could not be loaded.");

/** /reseller/keys (rules.md: Manage Keys page). `search` is the query string that the page was asked with. */
export default function OwnKeys({ search }: { search: string }) {
  const { values, change, clear, narrowed } = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const { values: dialog, change: changeDialog } = useUrlState(dialogDefaults, search);
  const [revoking, setRevoking] = useState<ResellerKey | null>(null);
  const list = usePagedRows(ownKeyList, { ...keyQueryOf(values), count: "true" }, { failureText: saying });
  const { rowBox, SelectionBar, begin } = useSelecting();
  const columns = useMemo(
    () => columnsWith({ onView: ({ id }) => changeDialog({ key: String(id) }), onRevoke: setRevoking }),
    [changeDialog],
  );

  return (
    <>
      <PageHeading
        title="Manage Keys"
        description="Search, look inside, and revoke."
        actions={
          <>
            <LinkButton href="/reseller/orders" icon={<ListOrdered aria-hidden size={16} />}>
              Orders
            </LinkButton>
            <LinkButton href="/reseller/generate" variant="primary" icon={<SquarePlus aria-hidden size={16} />}>
              Generate Keys
            </LinkButton>
          </>
        }
      />
      <KeyFilters values={values} change={change} narrowed={narrowed} clear={clear} onSelect={begin} />
      <DataTable
        {...list}
        selectable
        lead={rowBox}
        label="Your keys"
        columns={columns}
        rowId={(key) => key.id}
        narrowed={narrowed}
        empty={<NoKeys />}
        noMatch={<EmptyState title="No keys found." hint="Try changing your search filters." />}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        footer={list.rows.length > 0 && <Footer {...list} />}
      />
      {SelectionBar && (
        <SelectionBar
          {...list}
          filters={values}
          calls={ownSelection}
          onChanged={() => void refresh(ownKeyList, profileQuery)}
        />
      )}
      <Dialogs
        id={dialog.key}
        rows={list.rows}
        close={() => changeDialog({ key: "" })}
        revoking={revoking}
        stopRevoking={() => setRevoking(null)}
      />
    </>
  );
}

function NoKeys() {
  return (
    <EmptyState
      icon={<KeyRound size={20} />}
      title="No keys found."
      hint="The keys that you generate show up here."
      action={<LinkButton href="/reseller/generate">Generate Keys</LinkButton>}
    />
  );
}

function Footer({ rows, matchCount }: { rows: readonly unknown[]; matchCount?: number }) {
  return (
    <span role="status">
      Showing {countText(rows.length)} of {pluralText(matchCount ?? rows.length, "key")}
    </span>
  );
}

/** They stay in the page once they were opened, so that they can leave it in their own time. */
function Dialogs(props: {
  id: string;
  rows: readonly ResellerKey[];
  close: () => void;
  revoking: ResellerKey | null;
  stopRevoking: () => void;
}) {
  const { id, rows, close, revoking, stopRevoking } = props;
  const shownId = useLastShown(id === "" ? null : id);
  const shownRevoking = useLastShown(revoking);
  const hydrated = useHydrated();
  // The server cannot wait for their scripts.
  if (!hydrated) return null;
  return (
    <>
      {shownId !== null && (
        <KeyDetails
          open={id !== ""}
          id={shownId}
          listed={rows.find((row) => String(row.id) === shownId)}
          onOpenChange={(open) => !open && close()}
        />
      )}
      {shownRevoking && (
        <Revocation open={revoking !== null} onOpenChange={(next) => !next && stopRevoking()} revoked={shownRevoking} />
      )}
    </>
  );
}

/** What a dialog showed last: while it leaves the page, it still has to show something. */
function useLastShown<Shown>(now: Shown | null): Shown | null {
  const [last, setLast] = useState(now);
  if (now !== null && now !== last) setLast(now);
  return now ?? last;
}
