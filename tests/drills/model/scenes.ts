import { type ClockStep, toNextExpiry, toPauseEnd } from "./clock-steps.ts";
import { type Choice, type Context, sessionOf } from "./context.ts";
import { compensationsOf, pauseEndOf } from "./life.ts";
import { isOpen, type Key, statusOf } from "./state.ts";
import { compensateAll, undo } from "./time-choices.ts";

/** A pause that ends by itself, and another one after that. */
const pausedToTheEnd = [pauseMostPaused, { clockStep: toPauseEnd(0) }, pauseMostPaused];

/** An extension of an expired key leaves nothing to be taken back of what the key was given before. */
const renewed = [compensateAll, { clockStep: toNextExpiry }, extendExpired, undo(1)];

export const scenes: (Choice | { clockStep: ClockStep })[][] = [pausedToTheEnd, renewed];

function pauseMostPaused(context: Context) {
  const { keys } = context.state;
  const sold = [...keys.values()].filter((key) => key.owner !== null && isOpen(key, context.now));
  const usedMs = ({ life }: Key) => life.pauseUsedMs + (pauseEndOf(life) === null ? 0 : 1);
  const [key] = sold.sort((a, b) => usedMs(b) - usedMs(a) || b.id - a.id);
  return { type: "pause", by: byOwner(context, key), key: key?.id ?? 1 } as const;
}

function extendExpired(context: Context) {
  const wasGiven = ({ life }: Key) => Object.keys(compensationsOf(life)).length > 0;
  const expired = [...context.state.keys.values()].filter((key) => statusOf(key, context.now) === "EXPIRED");
  const key = expired.findLast(wasGiven) ?? expired.at(-1);
  const by = byOwner(context, key);
  const duration = by === context.adminCookie ? { hours: 100 } : { days: 5 };
  return { type: "extend", by, key: key?.id ?? 1, duration, idempotencyKey: null } as const;
}

/** By an admin if the owner has no session. */
function byOwner(context: Context, key: Key | undefined): string {
  return sessionOf(context, key?.owner) ?? context.adminCookie;
}
