import { LRUCache } from "lru-cache";
import { msPerSecond } from "../core/clock.ts";
import { shareUsed, waitMsMax } from "../core/fair-semaphore.ts";
import type { Metrics } from "../core/metrics.ts";
import { Refusal } from "../core/refusal.ts";

/*
 * What holds requests back, and where each is created (rules.md: Limits).
 *
 * A limit refuses after a number of tries in a window:
 *   src/accounts/passwords/wrong-passwords.ts   wrong passwords, of an account and of an address
 *   src/verify/throttle.ts                      failed lookups, taken custom keys, new devices
 *   src/resellers/registration.ts               registrations of an address
 *   src/accounts/audited-changes.ts             changes by an account
 *   src/webhooks/webhooks.ts                    tests and resent events of an account
 *   src/shop-links/sales.ts                     wrong signatures of an address
 * A pace lets a request wait:
 *   src/accounts/access.ts                      requests of a reseller
 *   src/live/routes.ts                          sockets of an address
 *   src/shop-links/sales.ts                     sales of an account
 *   src/pages/routes.ts                         keys that an address looked up at /k
 * A share bounds what one account has of the places (rules.md: Shares):
 *   src/db/worker/worker.ts                     queries; on PostgreSQL src/db/postgres/postgres.ts
 *   src/db/streams.ts                           long responses
 *   src/pages/rendered-pages.ts                 pages
 *   src/http/compression.ts                     bodies that are compressed; what has no place is sent as it is
 *   src/accounts/passwords/passwords.ts         passwords, in lanes that also bound the time of one account
 * Three are counted from stored rows:
 *   src/resellers/charge.ts                     credits that an API key, staff or a shop link spends in a day
 *   src/keys/free-calls.ts                      a reseller's calls on one key that cost nothing
 *   src/players/release-policy.ts               devices that players free
 */

/** Counts tries per person (an account, an address) in fixed windows. A person's window opens with the first try. */
export interface RateLimit {
  /**
   * Counts one try and returns `null`. If the limit is already reached, counts nothing and returns the seconds to wait.
   */
  take(person: string): Wait | Promise<Wait>;
  /** Takes back a try that turned out to be legitimate, or a part of one. */
  giveBack(person: string, tries?: number): Promise<void>;
  /** Returns the seconds to wait if the limit is reached, otherwise `null`. Counts nothing. */
  waitSeconds(person: string): Wait | Promise<Wait>;
}

/** Seconds; `null` if there is no need to wait. */
export type Wait = number | null;

/** Throws `TOO_MANY_TRIES` if there is a need to wait. */
export function refuseAfter(retryAfterSeconds: Wait, sentence: string, { isHeldBack = false } = {}): void {
  if (retryAfterSeconds !== null) throw new Refusal("TOO_MANY_TRIES", sentence, { retryAfterSeconds, isHeldBack });
}

/**
 * Creates one limit, which shares its counts with no other. `name` is its label in the metrics. If an address is part
 * of a person, it comes first.
 */
export type CreateRateLimit = (rule: { name: string; triesMax: number; windowMs: number }) => RateLimit;

interface Window {
  openedAtMs: number;
  tries: number;
}

/**
 * Memory stays bounded, and an attacker cannot make a limit forget a person in time: it takes this many addresses or
 * names within one window, and each name costs a password hash, of which a server makes some 36,000 in 15 minutes.
 */
const windowsPerLimitMax = 100_000;

/** Finding the first entry of a large Map takes long after deletions, so a full one drops many entries at a time. */
const windowsDroppedAtOnce = 1_000;

/** People with longer names share a window if their names start with the same characters. */
const personCharactersMax = 200;

type Dependencies = { monotonicMs: () => number; enabled: boolean; metrics: Metrics };

/**
 * Limits in the memory of this process. Each try is decided synchronously, so concurrent tries cannot pass together.
 *
 * `monotonicMs` does not follow changes of the wall clock, so setting the clock cannot end a window early. With
 * `enabled` false (RATE_LIMITS=off) every try passes.
 */
export function createRateLimits({ monotonicMs, enabled, metrics }: Dependencies): CreateRateLimit {
  const hitsOf = metrics.counter({
    name: "latchkey_limit_hits_total",
    help: "Attempts refused by a limit.",
    labels: ["limit"],
  });

  return ({ name, triesMax, windowMs }) => {
    const hits = hitsOf({ limit: name });
    /** In the order in which they opened: a Map iterates in the order of insertion. */
    const windows = new Map<string, Window>();

    return {
      take(person) {
        if (!enabled) return null;
        const nowMs = monotonicMs();
        const key = keyOf(person);
        const window = openWindow(key, nowMs);
        if (!window) open(key, nowMs);
        else if (window.tries >= triesMax) return refuse(window, nowMs);
        else window.tries += 1;
        return null;
      },

      async giveBack(person, tries = 1) {
        const key = keyOf(person);
        const window = windows.get(key);
        if (!window) return;
        window.tries -= tries;
        if (window.tries <= 0) windows.delete(key);
      },

      waitSeconds(person) {
        const nowMs = monotonicMs();
        const window = openWindow(keyOf(person), nowMs);
        return window && window.tries >= triesMax ? refuse(window, nowMs) : null;
      },
    };

    /** Concatenation copies the characters. A slice would keep the header or body that it was cut from in memory. */
    function keyOf(person: string): string {
      return `${name} ${person.slice(0, personCharactersMax)}`;
    }

    function openWindow(key: string, nowMs: number): Window | undefined {
      const window = windows.get(key);
      return window && nowMs - window.openedAtMs < windowMs ? window : undefined;
    }

    function open(key: string, nowMs: number): void {
      windows.delete(key);
      if (windows.size >= windowsPerLimitMax) dropOldest();
      windows.set(key, { openedAtMs: nowMs, tries: 1 });
    }

    /** Windows that are over go first, because they opened first. */
    function dropOldest(): void {
      let left = windowsDroppedAtOnce;
      for (const key of windows.keys()) {
        if (left === 0) return;
        windows.delete(key);
        left -= 1;
      }
    }

    function refuse({ openedAtMs }: Window, nowMs: number): number {
      hits.value += 1;
      return Math.ceil((openedAtMs + windowMs - nowMs) / msPerSecond);
    }
  };
}

/** A person, and a limit that counts it. */
export interface Count {
  limit: RateLimit;
  person: string;
}

/**
 * Counts one try at every limit and returns `null`. If one is reached, counts nothing and returns the seconds to wait.
 */
export async function takeAll(counts: Count[]): Promise<Wait> {
  const taken: Count[] = [];
  for (const count of counts) {
    const seconds = await count.limit.take(count.person);
    if (seconds !== null) {
      await giveBackAll(taken);
      return seconds;
    }
    taken.push(count);
  }
  return null;
}

export async function giveBackAll(counts: Count[], tries?: number): Promise<void> {
  for (const { limit, person } of counts) await limit.giveBack(person, tries);
}

/** Returns the seconds to wait at the first limit that is reached, otherwise `null`. */
export async function firstWait(counts: Count[]): Promise<Wait> {
  for (const { limit, person } of counts) {
    const seconds = await limit.waitSeconds(person);
    if (seconds !== null) return seconds;
  }
  return null;
}

/** An IPv6 sender, as `addressOf` in client-address.ts returns it: the groups of its /48, then the rest of its /64. */
const ipv6Sender = /^((?:[\da-f]{1,4}:){3})([\da-f]{1,4})::\/64/;

/**
 * Limits that also count the larger networks of an IPv6 sender (rules.md: Addresses). Providers give one customer a /56
 * or a /48, so counting only the /64 would multiply the tries by up to 65,536.
 */
export function countNetworks(createRateLimit: CreateRateLimit): CreateRateLimit {
  return (rule) => {
    const own = createRateLimit(rule);
    const of56 = createRateLimit({ ...rule, triesMax: rule.triesMax * 4 });
    const of48 = createRateLimit({ ...rule, triesMax: rule.triesMax * 16 });

    return {
      take: (person) => (isInNetworks(person) ? takeInNetworks(person) : own.take(person)),
      giveBack: (person, tries) => giveBackAll(countsOf(person), tries),
      waitSeconds: (person) => (isInNetworks(person) ? firstWait(countsOf(person)) : own.waitSeconds(person)),
    };

    /** What is refused for itself does not count for its neighbours, not even for a moment. */
    async function takeInNetworks(person: string): Promise<Wait> {
      return (await own.waitSeconds(person)) ?? takeAll(countsOf(person));
    }

    /** The largest network first: once its limit is reached, its smaller ones are not counted at all. */
    function countsOf(person: string): Count[] {
      const count = { limit: own, person };
      if (!isInNetworks(person)) return [count];
      return [
        { limit: of48, person: person.replace(ipv6Sender, "$1:/48") },
        { limit: of56, person: person.replace(ipv6Sender, (_, site, subnet) => `${site}${firstByteOf(subnet)}::/56`) },
        count,
      ];
    }
  };
}

function isInNetworks(person: string): boolean {
  return ipv6Sender.test(person);
}

function firstByteOf(group: string): string {
  return (Number.parseInt(group, 16) & 0xff00).toString(16);
}

/** Beyond this many people, a pace forgets the least recently active. */
const peopleMax = 10_000;

/**
 * Resolves when it is the turn of a request of this person (an account, an address), with whether it had to wait. Throws
 * `TOO_MANY_TRIES` if that would take longer than 15 seconds.
 */
export type Pace = (person: string | number) => Promise<boolean>;

/** Each person has `atOnce` requests handled at once, and then `perSecond`. */
export type CreatePace = (rule: { atOnce: number; perSecond: number }) => Pace;

/**
 * Beyond a limit a request is refused; beyond its pace it waits. Paces are for legitimate requests, so that one person
 * cannot keep the thread busy that serves everyone. Each process counts by itself.
 */
export function createPaces({ monotonicMs, enabled }: { monotonicMs: () => number; enabled: boolean }): CreatePace {
  return ({ atOnce, perSecond }) => {
    const everyMs = msPerSecond / perSecond;
    /** When the next turn of each person comes; one in the past allows several requests at once. */
    const nextTurnsMs = new LRUCache<string | number, number>({ max: peopleMax });

    return async (person) => {
      if (!enabled) return false;
      const nowMs = monotonicMs();
      const turnMs = Math.max(nextTurnsMs.get(person) ?? Number.NEGATIVE_INFINITY, nowMs - (atOnce - 1) * everyMs);
      const waitMs = turnMs - nowMs;
      if (waitMs > waitMsMax) throw shareUsed();
      nextTurnsMs.set(person, turnMs + everyMs);
      if (waitMs <= 0) return false;
      await Bun.sleep(waitMs);
      return true;
    };
  };
}
