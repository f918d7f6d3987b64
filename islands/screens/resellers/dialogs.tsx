import { useRef } from "react";
import { noteCharactersMax } from "../../../src/core/field.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { endSessionsOf } from "../../api/calls/resellers.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { TextField } from "../../ui/field/field.tsx";
import { StrongName } from "../../ui/table/card-text.tsx";
import { AddCredit } from "./add-credit.tsx";
import { useStatusChange } from "./changes.ts";
import { ResetPassword } from "./reset-password.tsx";

export interface ResellerDialogProps extends Openable {
  action: "credit" | "suspension" | "password" | "sessions";
  /** Credit may be added without a row. */
  about: Reseller | null;
}

/** The dialogs about a reseller. One at a time: each is modal. */
export default function ResellerDialog({ action, about, ...dialog }: ResellerDialogProps) {
  if (action === "credit") return <AddCredit {...dialog} reseller={about} />;
  if (!about) return null;
  if (action === "suspension") return <Suspend {...dialog} reseller={about} />;
  if (action === "password") return <ResetPassword {...dialog} reseller={about} />;
  return <EndSessions {...dialog} reseller={about} />;
}

function Suspend({ reseller, ...dialog }: Openable & { reseller: Reseller }) {
  const { mutateAsync } = useStatusChange();
  const reason = useRef<HTMLInputElement>(null);
  return (
    <Confirm
      {...dialog}
      title="Suspend Reseller"
      text={
        <>
          <StrongName of={reseller.username} /> is notified and signed out everywhere at once, and can't sign in or
          generate keys until you reactivate the account. Credits stay, and keys already sold keep working.
        </>
      }
      confirmLabel="Suspend"
      busyLabel="Suspending..."
      onConfirm={() => mutateAsync({ ...reseller, reason: reason.current?.value })}
    >
      <TextField ref={reason} label="Reason (optional)" maxLength={noteCharactersMax} hint="Only admins can see it." />
    </Confirm>
  );
}

function EndSessions({ reseller: { id, username }, ...dialog }: Openable & { reseller: Reseller }) {
  return (
    <Confirmation
      {...dialog}
      title="End Sessions"
      text={
        <>
          <StrongName of={username} /> is signed out everywhere at once, and can sign in again with the same password.
        </>
      }
      busyLabel="Ending..."
      mutationFn={() => endSessionsOf(id)}
      done={({ message }) => message}
      failed="Failed to end sessions"
    />
  );
}
