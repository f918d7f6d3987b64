import { join } from "node:path";
import type { Static } from "@sinclair/typebox";
import { type Network, networkIn } from "../core/ip-address.ts";
import { isWebAddress } from "../core/text.ts";
import type { PostgresAddress } from "../db/postgres/postgres.ts";
import { addressProblem } from "../db/postgres/postgres-address.ts";
import { type BackupSettings, readKeep, readS3Address, readSchedule, type S3Settings } from "./backup-settings.ts";
import { readBrand } from "./brand-settings.ts";
import { type Environment, readSettings, valuesOf, withoutPassword, wrongSetting } from "./environment.ts";

const secretCharactersMin = 32;

/** It protects figures of the server's load, but no data. */
const metricsTokenCharactersMin = 16;

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings from an environment. An empty variable counts as unset. Throws `OperatorError`. */
export function readConfig(environment: Record<string, string | undefined>) {
  const values = valuesOf(readSettings(environment));
  const port = Number(values.PORT);
  if (port > 65_535) throw wrongSetting("PORT must be a number from 0 to 65535.");
  refuseWeak(values);
  if (values.MESSAGING_LINK && !isWebAddress(values.MESSAGING_LINK)) {
    throw wrongSetting("MESSAGING_LINK must be an http or https address.");
  }
  if (values.SECURITY_CONTACT && !isContact(values.SECURITY_CONTACT)) {
    throw wrongSetting("SECURITY_CONTACT must be a mailto: or https: address, such as mailto:security@example.com.");
  }
  return {
    port,
    host: values.HOST,
    /** The panel's public address, without a path; null if it is not set. */
    publicUrl: readPublicUrl(values.PUBLIC_URL),
    dataFolder: values.DATA_DIR,
    /** The PostgreSQL that several processes share; null for the embedded database in the data folder. */
    postgres: readPostgres(values),
    /** Signs cookies; null means that one is generated and kept in the data folder. */
    secret: values.SECRET || null,
    /** Used while SECRET is being changed: what this one signed and encrypted is still accepted. */
    previousSecret: values.SECRET_PREVIOUS || null,
    /** Whether other users may read the secret in the data folder. */
    readableSecret: values.READABLE_SECRET === "on",
    firstAdmin: readFirstAdmin(values),
    /** X-Forwarded-For is trusted only from these. */
    trustedProxies: readTrustedProxies(values.TRUSTED_PROXIES),
    /** The files of the certificate, with its chain, and of its key; null for plain http. */
    tls: readTls(values),
    rateLimits: values.RATE_LIMITS === "on",
    /** Whether keys of connected devices are kept in memory (SQLite only). */
    keyCache: values.KEY_CACHE === "on",
    logLevel: values.LOG_LEVEL,
    /** How long audit entries are kept; 0 keeps all. */
    auditDays: Number(values.AUDIT_DAYS),
    /** Until when revoking an unused key gives its cost back; 0 for never. */
    refundDays: readRefundDays(values.REFUND_DAYS),
    backups: readBackups(values),
    webhooks: readWebhooks(values),
    /** What names the panel on its pages. */
    brand: readBrand(values),
    messagingLink: values.MESSAGING_LINK || null,
    /** A `mailto:` or `https:` address for reports of vulnerabilities in this installation. */
    securityContact: values.SECURITY_CONTACT || null,
    /** The token that /metrics requires; null means that there is no /metrics. */
    metricsToken: values.METRICS_TOKEN || null,
  };
}

function readPostgres(values: Static<typeof Environment>): PostgresAddress | null {
  const { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl } = values;
  if (url === "") {
    if (listenUrl !== "") throw wrongSetting("DATABASE_LISTEN_URL needs DATABASE_URL.");
    return null;
  }
  refuseNoPostgres("DATABASE_URL", url);
  if (listenUrl !== "") refuseNoPostgres("DATABASE_LISTEN_URL", listenUrl);
  if (values.SECRET === "") {
    throw wrongSetting("DATABASE_URL needs SECRET or SECRET_FILE, the same for all processes of a database.");
  }
  if (values.BACKUP_SCHEDULE !== "off") {
    throw wrongSetting(
      "BACKUP_SCHEDULE works only with the embedded database. Remove it, and back up PostgreSQL with pg_dump.",
    );
  }
  return { url, listenUrl: listenUrl || url, poolSize: Number(values.DATABASE_POOL) };
}

export function refuseNoPostgres(name: string, text: string): void {
  const problem = addressProblem(text);
  if (problem) throw wrongSetting(`${name} ${problem}.`);
}

function refuseWeak({ SECRET, SECRET_PREVIOUS, METRICS_TOKEN }: Static<typeof Environment>): void {
  const weaknesses = {
    SECRET: SECRET ? weaknessOf(SECRET) : null,
    // An older version accepted a repetitive one, which must open two-factor secrets until they are encrypted again.
    SECRET_PREVIOUS: SECRET_PREVIOUS ? shortness(SECRET_PREVIOUS, secretCharactersMin) : null,
    METRICS_TOKEN: METRICS_TOKEN ? weaknessOf(METRICS_TOKEN, metricsTokenCharactersMin) : null,
  };
  for (const [name, weakness] of Object.entries(weaknesses)) if (weakness) throw wrongSetting(`${name} ${weakness}.`);
}

/**
 * Returns why a text is too weak to be a secret, as the end of a sentence, or null. In a text that repeats a word, few
 * pairs of neighbouring characters differ; in a random one, nearly all do.
 */
export function weaknessOf(secret: string, charactersMin = secretCharactersMin): string | null {
  const pairs = new Set(Array.from(secret.slice(1), (character, index) => secret[index] + character));
  const isRepetitive = pairs.size <= charactersMin / 2;
  return shortness(secret, charactersMin) ?? (isRepetitive ? "must not repeat a word or a pattern" : null);
}

function shortness(secret: string, charactersMin: number): string | null {
  return secret.length < charactersMin ? `must have at least ${charactersMin} characters` : null;
}

function readPublicUrl(text: string): URL | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (!url || !isWebAddress(text) || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw wrongSetting("PUBLIC_URL must be an http or https address without a path, such as https://keys.example.com.");
  }
  return url;
}

/** It becomes a line of security.txt, so it must be one word. */
function isContact(text: string): boolean {
  return /^mailto:[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/iu.test(text) || (/^https:/i.test(text) && isWebAddress(text));
}

function readFirstAdmin({ ADMIN_USERNAME: username, ADMIN_PASSWORD: password }: Static<typeof Environment>) {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") {
    throw wrongSetting("Set ADMIN_USERNAME together with ADMIN_PASSWORD or ADMIN_PASSWORD_FILE.");
  }
  return { username, password };
}

function readRefundDays(text: string): number {
  if (Number(text) > 365) throw wrongSetting("REFUND_DAYS must be a number of days, 0 to 365.");
  return Number(text);
}

function readBackups(values: Static<typeof Environment>): BackupSettings {
  return {
    schedule: scheduleOf(values.BACKUP_SCHEDULE),
    folder: values.BACKUP_DIR || join(values.DATA_DIR, "backups"),
    keep: readKeep(values.BACKUP_KEEP),
    s3: values.BACKUP_S3 ? readS3(values) : null,
  };
}

function scheduleOf(text: string): string | null {
  try {
    return readSchedule(text);
  } catch {
    throw wrongSetting("BACKUP_SCHEDULE must be off, hourly, daily, or a cron expression such as 30 2 * * *.");
  }
}

function readS3(values: Static<typeof Environment>): S3Settings {
  const place = readS3Address(values.BACKUP_S3);
  if (!place)
    throw wrongSetting(
      "BACKUP_S3 must be the address of a bucket, with the bucket in the path: https://s3.example.com/bucket/folder.",
    );
  const accessKeyId = values.BACKUP_S3_ACCESS_KEY_ID;
  const secretAccessKey = values.BACKUP_S3_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey) {
    throw wrongSetting("Set BACKUP_S3, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY together.");
  }
  return { ...place, region: values.BACKUP_S3_REGION, accessKeyId, secretAccessKey };
}

function readWebhooks({ WEBHOOK_ALLOW_PRIVATE, TELEGRAM_API }: Static<typeof Environment>) {
  if (!isWebAddress(TELEGRAM_API) || /[?#]/.test(TELEGRAM_API)) {
    throw wrongSetting("TELEGRAM_API must be an http or https address, such as https://telegram.example.com.");
  }
  return {
    /** Whether webhooks may lead into private networks. */
    allowPrivate: WEBHOOK_ALLOW_PRIVATE === "on",
    /** The address of Telegram's bot API, without a slash at its end. */
    telegramApi: TELEGRAM_API.replace(/\/+$/, ""),
  };
}

function readTls({ TLS_CERT, TLS_KEY }: Static<typeof Environment>) {
  if (TLS_CERT === "" && TLS_KEY === "") return null;
  if (TLS_CERT === "" || TLS_KEY === "") throw wrongSetting("Set TLS_CERT and TLS_KEY together.");
  return { certificateFile: TLS_CERT, keyFile: TLS_KEY };
}

function readTrustedProxies(text: string): Network[] {
  const proxies: Network[] = [];
  for (const entry of text.split(",").map((piece) => piece.trim())) {
    if (entry === "") continue;
    const network = networkIn(entry);
    if (!network) {
      const shown = withoutPassword(entry);
      throw wrongSetting(`TRUSTED_PROXIES must be comma-separated addresses or networks; "${shown}" is neither.`);
    }
    proxies.push(network);
  }
  return proxies;
}
