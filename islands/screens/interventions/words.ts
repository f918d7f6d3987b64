import type { Intervention, InterventionKind } from "../../../src/interventions/schema.ts";
import { countText, durationText, pluralText } from "../../format.ts";

/** `Compensation of 6 hours`, `Pause`. */
export function titleOf({ kind, hours }: Pick<Intervention, "kind" | "hours">): string {
  if (kind === "compensate") return `Compensation of ${durationText(hours ?? 0)}`;
  return kind === "pause" ? "Pause" : "Resumption";
}

/** What the button does. */
export const verbs: Record<InterventionKind, string> = { compensate: "Compensate", pause: "Pause", resume: "Resume" };

export const stateNames: Record<Intervention["state"], string> = {
  running: "Running",
  finished: "Done",
  undoing: "Undoing",
  undone: "Undone",
};

/** How far it is, or how it ended. */
export function progressText({ state, done, count }: Pick<Intervention, "state" | "done" | "count">): string {
  if (state === "running") return `${countText(done)} of ${pluralText(count, "key")}`;
  if (state === "finished") return pluralText(done, "key");
  if (state === "undoing") return `${pluralText(done, "key")} left`;
  return done === 0 ? "All taken back" : `${pluralText(done, "key")} kept it`;
}
