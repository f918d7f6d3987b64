import { KeyRound, UserX } from "lucide-react";
import { useMemo, useState } from "react";
import type { AdminKey } from "../../src/keys/schema.ts";
import { KeyFilters, keyFilterChoices, keyFilterDefaults, keyQueryOf } from "../key-list/filters.tsx";
import { usePagedRows } from "../paged-rows.ts";
import { usePreload } from "../preload.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { lateDialog } from "../ui/late-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { useUrlState } from "../ui/url-state.ts";
import { columnsWith } from "./reseller-keys/columns.tsx";

const loadRevocation = () => import("./reseller-keys/revocation.tsx");
const Revocation = lateDialog(loadRevocation);

const back = { href: "/admin/resellers", label: "Back to resellers" };
const idOf = ({ id }: AdminKey) => id;

interface ResellerKeysProps {
  resellerId: number;
  /** `null` when the id is nobody's. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}/keys (section 2). */
export default function ResellerKeys({ resellerId, username, search }: ResellerKeysProps) {
  if (username === null) return <UnknownReseller />;
  return (
    <>
      <PageHeading
        title="Manage Keys"
        description={
          <>
            License keys of <strong className="font-medium text-text">{username}</strong>
          </>
        }
        back={back}
      />
      <KeyList resellerId={resellerId} search={search} />
    </>
  );
}

function KeyList({ resellerId, search }: Omit<ResellerKeysProps, "username">) {
  const path = `/api/admin/resellers/${resellerId}/keys`;
  const { values, change, clear, narrowed } = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const list = usePagedRows<AdminKey>(path, keyQueryOf(values));
  /** The dialog keeps what it is about while it closes. */
  const [revocation, setRevocation] = useState<{ open: boolean; revoked: AdminKey } | null>(null);
  const columns = useMemo(() => columnsWith((revoked) => setRevocation({ open: true, revoked })), []);
  usePreload(loadRevocation);

  return (
    <>
      <KeyFilters values={values} change={change} clear={clear} narrowed={narrowed} />
      <DataTable
        {...list}
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
      {revocation && (
        <Revocation
          open={revocation.open}
          onOpenChange={(open) => setRevocation((now) => now && { ...now, open })}
          revoked={revocation.revoked}
          listPath={path}
        />
      )}
    </>
  );
}

function UnknownReseller() {
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
