import { KeyRound } from "lucide-react";
import { useMemo, useState } from "react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import type { ApiFailure } from "../../api/api.ts";
import { adminKeyList } from "../../api/calls/admin-keys.ts";
import { adminSelection } from "../../api/calls/key-selection.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { refresh } from "../../api/query.ts";
import { countText } from "../../format.ts";
import { usePreload } from "../../runtime/preload.ts";
import { useUrlState } from "../../state/url-state.ts";
import { Button } from "../../ui/button.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { KeyFilters, keyFilterChoices, keyFilterDefaults, keyQueryOf } from "../keys/list/filters.tsx";
import { useSelecting } from "../keys/list/selecting.ts";
import { columnsWith, idOf } from "./columns.tsx";
import type { ManageProps } from "./key-management.tsx";

const loadDetails = () => import("./key-details.tsx");
const loadRevocation = () => import("./revocation.tsx");
const loadDialogs = () => Promise.all([loadDetails(), loadRevocation()]);
const KeyDetails = lazyDialog(loadDetails);
const Revocation = lazyDialog(loadRevocation);

/** A dialog keeps what it is about while it closes. */
type Opened = { open: boolean; about: AdminKey };

/** Rendered while its tab is selected only, and so is what it loads. */
export default function Manage({ search, onGenerate }: ManageProps) {
  const { values, change, clear, narrowed } = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const list = usePagedRows(adminKeyList, keyQueryOf(values), { failureText: listFailureText });
  const [details, setDetails] = useState<Opened | null>(null);
  const [revocation, setRevocation] = useState<Opened | null>(null);
  usePreload(loadDialogs);
  const { rowBox, SelectionBar, begin } = useSelecting();
  const revoke = (about: AdminKey) => setRevocation({ open: true, about });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they do is the same in every render, and columns have to be stable.
  const columns = useMemo(
    () => columnsWith({ onDetails: (about) => setDetails({ open: true, about }), onRevoke: revoke }),
    [],
  );

  return (
    <>
      <KeyFilters values={values} change={change} clear={clear} narrowed={narrowed} onSelect={begin} />
      <DataTable
        {...list}
        selectable
        lead={rowBox}
        label="Admin keys"
        columns={columns}
        rowId={idOf}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={<NoKeys onGenerate={onGenerate} />}
        noMatch={<EmptyState title="No keys found" hint="Try changing your search filters." />}
        footer={list.totalCount !== undefined && <Footer {...list} />}
      />
      {SelectionBar && (
        <SelectionBar
          {...list}
          filters={values}
          calls={adminSelection}
          onChanged={() => void refresh(adminKeyList, statsQuery)}
        />
      )}
      {details && (
        <KeyDetails
          open={details.open}
          onOpenChange={(open) => setDetails((now) => now && { ...now, open })}
          listed={details.about}
          onRevoke={revoke}
        />
      )}
      {revocation && (
        <Revocation
          open={revocation.open}
          onOpenChange={(open) => setRevocation((now) => now && { ...now, open })}
          revoked={revocation.about}
        />
      )}
    </>
  );
}

function NoKeys({ onGenerate }: Pick<ManageProps, "onGenerate">) {
  return (
    <EmptyState
      icon={<KeyRound size={20} />}
      title="No admin keys yet"
      hint="The keys that you and other admins generate show up here."
      action={
        <Button variant="primary" onClick={onGenerate}>
          Generate Keys
        </Button>
      }
    />
  );
}

/** X is how many keys the filters let through, whether or not one has scrolled to them; Y is all there are (rules.md: Key Management page). */
function Footer({ matchCount = 0, totalCount = 0 }: { matchCount?: number; totalCount?: number }) {
  return (
    <span role="status">
      Showing {countText(matchCount)} of {countText(totalCount)} total admin keys
    </span>
  );
}

/** 'HTTP error! status: {code}' (rules.md: Key Management page). A server that could not be reached has no status to tell. */
function listFailureText(error: unknown): string {
  const { status, message } = error as ApiFailure;
  return status ? `HTTP error! status: ${status}` : message;
}
