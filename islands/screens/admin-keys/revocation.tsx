import type { AdminKey } from "../../../src/keys/schema.ts";
import { Revocation } from "../../key-list/revocation.tsx";
import { deleteJson } from "../../server/api.ts";
import { detailsPath } from "./details-path.ts";
import { managePath } from "./manage-page.ts";

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
      revoke={({ id }) => deleteJson<{ key: AdminKey }>(`/api/admin/keys/${id}`)}
      listPath={managePath}
      changedPaths={[detailsPath(props.revoked.id), "/api/admin/stats"]}
    />
  );
}
