import { useAtomValue } from "jotai";
import { KeyRound, UserX } from "lucide-react";
import { useMemo, useState } from "react";
import type { AdminKey } from "../../src/keys/schema.ts";
import { resellerKeyList } from "../api/calls/admin-keys.ts";
import { resellerSelection } from "../api/calls/key-selection.ts";
import { statsQuery } from "../api/calls/overview.ts";
import { resellerList } from "../api/calls/resellers.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { refresh } from "../api/query.ts";
import { usePreload } from "../runtime/preload.ts";
import { resellersLeftAtAtom } from "../state/atoms.ts";
import { useUrlState } from "../state/url-state.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading, type PageHeadingProps } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { KeyFilters, keyFilterChoices, keyFilterDefaults, keyQueryOf } from "./keys/list/filters.tsx";
import { useSelecting } from "./keys/list/selecting.ts";
import { columnsWith } from "./keys-of-reseller/columns.tsx";

const loadRevocation = () => import("./keys-of-reseller/revocation.tsx");
const Revocation = lazyDialog(loadRevocation);

const idOf = ({ id }: AdminKey) => id;

interface KeysOfResellerProps {
  resellerId: string;
  /** `null` when the id is nobody's. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}/keys (rules.md: Keys of a reseller page). */
export default function KeysOfReseller({ resellerId, username, search }: KeysOfResellerProps) {
  const resellersLeftAt = useAtomValue(resellersLeftAtAtom);
  const back = { href: `/admin/resellers${resellersLeftAt}`, label: "Back to resellers" };
  if (username === null) return <UnknownReseller back={back} />;
  return (
    <>
      <PageHeading
        title="Manage Keys"
        description={
          <>
            License keys of <TextLink href={`/admin/resellers/${resellerId}`}>{username}</TextLink>
          </>
        }
        back={back}
      />
      <KeyList resellerId={resellerId} search={search} />
    </>
  );
}

function KeyList({ resellerId, search }: Omit<KeysOfResellerProps, "username">) {
  const keys = resellerKeyList(resellerId);
  const { values, change, clear, narrowed } = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const list = usePagedRows(keys, keyQueryOf(values));
  /** The dialog keeps what it is about while it closes. */
  const [revocation, setRevocation] = useState<{ open: boolean; revoked: AdminKey } | null>(null);
  const columns = useMemo(() => columnsWith((revoked) => setRevocation({ open: true, revoked })), []);
  usePreload(loadRevocation);
  const { rowBox, SelectionBar, begin } = useSelecting();
  const calls = useMemo(() => resellerSelection(Number(resellerId)), [resellerId]);

  return (
    <>
      <KeyFilters values={values} change={change} clear={clear} narrowed={narrowed} onSelect={begin} />
      <DataTable
        {...list}
        selectable
        lead={rowBox}
        label="License keys"
        columns={columns}
        rowId={idOf}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={
          <EmptyState
            icon={<KeyRound size={20} />}
            title="No keys found for this reseller"
            hint="The keys that this reseller generates show up here."
          />
        }
        noMatch={<EmptyState title="No keys match" hint="Try changing your search filters." />}
      />
      {SelectionBar && (
        <SelectionBar
          {...list}
          filters={values}
          calls={calls}
          onChanged={() => void refresh(keys, resellerList, statsQuery)}
        />
      )}
      {revocation && (
        <Revocation
          open={revocation.open}
          onOpenChange={(open) => setRevocation((now) => now && { ...now, open })}
          revoked={revocation.revoked}
          list={keys}
        />
      )}
    </>
  );
}

function UnknownReseller({ back }: Pick<PageHeadingProps, "back">) {
  return (
    <>
      <PageHeading title="Manage Keys" back={back} />
      <Card>
        <EmptyState
          icon={<UserX size={20} />}
          title="There is no such reseller."
          hint="The address names an account that does not exist. Choose one from the list."
          action={
            <LinkButton href="/admin/resellers" variant="primary">
              Manage Resellers
            </LinkButton>
          }
        />
      </Card>
    </>
  );
}
