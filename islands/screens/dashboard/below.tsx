import { useQuery } from "@tanstack/react-query";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { useRights } from "../../runtime/rights.ts";
import { Card, CardHeading, HeadingLink } from "../../ui/card.tsx";
import DayFigures from "../figures/day-figures.tsx";

const webhooksQuery = webhookCalls("reseller").query;

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
        actions={<HeadingLink href="/reseller/webhooks">Webhooks</HeadingLink>}
      />
    </Card>
  );
}

/** The lower part of the reseller's overview, loaded after the rest. The charts wait for the parts above them. */
export default function Below() {
  const { may } = useRights();
  const isFull = may("everything");
  const webhooks = useQuery({ ...webhooksQuery, enabled: isFull });
  if (isFull && webhooks.isPending) return null;
  return (
    <>
      {isFull && <WebhooksOff />}
      {may("credits:read") && <DayFigures area="reseller" />}
    </>
  );
}
