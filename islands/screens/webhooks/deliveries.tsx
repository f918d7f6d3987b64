import { RotateCcw, Send } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { Delivery, Webhook } from "../../../src/webhooks/schema.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { refresh, useWork } from "../../api/query.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CardList } from "../../ui/card-list.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { Instant } from "../../ui/time.tsx";
import { eventNames, placeOf } from "./words.ts";

/** How often the list is fetched while an attempt is due or under way. */
const lookMs = 1_000;
/** An attempt under way is due again after 30 s, in case its server dies. */
const underWayMs = 30_000;

const everything = {};

/** What was sent to a webhook, and what came of it. New attempts appear by themselves. */
export default function Deliveries({ area, webhook, ...dialog }: Openable & { area: Role; webhook: Webhook }) {
  return (
    <Dialog {...dialog} width="wide" title="Deliveries" description={`To ${placeOf(webhook)} in the last 30 days.`}>
      <DeliveryList area={area} webhook={webhook} />
    </Dialog>
  );
}

function DeliveryList({ area, webhook: { id } }: { area: Role; webhook: Webhook }) {
  const { deliveries, resend, query } = webhookCalls(area);
  const list = deliveries(id);
  const rows = usePagedRows(list, everything);
  const resending = useWork({
    mutationFn: (delivery: Delivery) => resend(id, delivery.id),
    failed: "Failed to send it again",
    onSettled: () => refresh(list),
  });
  const isSending = rows.rows.some(({ nextAt }) => nextAt !== null && Date.parse(nextAt) <= Date.now() + underWayMs);
  const look = useEffectEvent(() => void refresh(list));
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [isSending]);
  const attempts = rows.rows.flatMap(({ tries }) => tries).length;
  const lookAtWebhook = useEffectEvent(() => void refresh(query));
  // Each new one may have switched the webhook off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of attempts.
  useEffect(() => lookAtWebhook(), [attempts]);

  return (
    <CardList
      {...rows}
      label="Deliveries"
      className="grid gap-3"
      skeleton={{ count: 3, className: "h-20" }}
      empty={{ icon: <Send size={20} />, title: "Nothing sent yet", hint: "Send a test to see whether it arrives." }}
    >
      {(delivery) => <DeliveryItem key={delivery.id} delivery={delivery} onResend={() => resending.mutate(delivery)} />}
    </CardList>
  );
}

function DeliveryItem({ delivery, onResend }: { delivery: Delivery; onResend: () => void }) {
  const { id, type, at, nextAt, tries } = delivery;
  const { tone, word } = stateOf(delivery);
  return (
    <li className="rounded-lg border border-line bg-card px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{eventNames[type]}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="text-sm text-muted">
          <Instant value={at} />
        </span>
        {tries.length > 0 && (
          <Button
            size="small"
            className="ml-auto"
            icon={<RotateCcw size={16} />}
            aria-label={`Resend ${eventNames[type]} ${id}`}
            onClick={onResend}
          >
            Resend
          </Button>
        )}
      </div>
      <ol className="mt-1 grid gap-1 text-sm text-muted">
        {tries.map(({ at: triedAt, status, ms, answer }) => (
          <li key={triedAt} className="wrap-anywhere">
            <Instant value={triedAt} />
            {` · ${status ?? "No response"} · ${ms} ms`}
            {answer && (
              <span translate="no" className="block">
                {answer}
              </span>
            )}
          </li>
        ))}
        {nextAt !== null && (
          <li>
            Next attempt <Instant value={nextAt} />
          </li>
        )}
      </ol>
    </li>
  );
}

function stateOf({ nextAt, tries }: Delivery): { tone: Tone; word: string } {
  if (nextAt !== null) return { tone: "other", word: "Waiting" };
  const status = tries.at(-1)?.status ?? 0;
  if (status >= 200 && status < 300) return { tone: "active", word: "Delivered" };
  return tries.length > 0 ? { tone: "expired", word: "Failed" } : { tone: "plain", word: "Not sent" };
}
