import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, Ban } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { keyQuery } from "../../../api/calls/keys.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { isRevocable, type Key } from "../list/columns.tsx";
import { KeyView } from "./key-view.tsx";

interface KeyDetailsProps extends Openable {
  area: Role;
  /** From the address on a reseller's page, so any text. */
  id: number | string;
  /** The key as its list has it: shown until the details arrive. */
  listed: Key | undefined;
  onRevoke?: (key: Key) => void;
}

export default function KeyDetails({ area, id, listed, onRevoke, ...dialog }: KeyDetailsProps) {
  const { data } = useQuery({ ...keyQuery(area, id), enabled: dialog.open });
  return (
    <Dialog
      {...dialog}
      title="Key Details"
      width={area === "admin" ? "wide" : undefined}
      footer={
        listed && (
          <>
            <LinkButton href={`/${area}/keys/${listed.id}`} icon={<ArrowUpRight size={16} />}>
              Open its page
            </LinkButton>
            {onRevoke && isRevocable(area, data ?? listed) && (
              <Button variant="danger-quiet" icon={<Ban size={16} />} onClick={() => onRevoke(listed)}>
                Revoke Key
              </Button>
            )}
            {area === "admin" && <Button onClick={() => dialog.onOpenChange(false)}>Close</Button>}
          </>
        )
      }
    >
      <KeyView area={area} id={id} listed={listed} />
    </Dialog>
  );
}
