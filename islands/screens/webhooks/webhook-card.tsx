import { KeyRound, List, Pencil, Power, Send, Trash2 } from "lucide-react";
import type { Webhook } from "../../../src/webhooks/schema.ts";
import { creditsWithUnit } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CardAction } from "../../ui/card-list.tsx";
import { MenuButton } from "../../ui/menu-button.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import { Time } from "../../ui/time.tsx";
import { eventNames, kindNames, placeOf, switchOffReasons } from "./words.ts";

/** What can be done with a webhook. */
export type WebhookActions = Record<
  "deliveries" | "test" | "edit" | "switch" | "newSecret" | "deletion",
  (webhook: Webhook) => void
>;

export function WebhookCard({ webhook, actions }: { webhook: Webhook; actions: WebhookActions }) {
  const press = (action: keyof WebhookActions) => () => actions[action](webhook);
  const { kind, isActive, switchedOff } = webhook;
  const place = placeOf(webhook);
  return (
    <li className="group/row flex min-h-46 min-w-0 flex-col rounded-lg border border-line bg-card">
      <div className="grow p-4 md:px-5">
        <div className="flex items-start justify-between gap-4">
          <h2 className="min-w-0 font-semibold wrap-anywhere">
            {kindNames[kind]} <Verbatim className="block font-normal text-muted">{place}</Verbatim>
          </h2>
          <Badge tone={isActive ? "active" : "revoked"} dot>
            {isActive ? "On" : "Off"}
          </Badge>
        </div>
        <p className="mt-2">{eventsText(webhook)}</p>
        {switchedOff && (
          <p className="mt-2 text-danger-text">
            Switched off on <Time value={switchedOff.at} /> because {switchOffReasons[switchedOff.reason]}. Events since
            then were not sent. Once a test arrives, switch it on again.
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-1.5 border-t border-line px-4 py-2.5 md:gap-1 md:px-2.5">
        {!isActive && (
          <Button
            size="small"
            className="mr-auto"
            aria-label={`Switch On ${place}`}
            icon={<Power size={16} />}
            onClick={press("switch")}
          >
            Switch On
          </Button>
        )}
        <CardAction label="Deliveries" about={place} icon={<List size={16} />} onClick={press("deliveries")} />
        <CardAction label="Test" about={place} icon={<Send size={16} />} onClick={press("test")} />
        <CardAction label="Edit" about={place} icon={<Pencil size={16} />} onClick={press("edit")} />
        <MenuButton
          about={place}
          variant="row"
          items={[
            ...(isActive ? [{ label: "Switch Off", icon: <Power size={16} />, onSelect: press("switch") }] : []),
            ...(kind === "standard"
              ? [{ label: "New Secret", icon: <KeyRound size={16} />, onSelect: press("newSecret") }]
              : []),
            { label: "Delete", icon: <Trash2 size={16} />, danger: true, onSelect: press("deletion") },
          ]}
        />
      </div>
    </li>
  );
}

function eventsText({ events, creditsBelow }: Webhook): string {
  const named = events.map((type) =>
    type === "credits.low" && creditsBelow !== null
      ? `${eventNames[type]} (below ${creditsWithUnit(creditsBelow)})`
      : eventNames[type],
  );
  return named.join(" · ");
}
