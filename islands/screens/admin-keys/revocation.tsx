import type { AdminKey } from "../../../src/keys/schema.ts";
import { adminKeyList, keyQuery, revokeKey } from "../../api/calls/admin-keys.ts";
import { timelineOf } from "../../api/calls/key-life.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { Revocation } from "../keys/list/revocation.tsx";

interface AdminKeyRevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: AdminKey;
}

const words = {
  title: "Revoke Admin Key",
  question:
    "Are you sure you want to revoke this key? It stops working at once, on every device. This action cannot be undone.",
  doneToast: { title: "Success", description: "Key revoked successfully" },
};

export default function AdminKeyRevocation(props: AdminKeyRevocationProps) {
  return (
    <Revocation
      {...props}
      words={words}
      revoke={revokeKey}
      list={adminKeyList}
      changed={[keyQuery(props.revoked.id), timelineOf("admin", props.revoked.id), statsQuery]}
    />
  );
}
