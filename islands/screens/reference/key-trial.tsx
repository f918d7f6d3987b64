import { useState } from "react";
import { lostPartSentence, useLazy } from "../../runtime/lazy.ts";
import { fetchedAhead } from "../../runtime/preload.ts";
import { Button } from "../../ui/button.tsx";
import { Trial } from "./trial.tsx";

/** A form weighs 7 kB gzipped, and most who come to this page come to read. */
const loadForm = () => import("./key-trial-form.tsx");

/** Asks about a key by the GET form, whichever form the page documents: trying it takes no device's place. */
export function KeyTrial() {
  const [wishes, setWishes] = useState(0);
  const { Part: Form, lost } = useLazy(loadForm, wishes);
  return (
    <Trial promise="Asks this server by the GET form, which registers nothing: no device takes a place.">
      {/* Also where its script is there already: it takes the focus when it comes. */}
      {Form && wishes > 0 ? (
        <Form />
      ) : (
        <Button busy={wishes > 0 && !lost} onClick={() => setWishes(wishes + 1)} {...fetchedAhead(loadForm)}>
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
