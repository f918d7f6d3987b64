import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import type { Role } from "../../src/accounts/schema.ts";
import type { Webhook } from "../../src/webhooks/schema.ts";
import { webhookCalls } from "../api/calls/webhooks.ts";
import { refresh, useWork } from "../api/query.ts";
import { wholeList } from "../api/query-failure.tsx";
import { usePreload } from "../runtime/preload.ts";
import { Button } from "../ui/button.tsx";
import { CardList } from "../ui/card-list.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { loadMenu } from "../ui/menu-button.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import type { WebhookDialogProps } from "./webhooks/dialogs.tsx";
import { type WebhookActions, WebhookCard } from "./webhooks/webhook-card.tsx";

const WebhookDialog = lazyDialog(() => import("./webhooks/dialogs.tsx"));
const Deliveries = lazyDialog(() => import("./webhooks/deliveries.tsx"));

const loadParts = () => Promise.all([loadMenu(), WebhookDialog.load(), Deliveries.load()]);

/** /admin/webhooks and /reseller/webhooks: where the account's events are sent (rules.md: Webhooks). */
export default function Webhooks({ area }: { area: Role }) {
  const calls = webhookCalls(area);
  const list = useQuery(calls.query);
  const { dialog, show } = useDialog<Pick<WebhookDialogProps, "action" | "webhook">>();
  const edit = (webhook: Webhook | null) => show({ action: "edit", webhook });
  /** Apart, because a test may show them while another dialog is open. */
  const deliveries = useDialog<{ webhook: Webhook }>();
  const showDeliveries = (webhook: Webhook) => {
    void refresh(calls.deliveries(webhook.id));
    deliveries.show({ webhook });
  };
  const testing = useWork({
    mutationFn: (webhook: Webhook) => calls.test(webhook.id),
    // The outcome follows there.
    onSuccess: (_, webhook) => showDeliveries(webhook),
    failed: "Failed to send a test",
  });
  const switching = useWork({
    mutationFn: ({ id, isActive }: Webhook) => calls.change(id, { isActive: !isActive }),
    done: ({ isActive }) => (isActive ? "Webhook switched on" : "Webhook switched off"),
    failed: "Failed to change the webhook",
    onSettled: () => void refresh(calls.query),
  });
  const actions: WebhookActions = {
    deliveries: showDeliveries,
    test: testing.mutate,
    edit,
    switch: switching.mutate,
    newSecret: (webhook) => show({ action: "newSecret", webhook }),
    deletion: (webhook) => show({ action: "deletion", webhook }),
  };
  usePreload(loadParts);
  return (
    <>
      <PageHeading
        title="Webhooks"
        description="Send events to your server, Discord or Telegram."
        back={{ href: `/${area}/account`, label: "Account" }}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} aria-haspopup="dialog" onClick={() => edit(null)}>
            New Webhook
          </Button>
        }
      />
      <CardList
        {...wholeList(list, "The webhooks could not be loaded.")}
        label="Webhooks"
        className="grid gap-4 xl:grid-cols-2"
        skeleton={{ count: 2, className: "h-46" }}
        empty={{
          icon: <WebhookIcon size={20} />,
          title: "No webhooks yet",
          hint: "Create one to hear of sales, revoked keys or low credits as they happen.",
        }}
      >
        {(webhook) => <WebhookCard key={webhook.id} webhook={webhook} actions={actions} />}
      </CardList>
      {dialog && <WebhookDialog key={dialog.nth} {...dialog} area={area} />}
      {deliveries.dialog && <Deliveries {...deliveries.dialog} area={area} />}
    </>
  );
}
