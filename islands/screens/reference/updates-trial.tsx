import { useState } from "react";
import type { Update } from "../../../src/updates/schema.ts";
import { publishedUpdates } from "../../api/calls/updates.ts";
import { useWork } from "../../api/work.ts";
import { pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { type Outcome, OutcomeView, tried } from "./outcome.tsx";
import { Trial } from "./trial.tsx";

export function UpdatesTrial() {
  const [outcome, setOutcome] = useState<Outcome<Update[]> | null>(null);
  const { mutate, isPending } = useWork({
    mutationFn: async () => setOutcome(await tried(publishedUpdates)),
  });
  return (
    <Trial promise="Asks this server for the updates that apps are shown now.">
      <Button busy={isPending} busyText="Sending..." onClick={() => mutate()}>
        Send
      </Button>
      <OutcomeView outcome={outcome} inWords={(updates) => `${pluralText(updates.length, "active update")}.`} />
    </Trial>
  );
}
