import { type ReactNode, useState } from "react";
import type { Update } from "../../../src/updates/schema.ts";
import { publishedUpdates } from "../../api/calls/updates.ts";
import { useWork } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { lostPartSentence, useLazy } from "../../runtime/lazy.ts";
import { fetchedAhead } from "../../runtime/preload.ts";
import { Button } from "../../ui/button.tsx";
import { type Outcome, OutcomeView, runTrial } from "./outcome.tsx";

/** The form is 7 kB gzipped, and most visitors only read. */
const loadForm = () => import("./key-trial-form.tsx");

/** Checks a key with the GET form, whichever form the page documents: a trial must not register a device. */
export function KeyTrial() {
  const [presses, setPresses] = useState(0);
  const { Part: Form, lost } = useLazy(loadForm, presses);
  return (
    <Trial promise="Sends this server the GET form of the call, which registers no device.">
      {/* Also where its script is already loaded: the form takes the focus when it appears. */}
      {Form && presses > 0 ? (
        <Form />
      ) : (
        <Button busy={presses > 0 && !lost} onClick={() => setPresses(presses + 1)} {...fetchedAhead(loadForm)}>
          Try a key
        </Button>
      )}
      {lost && (
        <p role="alert" className="mt-3 text-danger-text">
          {lostPartSentence}
        </p>
      )}
    </Trial>
  );
}

export function UpdatesTrial() {
  const [outcome, setOutcome] = useState<Outcome<Update[]> | null>(null);
  const { mutate, isPending } = useWork({
    mutationFn: async () => setOutcome(await runTrial(publishedUpdates)),
  });
  return (
    <Trial promise="Fetches the updates that apps show now.">
      <Button busy={isPending} busyText="Sending..." onClick={() => mutate()}>
        Send
      </Button>
      <OutcomeView outcome={outcome} inWords={(updates) => `${pluralText(updates.length, "active update")}.`} />
    </Trial>
  );
}

/** Sends the documented call from the page. `promise` says what that does and does not do. */
function Trial({ promise, children }: { promise: string; children: ReactNode }) {
  return (
    <div className="needs-script min-w-0">
      <h3 className="mb-1 font-medium">Try it</h3>
      <p className="mb-3 text-muted">{promise}</p>
      {children}
    </div>
  );
}
