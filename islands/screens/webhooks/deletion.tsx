import type { Role } from "../../../src/accounts/schema.ts";
import type { Webhook } from "../../../src/webhooks/schema.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { refresh } from "../../api/query.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { placeOf } from "./words.ts";

export default function Deletion({ area, webhook, ...dialog }: Openable & { area: Role; webhook: Webhook }) {
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
      confirmLabel="Delete Webhook"
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
