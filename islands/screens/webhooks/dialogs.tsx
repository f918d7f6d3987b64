import { useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { Webhook } from "../../../src/webhooks/schema.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { refresh } from "../../api/query.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";
import { Editor } from "./editor.tsx";
import { placeOf } from "./words.ts";

interface AboutWebhook extends Openable {
  area: Role;
  webhook: Webhook;
}

export interface WebhookDialogProps extends Omit<AboutWebhook, "webhook"> {
  action: "edit" | "newSecret" | "deletion";
  /** Null creates one. */
  webhook: Webhook | null;
}

/** The dialogs about a webhook. One at a time: each is modal. */
export default function WebhookDialog({ action, webhook, ...dialog }: WebhookDialogProps) {
  if (action === "edit" || !webhook) return <Editor {...dialog} webhook={webhook} />;
  if (action === "newSecret") return <NewSecret {...dialog} webhook={webhook} />;
  return <Deletion {...dialog} webhook={webhook} />;
}

/** Asks, and then shows the new secret. Both are in one script: a secret that could not be shown would be lost. */
function NewSecret({ area, webhook, ...dialog }: AboutWebhook) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Confirmation
        {...dialog}
        title="New Secret"
        text="For 24 hours, events are signed with both the new and the previous secret, so your server misses none while you replace it. If a secret leaked, make two new ones: the leaked one then stops at once."
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

function Deletion({ area, webhook, ...dialog }: AboutWebhook) {
  const { query, remove } = webhookCalls(area);
  return (
    <Confirmation
      {...dialog}
      title="Delete Webhook"
      text={
        <>
          Nothing more is sent to <strong className="font-medium wrap-anywhere text-text">{placeOf(webhook)}</strong>,
          and its deliveries are deleted. This cannot be undone.
        </>
      }
      busyLabel="Deleting..."
      mutationFn={() => remove(webhook.id)}
      done={({ message }) => message}
      failed="Failed to delete the webhook"
      // After a refusal too: it may have been deleted elsewhere.
      onSettled={() => refresh(query)}
      closesAfter={["NOT_FOUND"]}
    />
  );
}
