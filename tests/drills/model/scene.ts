import fc from "fast-check";
import type { Act, Selection } from "./acts.ts";
import type { Key, Reseller, World } from "./world.ts";

/** What whoever chooses the next act may look at. */
export interface Scene {
  world: World;
  adminCookie: string;
  /** Keys that acts were about, the latest last: what happens to a key again and again shows most. */
  recentKeys: number[];
  /** The orders that were sent under an Idempotency-Key, answered or not. */
  retryable: Extract<Act, { does: "generate" }>[];
  /** What was selected while nothing else happened, so that it is known which keys the mark stands for. */
  selections: Selection[];
}

/** Chooses an act by what is there. Where something is missing for it, it is what brings that nearer: a token, a reseller, a session. */
export type Choice = (scene: Scene) => Act;

/** By which one of what is there is picked. */
export const number = fc.nat({ max: 1_000 });

const resellersMax = 3;

/** Mostly one of the last few that something happened to. */
export function keyIn({ world, recentKeys }: Scene, n: number, isMeant = (_: Key) => true): Key | undefined {
  const all = [...world.keys.values()].filter(isMeant);
  const recent = all.filter(({ id }) => recentKeys.includes(id));
  return pick(n % 8 > 0 && recent.length > 0 ? recent : all, n);
}

export function registering({ world }: Scene, n: number): Act {
  const tokens = [...world.tokens.values()];
  const free = tokens.filter(({ usedBy }) => usedBy === null);
  const isFull = world.resellers.size >= resellersMax;
  const token = pick(isFull ? tokens.filter(({ usedBy }) => usedBy !== null) : free, n);
  if (!token) return { does: "issueToken", credits: 33.3 };
  return { does: "register", token: token.text, username: `reseller.${n % (resellersMax + 1)}` };
}

export function withReseller(scene: Scene, n: number, act: (reseller: Reseller) => Act): Act {
  const reseller = pick([...scene.world.resellers.values()], n);
  return reseller ? act(reseller) : registering(scene, n);
}

export function asReseller(scene: Scene, n: number, act: (by: string) => Act): Act {
  return withReseller(scene, n, ({ id, username, isActive }) => {
    const by = sessionOf(scene, id);
    if (by !== undefined) return act(by);
    return isActive ? { does: "signIn", username } : { does: "setActive", reseller: id, isActive: true };
  });
}

/** The cookie of the latest sign-in that is still good. */
export function sessionOf({ world }: Scene, account: number | null | undefined): string | undefined {
  return [...world.sessions].findLast(([, one]) => one === account)?.[0];
}

export function by(scene: Scene, isAdmin: boolean, n: number, act: (by: string) => Act): Act {
  return isAdmin ? act(scene.adminCookie) : asReseller(scene, n, act);
}

export function pick<Thing>(things: Thing[], n: number): Thing | undefined {
  return things[n % things.length];
}
