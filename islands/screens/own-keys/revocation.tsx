import type { ResellerKey } from "../../../src/keys/schema.ts";
import { Revocation } from "../../key-list/revocation.tsx";
import { postJson } from "../../server/api.ts";

const keysPath = "/api/reseller/keys";

interface OwnKeyRevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: ResellerKey;
}

export default function OwnKeyRevocation(props: OwnKeyRevocationProps) {
  return (
    <Revocation
      {...props}
      revoke={({ id }) => postJson<{ key: ResellerKey }>(`${keysPath}/${id}/revoke`)}
      listPath={keysPath}
      changedPaths={[`${keysPath}/${props.revoked.id}`, "/api/reseller/profile"]}
    />
  );
}
