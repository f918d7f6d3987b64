import { useAtomValue } from "jotai";
import { KeyRound, UserX } from "lucide-react";
import { resellerKeyList } from "../api/calls/keys.ts";
import { statsQuery } from "../api/calls/overview.ts";
import { resellerList } from "../api/calls/resellers.ts";
import { resellersLeftAtAtom } from "../state/atoms.ts";
import { LinkButton, TextLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading, type PageHeadingProps } from "../ui/page-heading.tsx";
import { columnWidth } from "../ui/table/column.ts";
import { KeyList } from "./keys/list/key-list.tsx";

const changed = [resellerList, statsQuery];

const columns = { actionsWidth: columnWidth(4.2, 8.1) };

interface KeysOfResellerProps {
  resellerId: string;
  /** `null` when the id is nobody's. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}/keys (rules.md: Reseller pages). */
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
      <KeyList
        whose={{ area: "admin", resellerId: Number(resellerId) }}
        keys={resellerKeyList(resellerId)}
        search={search}
        label="License keys"
        changed={changed}
        columns={columns}
        empty={
          <EmptyState
            icon={<KeyRound size={20} />}
            title="No keys found for this reseller"
            hint="The keys that this reseller generates show up here."
          />
        }
        noMatch={<EmptyState title="No keys match" hint="Try changing your search filters." />}
      />
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
