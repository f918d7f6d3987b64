import { useQuery } from "@tanstack/react-query";
import { ApiFailure } from "../../api/api.ts";
import { adminKeyList, resetDevices } from "../../api/calls/keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { refresh } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

export default function ResetDevices(dialog: Openable) {
  return (
    <Confirmation
      {...dialog}
      title="Reset All Keys"
      text={<WhatHappens />}
      confirmLabel="RESET ALL KEYS"
      busyLabel="Resetting..."
      typedWord="RESET"
      mutationFn={resetDevices}
      done={({ resetCount }) => `Reset devices for ${resetCount} keys successfully`}
      failed={fallbackFor}
      onSuccess={() => void refresh(adminKeyList, statsQuery)}
    />
  );
}

/** A separate component, so that it counts again each time the dialog opens. */
function WhatHappens() {
  const { data } = useQuery({ ...statsQuery, staleTime: 0 });
  return (
    <>
      <span className="block">
        Every device is removed from <strong className="font-medium text-text">every key</strong>, including resellers'
        keys{data && <>: {pluralText(data.activeKeys, "active key")} and all expired or revoked ones</>}.
      </span>
      <span className="mt-2 block">
        Players reconnect when they next start the app, first come, first served. This cannot be undone.
      </span>
    </>
  );
}

/** Two wordings: one for a refusal without a sentence, one for no response. */
function fallbackFor(error: unknown): string {
  const hasResponse = error instanceof ApiFailure && error.response !== "nothing";
  return hasResponse ? "Failed to reset devices" : "Failed to reset all devices";
}
