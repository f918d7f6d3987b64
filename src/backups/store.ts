import { gameNameOf } from "../catalogue/model.ts";
import { untilStarted } from "../core/key-time.ts";
import { raw } from "../db/append-only.ts";
import { part, type Sql, type SqlPart } from "../db/contract.ts";

/**
 * The collections that an admin sees and downloads. Each is a projection of a table without its secrets: none has
 * password hashes, sessions, addresses or remembered responses.
 */
interface Collection {
  /** By default the one with the collection's name. */
  table?: SqlPart;
  columns: SqlPart;
  /** An approximation of a row's JSON in bytes, computed where the rows are. */
  rowBytes: SqlPart;
  /** When a row was last changed, in milliseconds: by default when it was made. */
  changedAt?: SqlPart;
  /** The number of rows, if it is known without counting them. */
  count?: SqlPart;
  /**
   * The key events (`e`) that remove rows, if nothing but these and the undo of imports removes any: then a count can
   * continue from an earlier one.
   */
  removedBy?: SqlPart;
  /** When any row was last changed, if that may be an old row. */
  lastChangedAt?: SqlPart;
}

/** Enough to recognise a token, and far from enough to use it. */
const tokenCharactersShown = 6;

const never = part`1 = 0`;

const collections: Record<string, Collection> = {
  admins: {
    table: part`(SELECT * FROM accounts WHERE role = 'admin' AND id NOT IN (SELECT f.id FROM staff f)) AS c`,
    columns: part`c.id, c.username, c.created_at AS "createdAt", c.removed_at AS "removedAt"`,
    rowBytes: part`75 + length(c.username)`,
    changedAt: part`coalesce(c.removed_at, c.created_at)`,
  },
  resellers: {
    table: part`(SELECT a.id, a.username, r.credits_tenths, r.is_active, r.suspension_reason, a.created_at
      FROM resellers r JOIN accounts a ON a.id = r.id) AS c`,
    count: part`(SELECT count(*) FROM resellers)`,
    columns: part`c.id, c.username, c.credits_tenths AS "creditsTenths", c.is_active AS "isActive",
      c.suspension_reason AS "suspensionReason", c.created_at AS "createdAt"`,
    rowBytes: part`125 + length(c.username) + coalesce(length(c.suspension_reason), 4)`,
  },
  staff: {
    table: part`(SELECT a.username, a.created_at, a.removed_at, f.* FROM staff f JOIN accounts a ON a.id = f.id) AS c`,
    columns: part`c.id, c.username, c.owner_id AS "ownerId", c.rights, c.limit_per_day_tenths AS "limitPerDayTenths",
      c.is_active AS "isActive", c.created_at AS "createdAt", c.removed_at AS "removedAt"`,
    rowBytes: part`165 + length(c.username) + length(c.rights)`,
    changedAt: part`coalesce(c.removed_at, c.created_at)`,
  },
  credit_ledger: {
    columns: part`c.id, c.reseller_id AS "resellerId", c.amount_tenths AS "amountTenths", c.balance_tenths AS "balanceTenths",
      c.reason, c.made_by AS "madeBy", c.created_at AS "createdAt", c.order_id AS "orderId", c.note,
      c.grant_id AS "grantId", c.key_id AS "keyId"`,
    removedBy: never,
    rowBytes: part`190 + length(c.reason) + coalesce(length(c.note), 4)`,
  },
  orders: {
    columns: part`c.id, c.reseller_id AS "resellerId", c.made_by AS "madeBy", ${gameNameOf(part`c.game_id`)} AS game, c.device_limit AS "deviceLimit", c.days,
      c.is_first_use AS "isFirstUse", c.duration_hours AS "durationHours",
      c.key_count AS "keyCount", c.cost_tenths AS "costTenths", c.note, c.external_id AS "externalId", c.created_at AS "createdAt",
      c.import_id AS "importId", c.undone_at AS "undoneAt"`,
    removedBy: never,
    rowBytes: part`300 + coalesce(length(c.note), 4) + coalesce(length(c.external_id), 4)`,
  },
  license_keys: {
    count: part`(SELECT coalesce(sum(made_count), 0) FROM all_key_totals)`,
    columns: part`c.id, c.key_string AS "keyString", ${gameNameOf(part`c.game_id`)} AS game, c.device_limit AS "deviceLimit", (SELECT count(*) FROM key_devices d WHERE d.key_id = c.id) AS "deviceCount",
      c.created_at AS "createdAt", nullif(c.expires_at, ${untilStarted}) AS "expiresAt",
      c.is_first_use AS "isFirstUse", c.started_at AS "startedAt", c.duration_hours AS "durationHours", c.paused_at AS "pausedAt",
      c.pause_ends_at AS "pauseEndsAt", c.pause_used_ms AS "pauseUsedMs", c.paused_in_id AS "pausedInId", c.reseller_id AS "resellerId", c.created_by AS "createdBy",
      c.revoked_at AS "revokedAt", c.revoked_by AS "revokedBy", c.replaced_by AS "replacedBy", c.order_id AS "orderId", c.note`,
    rowBytes: part`450 + length(c.key_string) + coalesce(length(c.note), 4)`,
    lastChangedAt: part`(SELECT max(at) FROM (
      SELECT max(revoked_at) AS at FROM license_keys WHERE revoked_at IS NOT NULL
      UNION ALL SELECT created_at FROM key_events WHERE id = (SELECT max(id) FROM key_events)) AS changes)`,
  },
  key_devices: {
    removedBy: part`e.what IN ('DEVICE_REMOVED', 'DEVICE_RELEASED', 'DEVICE_IDLE', 'DEVICES_RESET')`,
    columns: part`c.id, c.key_id AS "keyId", c.device_id AS "deviceId", c.name, c.first_connected_at AS "firstConnectedAt",
      c.last_seen_day AS "lastSeenDay"`,
    rowBytes: part`115 + length(c.device_id) + coalesce(length(c.name), 4)`,
    changedAt: part`c.first_connected_at`,
  },
  key_events: {
    removedBy: never,
    columns: part`c.id, c.key_id AS "keyId", c.what, c.made_by AS "madeBy", c.device_id AS "deviceId", c.device_name AS "deviceName",
      c.connected_at AS "connectedAt", c.device_count AS "deviceCount", c.amount, c.is_renewal AS "isRenewal", c.intervention_id AS "interventionId",
      c.created_at AS "createdAt"`,
    rowBytes: part`225 + length(c.what) + coalesce(length(c.device_id), 4) + coalesce(length(c.device_name), 4)`,
  },
  interventions: {
    removedBy: never,
    columns: part`c.id, c.kind, ${gameNameOf(part`c.game_id`)} AS game, c.reseller_id AS "resellerId", c.order_id AS "orderId", c.hours,
      c.since_at AS "sinceAt", c.given_reason AS reason, c.reseller_note AS "resellerNote", c.made_by AS "madeBy", c.undone_by AS "undoneBy", c.created_at AS "createdAt",
      c.key_count AS "keyCount", c.done_count AS "doneCount", c.state`,
    rowBytes: part`290 + length(c.given_reason) + coalesce(length(c.reseller_note), 4)`,
  },
  imports: {
    columns: part`c.id, c.made_by AS "madeBy", c.created_at AS "createdAt", c.is_dry_run AS "isDryRun", c.file_name AS "fileName", c.state,
      c.line_count AS "lineCount", c.valid_count AS "validCount", c.duplicate_count AS "duplicateCount",
      c.wrong_count AS "wrongCount", c.deleted_count AS "deletedCount"`,
    rowBytes: part`215 + coalesce(length(c.file_name), 4)`,
  },
  referral_tokens: {
    // Anyone who has an unused token can redeem its credits.
    columns: part`c.id, CASE WHEN c.used_by IS NULL THEN substr(c.token, 1, CAST(${tokenCharactersShown} AS INTEGER)) || '…' ELSE c.token END AS token, c.credits_tenths AS "creditsTenths", c.created_at AS "createdAt", c.created_by AS "createdBy",
      c.used_at AS "usedAt", c.used_by AS "usedBy", c.label`,
    rowBytes: part`140 + length(c.token) + coalesce(length(c.label), 4)`,
    lastChangedAt: part`(SELECT max(used_at) FROM referral_tokens)`,
  },
  audit: {
    columns: part`c.id, c.at, c.action, c.actor_id AS "actorId", c.actor_username AS "actorUsername",
      c.actor_role AS "actorRole", c.target, c.details`,
    rowBytes: part`160 + length(c.action) + length(c.target) + length(c.details) + coalesce(length(c.actor_username), 4)`,
    changedAt: part`c.at`,
  },
  online_updates: {
    columns: part`c.id, c.title, c.message, c.button_text AS "buttonText", c.link_url AS "linkUrl", c.is_active AS "isActive",
      c.created_at AS "createdAt", c.updated_at AS "updatedAt"`,
    rowBytes: part`150 + length(c.title) + length(c.message) + coalesce(length(c.link_url), 4)`,
    changedAt: part`c.updated_at`,
    lastChangedAt: part`(SELECT max(updated_at) FROM online_updates)`,
  },
};

export const collectionNames = Object.keys(collections);

function collectionNamed(name: string) {
  // The name becomes a part of the SQL.
  if (!collectionNames.includes(name)) throw new Error(`There is no collection ${name}.`);
  return { table: part`${raw(name)} AS c`, changedAt: part`c.created_at`, ...(collections[name] as Collection) };
}

/**
 * A count of a collection's rows, and what it covers: the ids of the last row and the last key event, and how many keys
 * the undo of imports had deleted.
 */
export interface Counted {
  count: number;
  lastId: number;
  lastEventId: number;
  deletedKeys: number;
}

/** If an earlier count of the same database is given, counts only newer rows, unless rows were removed since. */
export async function countRows(sql: Sql, name: string, before: Counted | null): Promise<Counted> {
  const { table, count = part`(SELECT count(*) FROM ${table})`, removedBy } = collectionNamed(name);
  if (!removedBy) {
    const [all] = await sql<{ count: number }>`SELECT ${count} AS count`;
    return { count: all?.count ?? 0, lastId: 0, lastEventId: 0, deletedKeys: 0 };
  }
  const from = before ?? { count: 0, lastId: 0, lastEventId: Number.MAX_SAFE_INTEGER, deletedKeys: 0 };
  const [row] = await sql<Counted & { removals: number }>`
    SELECT (SELECT CAST(coalesce(sum(i.deleted_count), 0) AS BIGINT) FROM imports i) AS "deletedKeys",
      (SELECT count(*) FROM ${table} WHERE c.id > ${from.lastId}) AS count,
      (SELECT coalesce(max(c.id), 0) FROM ${table}) AS "lastId",
      (SELECT coalesce(max(e.id), 0) FROM key_events e) AS "lastEventId",
      (SELECT count(*) FROM key_events e WHERE e.id > ${from.lastEventId} AND ${removedBy}) AS removals`;
  const { removals, ...counted } = row as Counted & { removals: number };
  const isRemoved = removals > 0 || (before !== null && counted.deletedKeys !== before.deletedKeys);
  return isRemoved ? countRows(sql, name, null) : { ...counted, count: from.count + counted.count };
}

export interface CollectionRow {
  /** The average of the newest rows. */
  rowBytes: number;
  modifiedAt: number | null;
}

/** rules.md: Downloads. Measuring every row of a large collection would take seconds, with about the same result. */
const rowsSampled = 200;

export async function summaryOf(sql: Sql, name: string): Promise<CollectionRow> {
  const { table, rowBytes, changedAt, lastChangedAt = part`NULL` } = collectionNamed(name);
  const [row] = await sql<{ rowBytes: number; newestAt: number | null; lastChangedAt: number | null }>`
    SELECT CAST(coalesce(avg(${rowBytes}), 0) AS DOUBLE PRECISION) AS "rowBytes",
      max(${changedAt}) AS "newestAt", ${lastChangedAt} AS "lastChangedAt"
    FROM (SELECT c.* FROM ${table} ORDER BY c.id DESC LIMIT ${rowsSampled}) AS c`;
  const { rowBytes: bytes = 0, newestAt = null, lastChangedAt: changed = null } = row ?? {};
  return { rowBytes: bytes, modifiedAt: newestAt === null ? null : Math.max(newestAt, changed ?? newestAt) };
}

/** Returns up to `limit` rows after the id `after`, in the order of their ids. */
export async function rowsOf(sql: Sql, name: string, after: number, limit: number): Promise<{ id: number }[]> {
  const { table, columns } = collectionNamed(name);
  return sql<{ id: number }>`SELECT ${columns} FROM ${table} WHERE c.id > ${after} ORDER BY c.id LIMIT ${limit}`;
}

/**
 * When a person last made a backup that reached every place. Those of the schedule are not audited, and those dated in
 * the future do not count.
 */
export async function backupOnRecordAt(sql: Sql, now: number): Promise<number | null> {
  const [row] = await sql<{ at: number }>`
    SELECT at FROM audit
    WHERE action = 'backup_made' AND at <= ${now} AND details NOT LIKE '%"notInS3":true%'
    ORDER BY at DESC, id DESC LIMIT 1`;
  return row?.at ?? null;
}
