import { failureOutcomes, verdictOutcomes } from "../../../src/reference/outcomes.ts";
import { Entries } from "./entries.tsx";

export function VerdictOutcomes() {
  const entries = Object.entries(verdictOutcomes).map(([term, description]) => ({ term, description }));
  return <Entries title="Verdicts" entries={entries} />;
}

/** Those failures that this call can have. */
export function FailureOutcomes({ statuses }: { statuses: number[] }) {
  const entries = failureOutcomes
    .map(({ what, ...outcome }) => ({
      description: what,
      own: outcome.statuses.filter((status) => statuses.includes(status)),
    }))
    .filter(({ own }) => own.length > 0)
    .map(({ description, own }) => ({ term: own.join(", "), description }));
  return <Entries title="Failures" entries={entries} />;
}
