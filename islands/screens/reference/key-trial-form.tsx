import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { exampleRequest } from "../../../src/reference/call.ts";
import { type Preview, PreviewRequest } from "../../../src/verify/schema.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import { previewKey } from "../../api/calls/keys.ts";
import { deviceUsageText } from "../../format.ts";
import { useForm } from "../../forms/use-form.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { asTyped, NativeSelectField, TextField } from "../../ui/field/field.tsx";
import { focusOnArrival } from "../../ui/focus.ts";
import { Time } from "../../ui/time.tsx";
import { type Outcome, OutcomeView, runTrial } from "./outcome.tsx";

export default function KeyTrialForm() {
  const [outcome, setOutcome] = useState<Outcome<Preview> | null>(null);
  const form = useForm({
    schema: PreviewRequest,
    initial: { game: exampleRequest.game, deviceId: exampleRequest.deviceId },
    send: async (request) => setOutcome(await runTrial(() => previewKey(request))),
  });
  const { data = [{ name: exampleRequest.game }] } = useQuery(gamesQuery);
  const gameChoices = data.map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <Card className="p-4">
        <form {...form.props} className="grid gap-4">
          <TextField
            {...form.field("key")}
            {...asTyped}
            ref={focusOnArrival}
            label="key"
            placeholder={exampleRequest.key}
          />
          <NativeSelectField {...form.field("game")} label="game" choices={gameChoices} />
          <TextField {...form.field("deviceId")} {...asTyped} label="deviceId" />
          <Button type="submit" variant="primary" busy={form.busy} busyText="Sending...">
            Send
          </Button>
        </form>
      </Card>
      <OutcomeView outcome={outcome} inWords={(verdict) => <VerdictInWords verdict={verdict} />} />
    </>
  );
}

const tones: Partial<Record<Preview["code"], Tone>> = { VALID: "active", REVOKED: "revoked" };

function VerdictInWords({ verdict }: { verdict: Preview }) {
  const { code, message, expiry, deviceLimit, currentDevices, canRegister } = verdict;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[code] ?? "expired"} dot>
          {code}
        </Badge>
        {message}
      </p>
      {deviceLimit !== null && currentDevices !== null && (
        <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-4">
          <Fact name="Expires">
            <Time value={expiry} format="dateInWords" />
          </Fact>
          <Fact name="Devices">{deviceUsageText(currentDevices, deviceLimit)}</Fact>
          <Fact name="POST would add this device">{canRegister ? "Yes" : "No"}</Fact>
        </dl>
      )}
    </>
  );
}
