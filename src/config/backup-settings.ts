import { msPerDay } from "../core/clock.ts";
import { isWebAddress } from "../core/text.ts";

/** Where and how often the server makes scheduled backups (rules.md: Full backups). */
export interface BackupSettings {
  /** A cron expression in UTC, or null if backups are off. */
  schedule: string | null;
  folder: string;
  keep: Keep;
  s3: S3Settings | null;
}

/** A backup that exceeds either limit is removed; null means no limit. */
export interface Keep {
  count: number | null;
  ms: number | null;
}

/** A bucket that speaks S3, and the folder of the backups in it. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  /** The prefix of each name: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const named: Record<string, string | null> = { off: null, hourly: "0 * * * *", daily: "0 3 * * *" };

/** Throws for any text other than these words and cron expressions that ever match. */
export function readSchedule(text: string): string | null {
  if (Object.hasOwn(named, text)) return named[text] ?? null;
  if (nextAfter(text, 0) === null) throw new Error("It never comes.");
  return text;
}

/** When the schedule is next due after an instant, in milliseconds. */
export function nextAfter(schedule: string, at: number): number | null {
  return Bun.cron.parse(schedule, at, { tz: "UTC" })?.getTime() ?? null;
}

/** `30`, `90d`, or both: `30,90d`. */
export function readKeep(text: string): Keep {
  const pieces = text.split(",");
  const days = pieces.find((piece) => piece.endsWith("d"));
  const count = pieces.find((piece) => !piece.endsWith("d"));
  return { count: count ? Number(count) : null, ms: days ? Number(days.slice(0, -1)) * msPerDay : null };
}

/** Hosts of large providers that begin with the bucket, so that the path has only folders. */
const hostWithBucket =
  /^(?!s3[.-])[^.]+\.s3[.-]|^[^.]+\.[^.]+\.digitaloceanspaces\.com$|^[^.]+\.storage\.googleapis\.com$/;

/**
 * `https://s3.example.com/bucket/folder`, whose folder is optional. Returns null for any other text, and if the host
 * names the bucket.
 */
export function readS3Address(text: string): Pick<S3Settings, "endpoint" | "bucket" | "prefix"> | null {
  const url = URL.parse(text);
  if (url && hostWithBucket.test(url.hostname)) return null;
  if (!url || !isWebAddress(text) || url.search || url.hash || url.username || url.password) return null;
  const [bucket = "", ...folders] = url.pathname.split("/").filter((piece) => piece !== "");
  if (!/^[A-Za-z0-9._-]{1,63}$/.test(bucket) || !folders.every((each) => /^[\w.-]{1,100}$/.test(each))) return null;
  return { endpoint: url.origin, bucket, prefix: folders.map((each) => `${each}/`).join("") };
}
