import { useRef } from "react";
import { noteCharactersMax } from "../../../src/core/field.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { TextField } from "../../ui/field/field.tsx";
import { useStatusChange } from "./changes.ts";

export default function Suspend({ reseller, ...dialog }: Openable & { reseller: Reseller }) {
  const { mutateAsync } = useStatusChange();
  const reason = useRef<HTMLInputElement>(null);
  return (
    <Confirm
      {...dialog}
      title="Suspend Reseller"
      text={
        <>
          <strong className="font-medium text-text">{reseller.username}</strong> will be told and signed out at once, on
          every open page, and cannot sign in or generate keys until you activate the account again. Credits stay, and
          the keys already sold go on working.
        </>
      }
      confirmLabel="Suspend"
      busyLabel="Suspending..."
      onConfirm={() => mutateAsync({ ...reseller, reason: reason.current?.value })}
    >
      <TextField
        ref={reason}
        label="Reason (optional)"
        maxLength={noteCharactersMax}
        autoComplete="off"
        hint="For admins: it stands with the account, and on the record."
      />
    </Confirm>
  );
}
