import { readFileSync } from "node:fs";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { oneOf } from "../core/field.ts";
import { problemsOf } from "../core/field-problems.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";

declare module "@sinclair/typebox" {
  interface SchemaOptions {
    /** Its value is never shown and may be in a file that `<NAME>_FILE` names. */
    isSecret?: boolean;
    /** An address that may contain a password, which is not shown. */
    isAddress?: boolean;
  }
}

export const logLevels = ["debug", "info", "warning", "error"] as const;

/** All settings. A test compares the table in docs/operating.md with this schema. */
export const Environment = Type.Object({
  PORT: variable(Type.String({ pattern: "^[0-9]{1,5}$" }), "PORT must be a number from 0 to 65535", "3000"),
  HOST: variable(Type.String({ minLength: 1 }), "HOST must be an address to listen on", "0.0.0.0"),
  PUBLIC_URL: variable(Type.String(), "PUBLIC_URL must be an http or https address without a path", ""),
  DATA_DIR: variable(Type.String({ minLength: 1 }), "DATA_DIR must be a folder", "./data"),
  DATABASE_URL: secretAddress("DATABASE_URL must be an address"),
  DATABASE_LISTEN_URL: secretAddress("DATABASE_LISTEN_URL must be an address"),
  DATABASE_POOL: variable(
    Type.String({ pattern: "^([2-9]|[1-9][0-9]|[1-4][0-9]{2})$" }),
    "DATABASE_POOL must be a number of connections, 2 to 499",
    "10",
  ),
  TLS_CERT: variable(Type.String(), "TLS_CERT must be a file", ""),
  TLS_KEY: variable(Type.String(), "TLS_KEY must be a file", ""),
  SECRET: secret("SECRET must be a text"),
  SECRET_PREVIOUS: secret("SECRET_PREVIOUS must be a text"),
  ADMIN_USERNAME: variable(Type.String(), "ADMIN_USERNAME must be a username", ""),
  ADMIN_PASSWORD: secret("ADMIN_PASSWORD must be a password"),
  TRUSTED_PROXIES: variable(Type.String(), "TRUSTED_PROXIES must be comma-separated addresses or networks", ""),
  READABLE_SECRET: variable(oneOf(["on", "off"]), "READABLE_SECRET must be on or off", "off"),
  RATE_LIMITS: variable(oneOf(["on", "off"]), "RATE_LIMITS must be on or off", "on"),
  KEY_CACHE: variable(oneOf(["on", "off"]), "KEY_CACHE must be on or off", "on"),
  LOG_LEVEL: variable(oneOf(logLevels), `LOG_LEVEL must be one of ${logLevels.join(", ")}`, "info"),
  METRICS_TOKEN: secret("METRICS_TOKEN must be a text"),
  AUDIT_DAYS: variable(
    Type.String({ pattern: "^[0-9]{1,5}$" }),
    "AUDIT_DAYS must be a number of days, 0 to 99999",
    "365",
  ),
  REFUND_DAYS: variable(
    Type.String({ pattern: "^[0-9]{1,3}$" }),
    "REFUND_DAYS must be a number of days, 0 to 365",
    "0",
  ),
  BACKUP_SCHEDULE: variable(Type.String(), "BACKUP_SCHEDULE must be off, hourly, daily, or a cron expression", "off"),
  BACKUP_DIR: variable(Type.String(), "BACKUP_DIR must be a folder", ""),
  BACKUP_KEEP: variable(
    Type.String({ pattern: "^([1-9][0-9]{0,4}|[1-9][0-9]{0,4}d|[1-9][0-9]{0,4},[1-9][0-9]{0,4}d)$" }),
    "BACKUP_KEEP must be a number of backups, of days, or both: 30, 90d, or 30,90d",
    "30",
  ),
  BACKUP_S3: variable(Type.String(), "BACKUP_S3 must be the address of a bucket", ""),
  BACKUP_S3_REGION: variable(
    Type.String({ pattern: "^[a-z0-9-]{1,40}$" }),
    "BACKUP_S3_REGION must be a region",
    "us-east-1",
  ),
  BACKUP_S3_ACCESS_KEY_ID: secret("BACKUP_S3_ACCESS_KEY_ID must be a text"),
  BACKUP_S3_SECRET_ACCESS_KEY: secret("BACKUP_S3_SECRET_ACCESS_KEY must be a text"),
  WEBHOOK_ALLOW_PRIVATE: variable(oneOf(["on", "off"]), "WEBHOOK_ALLOW_PRIVATE must be on or off", "off"),
  TELEGRAM_API: variable(Type.String(), "TELEGRAM_API must be an http or https address", "https://api.telegram.org"),
  PANEL_NAME: variable(Type.String(), "PANEL_NAME must be 1 to 40 visible characters", "Latchkey"),
  PANEL_LOGO: variable(Type.String(), "PANEL_LOGO must be a file", ""),
  SUPPORT_LINK: variable(Type.String(), "SUPPORT_LINK must be an http or https address", ""),
  MESSAGING_LINK: variable(Type.String(), "MESSAGING_LINK must be an http or https address", ""),
  SECURITY_CONTACT: variable(Type.String(), "SECURITY_CONTACT must be a mailto: or https: address", ""),
});

type Values = Static<typeof Environment>;
type Name = keyof Values;

/** A setting in force and where it comes from: its variable, a file, or the default. */
export interface Setting {
  name: Name;
  value: string;
  source: "default" | "environment" | { file: string };
  isSecret: boolean;
  isAddress: boolean;
}

/** Every setting in the order of the schema. An empty variable counts as unset. Throws `OperatorError`. */
export function readSettings(environment: Record<string, string | undefined>): Setting[] {
  const settings = Object.entries(Environment.properties).map(([name, schema]) =>
    settingOf(name as Name, schema, environment),
  );
  const [problem] = problemsOf(Errors(Environment, valuesOf(settings)));
  if (problem) throw wrongSetting(`${problem.message}.`);
  return settings;
}

export function valuesOf(settings: Setting[]): Values {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value])) as Values;
}

/** The variable that names the file of a secret. */
export function fileVariableOf(name: string): string {
  return `${name}_FILE`;
}

function settingOf(name: Name, schema: TSchema, environment: Record<string, string | undefined>): Setting {
  const isSecret = schema.isSecret === true;
  const kind = { isSecret, isAddress: schema.isAddress === true };
  const own = environment[name];
  const file = isSecret ? environment[fileVariableOf(name)] : undefined;
  if (own && file) throw wrongSetting(`${name} and ${fileVariableOf(name)} are both set: remove one of them.`);
  if (file) return { name, value: readSecretFile(name, file), source: { file }, ...kind };
  if (own) return { name, value: own, source: "environment", ...kind };
  return { name, value: schema.default, source: "default", ...kind };
}

/** Without the byte-order mark and the line break that editors and `echo` add. */
function readSecretFile(name: Name, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF|\r?\n$/g, "");
  } catch {
    throw wrongSetting(`${fileVariableOf(name)} must be a readable file.`);
  }
  if (text === "") throw wrongSetting(`${fileVariableOf(name)} names an empty file.`);
  return text;
}

/**
 * Hides a possible password in an address, valid or not: everything between the username and the last @, and everything
 * after a question mark. Other texts stay as they are.
 */
export function withoutPassword(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(/:\/\/([^:@/?#]*:)?.*@/s, "://$1hidden@").replace(/[?#].*/s, "");
}

/** The sentence names the variable and says what it must be. */
export function wrongSetting(sentence: string): OperatorError {
  return new OperatorError(sentence, exitCodes.wrongUsage);
}

function variable<Schema extends TSchema>(schema: Schema, sentence: string, fallback: string): Schema {
  return { ...schema, default: fallback, says: { wrong: sentence, required: sentence } };
}

function secret(sentence: string) {
  return { ...variable(Type.String(), sentence, ""), isSecret: true };
}

/** An address with a password in it. */
function secretAddress(sentence: string) {
  return { ...secret(sentence), isAddress: true };
}
