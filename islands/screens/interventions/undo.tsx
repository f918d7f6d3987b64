import { undoIntervention } from "../../api/calls/interventions.ts";
import { durationText, pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import type { Row } from "./columns.tsx";

interface UndoProps extends Openable {
  intervention: Row;
  onChanged: () => void;
}

/** Asks before what a compensation gave is taken back. */
export default function Undo({ intervention, onChanged, ...dialog }: UndoProps) {
  const { id, hours, reason, done, state } = intervention;
  return (
    <Confirmation
      {...dialog}
      title="Undo Compensation"
      text={
        <>
          {state === "running" && "It stops now. "}
          {durationText(hours ?? 0)} {hours === 1 || hours === 24 ? "is" : "are"} taken back from{" "}
          <strong className="font-medium text-text">{pluralText(done, "key")}</strong>, so some of them may expire at
          once.
          <span className="mt-2 block wrap-anywhere">It was given for: {reason}</span>
          <span className="mt-2 block">
            Keys that were revoked, or extended after they had expired, stay as they are.
          </span>
        </>
      }
      busyLabel="Undoing..."
      mutationFn={() => undoIntervention(id)}
      done="The compensation is being undone"
      failed="Failed to undo the compensation"
      onSettled={onChanged}
      closesAfter={["ALREADY_UNDONE"]}
    />
  );
}
