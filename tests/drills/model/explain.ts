import type { Act } from "./acts.ts";
import type { Outcome, Seen, Sudden } from "./outcome.ts";
import { reset, rules } from "./rules.ts";
import { differenceOf } from "./views.ts";
import { fingerprint, type Key, keyNamed, type World } from "./world.ts";

export interface Told {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of unknown shape is what the model is held against.
  body: any;
  /** The cookie that it set, or "". */
  cookie: string;
}

/** Acts that were sent at once, and what each was told: `null` where the server was killed before it answered. */
export interface Step {
  acts: { act: Act; told: Told | null }[];
  from: number;
  to: number;
  /** Of an act without an answer, if it happened: what the answer may have said, by what is found after the crash. */
  possibleBodies: (act: Act) => unknown[];
}

export interface Explained {
  /** Each of them explains every answer so far. */
  worlds: World[];
  /** What the rules had against the answers, in any order of the acts. */
  complaints: string[];
}

/** A part of an act that happens at one instant. Only a reset has more than one. */
interface Part {
  act: Act;
  told: Told | null;
  place: number;
  isMeant: (key: Key) => boolean;
}

/** Both clocks are read in whole milliseconds. */
const clockSlackMs = 2;

/**
 * The worlds that may be after a step, by all the orders in which its acts may have happened one after the other: those in which the rules
 * say of each act what it was told. An act without an answer has happened or has not. None, where no order explains the answers.
 */
export function explain(worlds: World[], step: Step): Explained {
  const found = new Map<string, World>();
  const complaints = new Set<string>();
  const window = { from: step.from - clockSlackMs, to: step.to + clockSlackMs };

  for (const before of worlds) {
    const instants = instantsIn(before, step, window);
    const visit = (world: World, waiting: Part[], resetCounts: Map<Act, number>, last: Part | null): void => {
      if (waiting.length === 0) {
        if (countsAgree(step, resetCounts, complaints)) found.set(fingerprint(world), world);
        return;
      }
      for (const part of waiting) {
        // The parts of a reset are of different keys, so of two in a row one order is enough.
        if (last?.act === part.act && last.place > part.place) continue;
        const rest = waiting.filter((other) => other !== part);
        if (part.told === null) visit(world, rest, resetCounts, last);
        if (part.act.does === "resetDevices") {
          const { world: next, resetCount } = reset(world, part.isMeant);
          visit(next, rest, new Map(resetCounts).set(part.act, resetCount + (resetCounts.get(part.act) ?? 0)), part);
          continue;
        }
        const { act, told } = part;
        for (const body of told ? [told.body] : step.possibleBodies(act)) {
          for (const at of instants) {
            const seen = { ...window, at, before, body, cookie: told?.cookie ?? "" };
            const next = worldAfter(world, { act: act as Sudden, told, seen }, complaints);
            if (next) visit(next, rest, resetCounts, part);
          }
        }
      }
    };
    const parts = step.acts.flatMap((sent) => partsOf(sent, before, step));
    visit(before, parts, new Map(), null);
  }
  return { worlds: [...found.values()], complaints: [...complaints] };
}

function worldAfter(
  world: World,
  { act, told, seen }: { act: Sudden; told: Told | null; seen: Seen },
  complaints: Set<string>,
): World | null {
  const outcome = (rules[act.does] as (world: World, act: Act, seen: Seen) => Outcome)(world, act, seen);
  const complaint = told && complaintOf(outcome, told);
  const next = complaint ? null : outcome.next();
  if (next === null) complaints.add(`${act.does}: ${complaint ?? "what the answer names cannot be new"}`);
  return next;
}

function complaintOf({ status, codes, body }: Outcome, told: Told): string | null {
  if (told.status !== status || (codes && !codes.includes(told.body?.code))) {
    return `the answer is ${told.status} ${told.body?.code ?? ""}, not ${status} ${codes?.join(" or ") ?? ""}`;
  }
  return body === undefined ? null : differenceOf(body, told.body);
}

function countsAgree({ acts }: Step, resetCounts: Map<Act, number>, complaints: Set<string>): boolean {
  return acts.every(({ act, told }) => {
    if (act.does !== "resetDevices" || told === null) return true;
    const expected = { status: 200, body: { resetCount: resetCounts.get(act) ?? 0 }, next: () => null };
    const complaint = complaintOf(expected, told);
    if (complaint !== null) complaints.add(`resetDevices: ${complaint}`);
    return complaint === null;
  });
}

/** Between two of these instants nothing expires, so one of each stretch is enough. */
function instantsIn(world: World, { acts }: Step, { from, to }: { from: number; to: number }): number[] {
  const ordered = acts.map(({ act }) => (act.does === "generate" ? act.order.expiresAt : undefined) ?? 0);
  const expiries = [...[...world.keys.values()].map((key) => key.expiresAt), ...ordered];
  return [from, ...new Set(expiries.filter((at) => at > from && at <= to))];
}

/** A reset goes key by key: those that are touched meanwhile and the first in use by themselves, the others together. */
function partsOf({ act, told }: Step["acts"][number], world: World, { acts }: Step): Part[] {
  if (act.does !== "resetDevices") return [{ act, told, place: 0, isMeant: () => false }];
  const first = [...world.keys.values()].filter(({ devices }) => devices.length > 0).map(({ id }) => id);
  const touched = acts.flatMap(({ act: other }) => touchedBy(other, world));
  const single = [...new Set([...touched, ...(first.length > 0 ? [Math.min(...first)] : [])])];
  const others = { act, told, place: single.length, isMeant: ({ id }: Key) => !single.includes(id) };
  return [...single.map((id, place) => ({ act, told, place, isMeant: (key: Key) => key.id === id })), others];
}

function touchedBy(act: Act, world: World): number[] {
  if (act.does === "verify") return [keyNamed(world, act.key)?.id ?? 0];
  if (act.does === "removeDevice") return [act.key];
  const isOfOrder = (key: Key) => act.does === "revokeUnused" && key.orderId === act.order && key.devices.length > 0;
  return [...world.keys.values()].filter(isOfOrder).map(({ id }) => id);
}
