import type { AuditedChanges, Caller, Done } from "../accounts/audited-changes.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { hoursPerDay, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { nonBlank } from "../core/field.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import { foldedText } from "../core/text.ts";
import type { Database, Sql } from "../db/contract.ts";
import { type ChangedFields, changedIn } from "../facts/audit-entry.ts";
import { adminDeviceLimits, resellerDeviceLimits } from "./limits.ts";
import type { Catalogue, Duration, DurationChange, Game, GameChange, NewDuration, NewGame, Price } from "./schema.ts";
import * as store from "./store.ts";

export type CatalogueService = ReturnType<typeof createCatalogue>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  /** Forgets what it knows of keys, because their game may have changed. */
  cache: { forget(): void };
  now: Now;
}

/** What is sold: games, durations and price lists (rules.md: Catalogue). Nothing in it is deleted. */
export function createCatalogue({ database, changes, cache, now }: Dependencies) {
  const { read } = database;

  return {
    /** What the caller can order. */
    async of(caller: Caller): Promise<Catalogue> {
      const isReseller = caller.role === "reseller";
      const [games, durations, prices] = await Promise.all([
        gamesIn(read),
        store.allDurations(read),
        isReseller ? store.pricesOf(read, resellerIdOf(caller)) : [],
      ]);
      return {
        games: games
          .filter(({ isRetired }) => !isRetired)
          .map(({ id, name, aliases, prefix, maintenance }) => ({ id, name, aliases, prefix, maintenance })),
        durations: durations
          .filter(({ isRetired }) => isRetired === 0)
          .sort((a, b) => a.hours - b.hours)
          .map(({ id, label, hours }) => ({ id, label, hours })),
        deviceLimits: [...(isReseller ? resellerDeviceLimits : adminDeviceLimits)],
        prices: prices.map(priceView),
      };
    },

    gameNames: async () =>
      (await store.allGames(read)).map(({ id, name, isRetired, leaseHours }) => ({
        id,
        name,
        leaseHours,
        isRetired: isRetired === 1,
      })),

    games: () => gamesIn(read),

    /** Throws `INVALID` or `NAME_TAKEN`. */
    addGame: (admin: Caller, form: NewGame): Promise<Game> =>
      changing(admin, async (sql) => {
        const game = { ...newGame, name: form.name, ...contentOf(form) };
        refuseLongLease(game, form);
        const id = await store.insertGame(sql, game);
        await store.trackMaintenance(sql, id, now());
        await setNames(sql, id, namesOf(game.name, form.aliases ?? []));
        const result = await openGame(sql, id);
        return { result, record: { action: "game_created", target: `game ${game.name}`, details: fieldsOf(result) } };
      }),

    /** Throws `INVALID`, `NOT_FOUND` or `NAME_TAKEN`. A renamed game keeps its old name as an alias. */
    changeGame: (admin: Caller, id: number, change: GameChange): Promise<Game> =>
      changing(admin, async (sql) => {
        const before = await openGame(sql, id);
        const after = { ...rowOf(before), ...contentOf(change) };
        refuseLongLease(after, change);
        await store.changeGame(sql, after);
        await store.trackMaintenance(sql, id, now());
        await setNames(sql, id, namesOf(after.name, [...(change.aliases ?? before.aliases), before.name]));
        const result = await openGame(sql, id);
        const details = changedIn(fieldsOf(before), fieldsOf(result));
        return { result, record: details && { action: "game_changed", target: `game ${result.name}`, details } };
      }),

    durations: async () => (await store.allDurations(read)).map(durationView),

    /** Throws `HOURS_TAKEN`. */
    addDuration: (admin: Caller, { label, hours, isRetired = false }: NewDuration): Promise<Duration> =>
      changing(admin, async (sql) => {
        const duration = { label: label.trim(), hours, isRetired: Number(isRetired) };
        const id = await store.insertDuration(sql, duration);
        if (id === null) throw new Refusal("HOURS_TAKEN", `There is a duration of ${hours} hours already.`);
        const details = { hours, isRetired };
        const record = { action: "duration_created" as const, target: `duration ${duration.label}`, details };
        return { result: durationView({ id, ...duration }), record };
      }),

    /** Throws `INVALID` or `NOT_FOUND`. */
    changeDuration: (admin: Caller, id: number, { label, hours, isRetired }: DurationChange): Promise<Duration> =>
      changing(admin, async (sql) => {
        const row = await store.durationOf(sql, { id });
        if (!row) throw new Refusal("NOT_FOUND", "There is no such duration.");
        if (hours !== undefined && hours !== row.hours) {
          throw invalid("hours", "The hours of a duration never change. Add another one.");
        }
        const before = durationView(row);
        const result = { ...before, label: nonBlank(label) ?? before.label, isRetired: isRetired ?? before.isRetired };
        await store.changeDuration(sql, { ...row, label: result.label, isRetired: Number(result.isRetired) });
        const details = changedIn(before, result);
        return {
          result,
          record: details && { action: "duration_changed", target: `duration ${result.label}`, details },
        };
      }),
  };

  async function changing<Result>(admin: Caller, work: (sql: Sql) => Promise<Done<Result>>): Promise<Result> {
    try {
      return await changes.carryOut(admin, ({ sql }) => work(sql), { queue: catalogueQueue });
    } finally {
      // Also after a failure: the change may have been committed.
      cache.forget();
    }
  }
}

/** Changes of the catalogue run one after another. */
export const catalogueQueue = "catalogue";

const newGame = {
  prefix: "",
  isRetired: 0,
  maintenance: null,
  minimumVersion: null,
  updateMessage: null,
  releaseIsAllowed: 1,
  releaseCooldownHours: 24,
  releasePerThirtyDays: 3,
  releaseIdleDays: null,
  leaseHours: 24,
};

/** The row's fields that a form contains. */
function contentOf(form: GameChange): Partial<Omit<store.GameRow, "id">> {
  const { name, prefix, isRetired, maintenance, minimumVersion, updateMessage, release = {}, leaseHours } = form;
  const { isAllowed, cooldownHours, perThirtyDays, idleDays } = release;
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(prefix !== undefined && { prefix }),
    ...(isRetired !== undefined && { isRetired: Number(isRetired) }),
    ...(maintenance !== undefined && { maintenance: nonBlank(maintenance) ?? null }),
    ...(minimumVersion !== undefined && { minimumVersion: nonBlank(minimumVersion) ?? null }),
    ...(updateMessage !== undefined && { updateMessage: nonBlank(updateMessage) ?? null }),
    ...(isAllowed !== undefined && { releaseIsAllowed: Number(isAllowed) }),
    ...(cooldownHours !== undefined && { releaseCooldownHours: cooldownHours }),
    ...(perThirtyDays !== undefined && { releasePerThirtyDays: perThirtyDays }),
    ...(idleDays !== undefined && { releaseIdleDays: idleDays }),
    ...(leaseHours !== undefined && { leaseHours }),
  };
}

/** A device could lose its slot while its game still plays offline. Of both fields, the one that changes is named. */
function refuseLongLease(
  { releaseIdleDays, leaseHours }: Pick<store.GameRow, "releaseIdleDays" | "leaseHours">,
  change: GameChange,
): void {
  if (releaseIdleDays === null || leaseHours <= releaseIdleDays * hoursPerDay) return;
  const path = change.leaseHours === undefined ? "release" : "leaseHours";
  throw invalid(path, `The hours offline must be at most ${releaseIdleDays * hoursPerDay}, as long as the idle days`);
}

/** The name and the aliases, each once regardless of case. */
function namesOf(name: string, aliases: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const each of [name, ...aliases.map((alias) => alias.trim())]) {
    if (!names.has(foldedText(each))) names.set(foldedText(each), each);
  }
  return [...names.values()];
}

async function setNames(sql: Sql, gameId: number, names: readonly string[]): Promise<void> {
  const taken = await store.nameGame(sql, gameId, names);
  if (taken !== null) throw nameTaken(taken);
}

async function gamesIn(sql: Sql): Promise<Game[]> {
  const [games, names] = [await store.allGames(sql), await store.allGameNames(sql)];
  return games.map((game) => ({
    ...gameView(game),
    aliases: names.filter(({ gameId, name }) => gameId === game.id && name !== game.name).map(({ name }) => name),
  }));
}

async function openGame(sql: Sql, id: number): Promise<Game> {
  const game = (await gamesIn(sql)).find((each) => each.id === id);
  if (!game) throw new Refusal("NOT_FOUND", "There is no such game.");
  return game;
}

function gameView(row: store.GameRow): Omit<Game, "aliases"> {
  const { isRetired, releaseIsAllowed, releaseCooldownHours, releasePerThirtyDays, releaseIdleDays, ...game } = row;
  const release = {
    isAllowed: releaseIsAllowed === 1,
    cooldownHours: releaseCooldownHours,
    perThirtyDays: releasePerThirtyDays,
    idleDays: releaseIdleDays,
  };
  return { ...game, isRetired: isRetired === 1, release };
}

function rowOf({ aliases: _, isRetired, release, ...game }: Game): store.GameRow {
  const { isAllowed, cooldownHours, perThirtyDays, idleDays } = release;
  return {
    ...game,
    isRetired: Number(isRetired),
    releaseIsAllowed: Number(isAllowed),
    releaseCooldownHours: cooldownHours,
    releasePerThirtyDays: perThirtyDays,
    releaseIdleDays: idleDays,
  };
}

function durationView({ isRetired, ...duration }: store.DurationRow): Duration {
  return { ...duration, isRetired: isRetired === 1 };
}

export function priceView({ gameId, durationId, deviceLimit, tenths }: store.PriceRow): Price {
  return { gameId, durationId, deviceLimit, credits: creditsOf(tenths) };
}

/** For the audit log. */
function fieldsOf({ name, aliases, prefix, isRetired, release, leaseHours, ...texts }: Game): ChangedFields {
  const { maintenance, minimumVersion, updateMessage } = texts;
  return {
    name,
    aliases: aliases.join(", "),
    prefix,
    isRetired,
    maintenance: maintenance ?? "",
    minimumVersion: minimumVersion ?? "",
    updateMessage: updateMessage ?? "",
    releaseIsAllowed: release.isAllowed,
    releaseCooldownHours: release.cooldownHours,
    releasePerThirtyDays: release.perThirtyDays,
    releaseIdleDays: release.idleDays ?? 0,
    leaseHours,
  };
}

export function nameTaken(name: string): Refusal {
  return new Refusal("NAME_TAKEN", `The name ${name} is already taken.`);
}
