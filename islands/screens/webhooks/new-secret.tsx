import { useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { Webhook } from "../../../src/webhooks/schema.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";

/** Asks, and then shows the new secret. Both are in one script: a secret that could not be shown would be lost. */
export default function NewSecret({ area, webhook, ...dialog }: Openable & { area: Role; webhook: Webhook }) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Confirmation
        {...dialog}
        title="New Secret"
        text="For 24 hours events are signed with both the new and the previous secret, so that your server misses none while you replace it. If a secret leaked, make two new ones: it then stops at once."
        confirmLabel="Make New Secret"
        busyLabel="Making..."
        variant="primary"
        mutationFn={() => webhookCalls(area).rotate(webhook.id)}
        onSuccess={(made) => setSecret(made.secret)}
        failed="Failed to make a new secret"
        onClosed={() => setShown(secret !== null)}
      />
      {secret !== null && (
        <ShownOnce
          open={isShown}
          onOpenChange={setShown}
          title="Save the New Secret"
          description="It won't be shown again. The previous one works for another 24 hours."
          label="Secret"
          text={secret}
        />
      )}
    </>
  );
}
