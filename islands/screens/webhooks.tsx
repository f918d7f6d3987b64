import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import type { Role } from "../../src/accounts/schema.ts";
import type { Webhook } from "../../src/webhooks/schema.ts";
import { failureText } from "../api/api.ts";
import { webhookCalls } from "../api/calls/webhooks.ts";
import { refresh, useWork } from "../api/query.ts";
import { usePreload } from "../runtime/preload.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { loadMenu } from "../ui/menu-button.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { SkeletonCards } from "../ui/skeleton.tsx";
import { WebhookCard } from "./webhooks/webhook-card.tsx";

const Editor = lazyDialog(() => import("./webhooks/editor.tsx"));
const Deliveries = lazyDialog(() => import("./webhooks/deliveries.tsx"));
const NewSecret = lazyDialog(() => import("./webhooks/new-secret.tsx"));
const Deletion = lazyDialog(() => import("./webhooks/deletion.tsx"));

const loadParts = () => Promise.all([loadMenu(), Editor.load(), Deliveries.load(), NewSecret.load(), Deletion.load()]);

/** /admin/webhooks and /reseller/webhooks: where the account's events are sent (rules.md: Webhooks). */
export default function Webhooks({ area }: { area: Role }) {
  const calls = webhookCalls(area);
  const list = useQuery(calls.query);
  /** Each starts from the beginning, in a new dialog. */
  const editor = useDialog<{ webhook: Webhook | null; nth: number }>();
  const deliveries = useDialog<{ webhook: Webhook }>();
  const newSecret = useDialog<{ webhook: Webhook; nth: number }>();
  const deletion = useDialog<{ webhook: Webhook }>();
  const edit = (webhook: Webhook | null) => editor.show({ webhook, nth: (editor.dialog?.nth ?? 0) + 1 });
  const rotate = (webhook: Webhook) => newSecret.show({ webhook, nth: (newSecret.dialog?.nth ?? 0) + 1 });
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
  usePreload(loadParts);
  return (
    <>
      <PageHeading
        title="Webhooks"
        description="Tell your server, a Discord channel or a Telegram chat what happens here."
        back={{ href: `/${area}/account`, label: "Account" }}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} aria-haspopup="dialog" onClick={() => edit(null)}>
            New Webhook
          </Button>
        }
      />
      {list.data && list.data.length > 0 ? (
        <ul aria-label="Webhooks" className={gridLook}>
          {list.data.map((webhook) => (
            <WebhookCard
              key={webhook.id}
              webhook={webhook}
              onDeliveries={() => showDeliveries(webhook)}
              onTest={() => testing.mutate(webhook)}
              onEdit={() => edit(webhook)}
              onSwitch={() => switching.mutate(webhook)}
              onNewSecret={() => rotate(webhook)}
              onDelete={() => deletion.show({ webhook })}
            />
          ))}
        </ul>
      ) : (
        <NoWebhooks list={list} />
      )}
      {editor.dialog && <Editor key={`editor ${editor.dialog.nth}`} {...editor.dialog} area={area} />}
      {deliveries.dialog && <Deliveries {...deliveries.dialog} area={area} />}
      {newSecret.dialog && <NewSecret key={`secret ${newSecret.dialog.nth}`} {...newSecret.dialog} area={area} />}
      {deletion.dialog && <Deletion {...deletion.dialog} area={area} />}
    </>
  );
}

const gridLook = "grid gap-4 xl:grid-cols-2";

function NoWebhooks({ list }: { list: ReturnType<typeof useQuery<Webhook[]>> }) {
  if (list.isPending) {
    return (
      <div className={gridLook}>
        <SkeletonCards count={2} label="Loading the webhooks" className="h-46" />
      </div>
    );
  }
  return (
    <Card>
      {list.isError ? (
        <ErrorState
          message={failureText(list.error, "The webhooks could not be loaded.")}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : (
        <EmptyState
          icon={<WebhookIcon size={20} />}
          title="No webhooks yet"
          hint="Create one to hear of sales, revoked keys or low credits as they happen."
        />
      )}
    </Card>
  );
}
