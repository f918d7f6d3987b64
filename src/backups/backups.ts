import { getLogger } from "@logtape/logtape";
import type { AuditedChanges, Caller } from "../accounts/audited-changes.ts";
import { type BackupSettings, nextAfter } from "../config/backup-settings.ts";
import { type Clock, isoOf, isoOrNull, msPerHour, msPerMinute, msPerSecond } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { recordEvents } from "../facts/outbox-store.ts";
import type { WebhookEventData } from "../facts/webhook-events.ts";
import type { Progress } from "./backup-work.ts";
import { type KeptBackupReport, type KeptList, type ListedBackup, listKept, makeKeptBackup } from "./kept-backups.ts";
import type { BackupState } from "./schema.ts";
import { backupOnRecordAt } from "./store.ts";

const log = getLogger(["latchkey", "backup"]);

/** A backup is late if it is missing this long after its scheduled time (rules.md: Full backups). */
const lateMs = msPerHour;

/** A failed backup is tried again after this, until one succeeds. */
const retryMs = 10 * msPerMinute;

const checkMs = msPerMinute;

/** A list is kept for a minute, so that page views do not each query S3. */
const listMsMax = msPerMinute;

/** The last backup that has reached every place, and whether the next one of the schedule is overdue. */
export interface LastBackup {
  at: number | null;
  isLate: boolean;
}

export type Backups = ReturnType<typeof createBackups>;

/** The server's own backups: those of the schedule, and those that an admin starts. */
export function createBackups({
  settings,
  database,
  changes,
  clock,
  metrics,
  panel,
}: {
  settings: BackupSettings;
  /** The panel's address or name, for those who have several. */
  panel: string;
  /** PostgreSQL is backed up elsewhere. */
  database: Pick<Database, "file" | "read" | "transaction">;
  changes: AuditedChanges;
  clock: Pick<Clock, "now" | "retentionNow">;
  metrics: Metrics;
}) {
  const { schedule } = settings;
  const { file } = database;
  const { now, retentionNow } = clock;
  let startedAt = now();
  let checkedAt = startedAt;
  let lastGoodAt: number | null = null;
  metrics.gauge({
    name: "latchkey_last_backup_timestamp_seconds",
    help: "Time of the last good backup. A good one has reached every configured place.",
    read: () => (lastGoodAt === null ? null : lastGoodAt / msPerSecond),
  });
  let lastFailure: { at: number; message: string } | null = null;
  let notRemoved: KeptBackupReport["notRemoved"] = [];
  let underWay: Progress | null = null;
  let wasLate = false;
  let isLastKnown = false;
  let list: { at: number; kept: Promise<KeptList> } | null = null;

  return {
    /** Throws `STORAGE_UNAVAILABLE` if the folder cannot be read. */
    async state(): Promise<BackupState> {
      const kept = await listed().catch((error) => {
        throw new Refusal("STORAGE_UNAVAILABLE", "The server cannot read its backups at the moment.", { cause: error });
      });
      const { at, isLate } = await lastGood();
      return {
        isElsewhere: file === null,
        schedule,
        lastGoodAt: isoOrNull(at),
        isLate,
        nextAt: isoOrNull(schedule === null ? null : nextAfter(schedule, now())),
        failure: lastFailure && { at: isoOf(lastFailure.at), message: lastFailure.message },
        notRemoved: notRemoved.map(({ name }) => name),
        underWay,
        hasS3: settings.s3 !== null,
        isS3Unreachable: kept.s3Failure !== null,
        backups: kept.backups.map(({ name, madeAt, bytes, places }) => {
          return { name, at: isoOf(madeAt), size: bytes, places };
        }),
      };
    },

    /** Starts a backup and returns before it is made. Throws `BACKUP_UNDER_WAY` or `BACKUPS_ELSEWHERE`. */
    start(admin: Caller) {
      if (file === null) throw new Refusal("BACKUPS_ELSEWHERE", "This database is backed up with its own tools.");
      if (underWay) throw new Refusal("BACKUP_UNDER_WAY", "A backup is already running.");
      void make(admin, file);
    },

    lastBackup,
    lastGood,
    makeIfDue,

    /** Makes due backups from now on, with a check every minute. Returns how to stop. */
    begin() {
      // One check at a time: a backup may take longer than the wait for the next check.
      let timer = setTimeout(check, 0).unref();
      return () => clearTimeout(timer);

      async function check(): Promise<void> {
        await makeIfDue();
        timer = setTimeout(check, checkMs).unref();
      }
    },
  };

  /** Makes a backup if one is due, which includes the first one and one that was missed. Resolves when it is made. */
  async function makeIfDue(): Promise<void> {
    if (file === null) return;
    if (now() < checkedAt) forgetFuture();
    checkedAt = now();
    if (!isLastKnown) await readLastBackup();
    if (schedule === null) return;
    const dueAt = lastGoodAt === null ? startedAt : (nextAfter(schedule, lastGoodAt) ?? Number.POSITIVE_INFINITY);
    const retryAt = lastFailure === null ? dueAt : lastFailure.at + retryMs;
    if (now() >= dueAt && now() >= retryAt && !underWay) await make(null, file);
    logIfLate();
  }

  /** Called once the clock is no longer ahead: a backup dated in the future is not the last good one. */
  function forgetFuture(): void {
    startedAt = now();
    lastGoodAt = null;
    lastFailure = null;
    isLastKnown = false;
    list = null;
  }

  /** Of the backups of this server and of the command line. The panel judges by nothing else. */
  async function lastGood(): Promise<LastBackup> {
    const { at, isLate } = lastBackup();
    const onRecordAt = file === null ? null : await backupOnRecordAt(database.read, now());
    return { at: Math.max(at ?? 0, onRecordAt ?? 0) || null, isLate };
  }

  /** Of the backups of this server, which the schedule follows. */
  function lastBackup(): LastBackup {
    const due = schedule === null ? null : nextAfter(schedule, lastGoodAt ?? startedAt);
    return { at: lastGoodAt, isLate: due !== null && now() > due + lateMs };
  }

  function listed(): Promise<KeptList> {
    if (file === null) return Promise.resolve({ backups: [], s3Failure: null });
    if (list === null || (underWay === null && now() > list.at + listMsMax)) {
      list = { at: now(), kept: listKept(settings) };
      // After a failure the next call reads the list again.
      list.kept.catch(() => {
        list = null;
      });
    }
    return list.kept;
  }

  /** If there is S3, only backups there count: the folder may be lost with the machine. */
  async function readLastBackup(): Promise<void> {
    const { backups } = await listed().catch(() => ({ backups: [] }));
    const counts = settings.s3 ? "s3" : "folder";
    isLastKnown = true;
    const isGood = ({ places, madeAt }: ListedBackup) => places.includes(counts) && madeAt <= now();
    lastGoodAt ??= backups.find(isGood)?.madeAt ?? null;
  }

  /** Never throws: a failure is in the log and in `state`. */
  async function make(admin: Caller | null, database: string): Promise<void> {
    const madeAt = now();
    underWay = { step: "copying", share: null };
    try {
      const report = await makeKeptBackup({
        settings,
        database,
        madeAt,
        retentionNow: retentionNow(),
        onProgress(progress) {
          underWay = progress;
        },
      });
      notRemoved = report.notRemoved;
      for (const { name, reason } of notRemoved) {
        log.warn("The old backup {name} could not be removed: {reason}", { event: "backup_kept", name, reason });
      }
      if (report.notSent === null) succeeded(madeAt, report);
      else
        failed(madeAt, "The last backup is complete on this machine, but could not be copied to S3.", report.notSent);
      if (admin) await recordInAuditLog(admin, report);
    } catch (error) {
      failed(madeAt, "The last backup failed.", error);
    } finally {
      underWay = null;
      list = null;
    }
  }

  function succeeded(madeAt: number, { name, bytes, removed }: KeptBackupReport): void {
    lastGoodAt = madeAt;
    lastFailure = null;
    wasLate = false;
    const line = { event: "backup_made", name, bytes, ms: now() - madeAt, removed: removed.length };
    log.info("Made the backup {name} ({bytes} bytes) in {ms} ms.", line);
  }

  function failed(at: number, message: string, cause: unknown): void {
    lastFailure = { at, message };
    const reason = cause instanceof Error ? cause.message : String(cause);
    log.error("{message} {reason}", { event: "backup_failed", message, reason });
    recordBackupEvent("backup.failed", { reason: message, panel });
  }

  function recordBackupEvent(type: "backup.failed" | "backup.late", data: WebhookEventData = {}): void {
    const event = { type, resellerId: null, at: now(), data };
    database
      .transaction(null, ({ sql }) => recordEvents(sql, [event]))
      .catch((error) => log.error("The webhooks' event of a backup could not be recorded: {error}", { error }));
  }

  function logIfLate(): void {
    const { at, isLate } = lastBackup();
    if (isLate && !wasLate) {
      const last = isoOrNull(at) ?? "none";
      log.error("The last good backup is too old: {last}.", { event: "backup_late", last });
      recordBackupEvent("backup.late");
    }
    wasLate = isLate;
  }

  /** Access was checked at the request. The backup is recorded even if the session has ended since. */
  async function recordInAuditLog({ address, id, username, role }: Caller, report: KeptBackupReport): Promise<void> {
    const details = { file: report.name, ...(report.notSent && { notInS3: true as const }) };
    const record = { action: "backup_made", target: "database", details } as const;
    const actor = { id, username, role };
    await changes
      .carryOut({ address }, async () => ({ result: undefined, record: { ...record, actor } }))
      .catch((error) => log.error("A backup could not be recorded in the audit log: {error}", { error }));
  }
}
