import { useQuery } from "@tanstack/react-query";
import { expiringOwnKeysQuery } from "../../api/calls/keys.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";
import DayFigures from "../figures/day-figures.tsx";

const webhooksQuery = webhookCalls("reseller").query;
const msUntilSoon = 3 * 24 * 60 * 60 * 1000;

/** The keys that stop within three days, with a way to replace them. Nothing without any. */
function ExpiringKeys() {
  const { data } = useQuery(expiringOwnKeysQuery);
  const soon =
    data?.rows.filter(({ expiryDate }) => expiryDate !== null && Date.parse(expiryDate) < Date.now() + msUntilSoon) ??
    [];
  if (soon.length === 0) return null;
  return (
    <Card className="mt-8">
      <CardHeading
        title="Expiring in 3 days"
        description="Players need a new key to keep playing."
        actions={
          <span className="-my-1 -mr-2.5 flex">
            <LinkButton href="/reseller/generate" variant="ghost" size="small">
              Generate Keys
            </LinkButton>
            <LinkButton href="/reseller/keys?status=ACTIVE&sort=expiry&descending=false" variant="ghost" size="small">
              View all
            </LinkButton>
          </span>
        }
      />
      <ul className="border-t border-line">
        {soon.map(({ id, keyString, note, expiryDate }) => (
          <li key={id} className="border-line not-last:border-b">
            <a
              href={`/reseller/keys/${id}`}
              className="flex min-h-(--hit) items-center justify-between gap-4 px-4 py-3 transition-colors duration-150 hover:bg-raised md:px-5"
            >
              <span className="min-w-0">
                <span translate="no" className="key-text block truncate">
                  {keyString}
                </span>
                {note && <span className="block truncate text-sm text-muted">{note}</span>}
              </span>
              <span className="text-sm text-muted">
                <Time value={expiryDate} format="dateAndTime" />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The server switches off a webhook that it cannot reach. Nothing if all are as their owner left them. */
function WebhooksOff() {
  const { data } = useQuery(webhooksQuery);
  const off = data?.filter(({ switchedOff }) => switchedOff !== null).length ?? 0;
  if (off === 0) return null;
  return (
    <Card className="mt-8">
      <CardHeading
        title={off === 1 ? "A webhook was switched off" : `${off} webhooks were switched off`}
        description="Nothing is sent until you switch it on again."
        actions={
          <LinkButton href="/reseller/webhooks" variant="ghost" size="small" className="-my-1 -mr-2.5">
            Webhooks
          </LinkButton>
        }
      />
    </Card>
  );
}

/** The lower part of the reseller's overview, loaded after the rest. The charts wait for the parts above them. */
export default function Below() {
  const keys = useQuery(expiringOwnKeysQuery);
  const webhooks = useQuery(webhooksQuery);
  if (keys.isPending || webhooks.isPending) return null;
  return (
    <>
      <WebhooksOff />
      <ExpiringKeys />
      <DayFigures area="reseller" />
    </>
  );
}
