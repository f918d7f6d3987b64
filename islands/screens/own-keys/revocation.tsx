import type { ResellerKey } from "../../../src/keys/schema.ts";
import { timelineOf } from "../../api/calls/key-life.ts";
import { ownKeyList, ownKeyQuery, revokeOwnKey } from "../../api/calls/own-keys.ts";
import { profileQuery } from "../../api/calls/profile.ts";
import { Revocation } from "../keys/list/revocation.tsx";

interface OwnKeyRevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: ResellerKey;
}

export default function OwnKeyRevocation(props: OwnKeyRevocationProps) {
  return (
    <Revocation
      {...props}
      revoke={revokeOwnKey}
      list={ownKeyList}
      changed={[ownKeyQuery(props.revoked.id), timelineOf("reseller", props.revoked.id), profileQuery]}
    />
  );
}
