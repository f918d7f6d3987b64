import { useQuery } from "@tanstack/react-query";
import { keyListOf, keyQuery, revokeKey } from "../../../api/calls/keys.ts";
import { putRow } from "../../../api/paged-rows.ts";
import { Confirmation } from "../../../forms/confirmation.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import { showToast } from "../../../ui/toast/store.ts";
import type { KeyChangeProps } from "./extension.tsx";
import { givenBackText, OfflineNote, refundText } from "./revocation-notes.tsx";

const licenseKeyWords = {
  title: "Revoke License Key",
  question:
    "Are you sure you want to revoke this key? This action cannot be undone. Users will no longer be able to use this license key after revocation.",
  doneToast: { title: "Key Revoked", description: "The key has been successfully revoked" },
};

const adminKeyWords = {
  title: "Revoke Admin Key",
  question:
    "Are you sure you want to revoke this key? It stops working at once, on every device. This action cannot be undone.",
  doneToast: { title: "Success", description: "Key revoked successfully" },
};

/** Asks before a key is revoked, and shows its row as the server returned it. */
export default function Revocation({ scope, of: revoked, onChanged, ...dialog }: KeyChangeProps) {
  const { area, resellerId } = scope;
  const isAdmins = area === "admin" && resellerId === undefined;
  const words = isAdmins ? adminKeyWords : licenseKeyWords;
  // Nothing was paid for keys of admins.
  const { data: detail } = useQuery({ ...keyQuery(area, revoked.id), enabled: dialog.open && !isAdmins });
  const refund = detail && refundText(detail);
  return (
    <Confirmation
      {...dialog}
      title={words.title}
      text={
        <>
          <span className="block">{words.question}</span>
          <OfflineNote game={revoked.game} />
          <Verbatim className="mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {revoked.keyString}
          </Verbatim>
        </>
      }
      confirmLabel="Revoke Key"
      busyLabel="Revoking..."
      mutationFn={() => revokeKey(area, revoked.id)}
      onSuccess={({ key, refund: givenBack }) => {
        putRow(keyListOf(area, resellerId), key);
        const { title, description } = words.doneToast;
        showToast({ title, description: [description, givenBackText(givenBack)].filter(Boolean).join(". ") });
      }}
      failed="Failed to revoke key"
      onSettled={onChanged}
      closesAfter={["KEY_ALREADY_REVOKED"]}
      sentences={{ KEY_ALREADY_REVOKED: "It was already revoked." }}
    >
      {refund && (
        <p role="status" className="figures font-medium">
          {refund}
        </p>
      )}
    </Confirmation>
  );
}
