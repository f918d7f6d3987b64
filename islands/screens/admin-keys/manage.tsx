import { KeyRound } from "lucide-react";
import { useCallback } from "react";
import type { ApiFailure } from "../../api/api.ts";
import { adminKeyList } from "../../api/calls/keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { countText, daysLeftText } from "../../format.ts";
import { usePreload } from "../../runtime/preload.ts";
import { Button } from "../../ui/button.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth } from "../../ui/table/column.ts";
import { Time } from "../../ui/time.tsx";
import type { Key } from "../keys/list/columns.tsx";
import { KeyList } from "../keys/list/key-list.tsx";
import type { ManageProps } from "./key-management.tsx";

const KeyDetails = lazyDialog(() => import("../keys/life/key-details.tsx"));

const changed = [statsQuery];
const ofAdmins = { area: "admin" } as const;

/** Dates are in words here (rules.md: Dates and figures), and longer. */
const dates = { width: columnWidth(5.5, 7.15), skeleton: <Skeleton className="w-[5.3rem]" /> };
const columns = {
  created: { ...dates, cell: ({ createdAt }: Key) => <Time value={createdAt} format="dateInWords" /> },
  expiry: { ...dates, cell: Expiry },
  actionsWidth: columnWidth(5.5, 13.65, 0.8),
  viewLabel: "Details",
};

/** Rendered only while its tab is selected, and so is what it loads. */
export default function Manage({ search, onGenerate }: ManageProps) {
  const { dialog, show } = useDialog<{ listed: Key }>();
  usePreload(KeyDetails.load);
  const onView = useCallback((listed: Key) => show({ listed }), [show]);

  return (
    <KeyList
      scope={ofAdmins}
      keys={adminKeyList}
      search={search}
      label="Admin keys"
      changed={changed}
      columns={columns}
      onView={onView}
      failureText={listFailureText}
      empty={
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
      }
      noMatch={<EmptyState title="No keys found" hint="Try changing your search filters." />}
      // The first count is of the keys that match, loaded or not (rules.md: Key lists).
      footer={({ matchCount = 0, totalCount }) =>
        totalCount !== undefined && (
          <span role="status">
            Showing {countText(matchCount)} of {countText(totalCount)} total admin keys
          </span>
        )
      }
    >
      {(_, onRevoke) => dialog && <KeyDetails {...dialog} area="admin" id={dialog.listed.id} onRevoke={onRevoke} />}
    </KeyList>
  );
}

/** A table's rows have room for the remaining time, a phone's cards do not. */
function Expiry({ expiryDate, status }: Key) {
  return (
    <>
      <Time value={expiryDate} format="dateInWords" />
      {status === "ACTIVE" && (
        <span className="figures block text-xs text-muted max-md:hidden">{daysLeftText(expiryDate)}</span>
      )}
    </>
  );
}

/** 'HTTP error! status: {code}'. A server that could not be reached has sent no status. */
function listFailureText(error: unknown): string {
  const { status, message } = error as ApiFailure;
  return status ? `HTTP error! status: ${status}` : message;
}
