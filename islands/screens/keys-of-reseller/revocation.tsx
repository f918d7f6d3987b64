import type { AdminKey } from "../../../src/keys/schema.ts";
import { Revocation } from "../../key-list/revocation.tsx";
import { deleteJson } from "../../server/api.ts";

interface ResellerKeyRevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: AdminKey;
  /** Each reseller's keys are a list of their own. */
  listPath: string;
}

export default function ResellerKeyRevocation(props: ResellerKeyRevocationProps) {
  return (
    <Revocation
      {...props}
      revoke={({ id }) => deleteJson<{ key: AdminKey }>(`/api/admin/keys/${id}`)}
      changedPaths={["/api/admin/resellers", "/api/admin/stats"]}
    />
  );
}
