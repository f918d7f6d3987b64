import type { ResellerKey } from "../../../src/keys/schema.ts";
import { Revocation } from "../../key-list/revocation.tsx";
import { timelineOf } from "../../server/key-life.ts";
import { ownKeyList, ownKeyQuery, revokeOwnKey } from "../../server/own-keys.ts";
import { profileQuery } from "../../server/profile.ts";

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
