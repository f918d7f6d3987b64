import { KeyRound } from "lucide-react";
import { keyListOf } from "../api/calls/keys.ts";
import { statsQuery } from "../api/calls/overview.ts";
import { resellerList } from "../api/calls/resellers.ts";
import { TextLink } from "../ui/button.tsx";
import { columnWidth } from "../ui/table/column.ts";
import { KeyList } from "./keys/list/key-list.tsx";
import { ResellerPage } from "./resellers/reseller-page.tsx";

const changed = [resellerList, statsQuery];

const columns = { actionsWidth: columnWidth(6.25, 11.1, 1.9) };

interface KeysOfResellerProps {
  resellerId: string;
  /** `null` if there is no such reseller. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}/keys (rules.md: Reseller pages). */
export default function KeysOfReseller({ resellerId, username, search }: KeysOfResellerProps) {
  return (
    <ResellerPage
      unknown={username === null}
      title="Manage Keys"
      description={
        <>
          License keys of{" "}
          <TextLink href={`/admin/resellers/${resellerId}`}>
            <span translate="no">{username}</span>
          </TextLink>
        </>
      }
    >
      <KeyList
        scope={{ area: "admin", resellerId: Number(resellerId) }}
        // The server renders the page without the number.
        keys={keyListOf("admin", resellerId)}
        search={search}
        label="License keys"
        changed={changed}
        columns={columns}
        empty={{
          icon: <KeyRound size={20} />,
          title: "No keys found for this reseller",
          hint: "Keys this reseller generates appear here.",
        }}
      />
    </ResellerPage>
  );
}
