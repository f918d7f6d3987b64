import type { ResellerKey } from "../../../src/keys/schema.ts";
import { postJson } from "../../api.ts";
import { putRow } from "../../paged-rows.ts";
import { refresh } from "../../query.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { sayFailure } from "../../ui/failure-toast.ts";
import { showToast } from "../../ui/toast-store.ts";

const keysPath = "/api/reseller/keys";

/** Asks in the words of section 2 before a key is revoked, and says which key it is about. */
export default function Revocation(props: { open: boolean; revoking: ResellerKey; close: () => void }) {
  const { open, revoking, close } = props;
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Revoke License Key"
      text={
        <>
          <span className="block">
            Are you sure you want to revoke this key? This action cannot be undone. Users will no longer be able to use
            this license key after revocation.
          </span>
          <span className="key-text mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {revoking.keyString}
          </span>
        </>
      }
      confirmLabel="Revoke Key"
      busyLabel="Revoking..."
      cancelLabel="Cancel"
      destructive
      onConfirm={() => revoke(revoking)}
    />
  );
}

async function revoke({ id }: ResellerKey): Promise<void> {
  try {
    const { key } = await postJson<{ key: ResellerKey }>(`${keysPath}/${id}/revoke`);
    putRow(keysPath, key);
    showToast({ title: "Key Revoked", description: "The key has been successfully revoked" });
  } catch (error) {
    sayFailure(error, "Failed to revoke key");
    throw error;
  } finally {
    // After a refusal too: the key may have expired, or been revoked elsewhere.
    void refresh(keysPath, `${keysPath}/${id}`, "/api/reseller/profile");
  }
}
