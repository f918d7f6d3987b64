import { KeyRound, ListOrdered, SquarePlus } from "lucide-react";
import { useCallback, useState } from "react";
import { failureText } from "../api/api.ts";
import { ownKeyList } from "../api/calls/keys.ts";
import { profileQuery } from "../api/calls/session.ts";
import { countText, keyText, pluralText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { usePreload } from "../runtime/preload.ts";
import { useUrlState } from "../state/url-state.ts";
import { LinkButton } from "../ui/button.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { columnWidth } from "../ui/table/column.ts";
import type { Key } from "./keys/list/columns.tsx";
import { KeyList } from "./keys/list/key-list.tsx";
import { KeyText } from "./keys/list/key-text.tsx";

const KeyDetails = lazyDialog(() => import("./keys/life/key-details.tsx"));

/** The open key is in the address too, apart from the filters, so that a link can lead to it. */
const dialogDefaults = { key: "" };

const dateWidth = columnWidth(5.2, 6.8);
const columns = {
  key: { header: "Key", cell: CutKey },
  created: { width: dateWidth },
  expiry: { header: "Expiry", width: dateWidth },
  actionsWidth: columnWidth(7.8, 14.6, 2.65),
  viewLabel: "View",
};
const changed = [profileQuery];
const own = { area: "reseller" } as const;

/** /reseller/keys (rules.md: Key lists). `search` is the query string of the request. */
export default function OwnKeys({ search }: { search: string }) {
  const { values: dialog, change: changeDialog } = useUrlState(dialogDefaults, search);
  usePreload(KeyDetails.load);
  const onView = useCallback(({ id }: Key) => changeDialog({ key: String(id) }), [changeDialog]);

  return (
    <>
      <PageHeading
        title="Manage Keys"
        description="Search, view and revoke your keys."
        actions={
          <>
            <LinkButton href="/reseller/orders" icon={<ListOrdered size={16} />}>
              Orders
            </LinkButton>
            <LinkButton href="/reseller/generate" variant="primary" icon={<SquarePlus size={16} />}>
              Generate Keys
            </LinkButton>
          </>
        }
      />
      <KeyList
        scope={own}
        keys={ownKeyList}
        counted
        search={search}
        label="Your keys"
        changed={changed}
        columns={columns}
        onView={onView}
        failureText={(error) => failureText(error, "Your keys could not be loaded.")}
        empty={{
          icon: <KeyRound size={20} />,
          title: "No keys found.",
          hint: "Keys you generate appear here.",
          action: <LinkButton href="/reseller/generate">Generate Keys</LinkButton>,
        }}
        footer={({ rows, matchCount }) =>
          rows.length > 0 && (
            <span role="status">
              Showing {countText(rows.length)} of {pluralText(matchCount ?? rows.length, "key")}
            </span>
          )
        }
      >
        {(rows) => <Details id={dialog.key} rows={rows} close={() => changeDialog({ key: "" })} />}
      </KeyList>
    </>
  );
}

/** Shortened to the eye (rules.md: Key lists), but whole for screen readers, in the tooltip and when copied. */
function CutKey({ id, keyString }: Pick<Key, "id" | "keyString">) {
  return (
    <KeyText href={`/reseller/keys/${id}`} keyString={keyString}>
      <span aria-hidden>{keyText(keyString)}</span>
      <span className="sr-only">{keyString}</span>
    </KeyText>
  );
}

function Details({ id, rows, close }: { id: string; rows: readonly Key[]; close: () => void }) {
  /** The dialog still shows its key while it closes. */
  const [shownId, setShownId] = useState(id);
  if (id !== "" && id !== shownId) setShownId(id);
  // The server cannot wait for the dialog's script.
  if (!useHydrated() || shownId === "") return null;
  return (
    <KeyDetails
      area="reseller"
      open={id !== ""}
      id={shownId}
      listed={rows.find((row) => String(row.id) === shownId)}
      onOpenChange={(open) => !open && close()}
    />
  );
}
