import type { AdminKey } from "../../../src/keys/schema.ts";
import { Revocation } from "../../key-list/revocation.tsx";
import { revokeKey } from "../../server/admin-keys.ts";
import type { List } from "../../server/list.ts";
import { statsQuery } from "../../server/overview.ts";
import { resellerList } from "../../server/resellers.ts";

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
