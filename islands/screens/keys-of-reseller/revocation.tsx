import type { AdminKey } from "../../../src/keys/schema.ts";
import { revokeKey } from "../../api/calls/admin-keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { resellerList } from "../../api/calls/resellers.ts";
import type { List } from "../../api/list.ts";
import { Revocation } from "../keys/list/revocation.tsx";

interface ResellerKeyRevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: AdminKey;
  /** Each reseller's keys are a list of their own. */
  list: List<AdminKey, never>;
}

export default function ResellerKeyRevocation(props: ResellerKeyRevocationProps) {
  return <Revocation {...props} revoke={revokeKey} changed={[resellerList, statsQuery]} />;
}
