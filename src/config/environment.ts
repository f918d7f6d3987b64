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

/** All settings. A test compares the table in docs/operating.md with this schema. `config.ts` checks the texts. */
export const Environment = Type.Object({
  PORT: variable(Type.String({ pattern: "^[0-9]{1,5}$" }), "must be a number from 0 to 65535", "3000"),
  HOST: text("0.0.0.0"),
  PUBLIC_URL: text(),
  DATA_DIR: text("./data"),
  DATABASE_URL: secretAddress(),
  DATABASE_LISTEN_URL: secretAddress(),
  DATABASE_POOL: variable(
    Type.String({ pattern: "^([2-9]|[1-9][0-9]|[1-4][0-9]{2})$" }),
    "must be a number of connections, 2 to 499",
    "10",
  ),
  TLS_CERT: text(),
  TLS_KEY: text(),
  SECRET: secret(),
  SECRET_PREVIOUS: secret(),
  ADMIN_USERNAME: text(),
  ADMIN_PASSWORD: secret(),
  TRUSTED_PROXIES: text(),
  READABLE_SECRET: onOrOff("off"),
  RATE_LIMITS: onOrOff("on"),
  KEY_CACHE: onOrOff("on"),
  LOG_LEVEL: variable(oneOf(logLevels), `must be one of ${logLevels.join(", ")}`, "info"),
  METRICS_TOKEN: secret(),
  AUDIT_DAYS: variable(Type.String({ pattern: "^[0-9]{1,5}$" }), "must be a number of days, 0 to 99999", "365"),
  REFUND_DAYS: variable(Type.String({ pattern: "^[0-9]{1,3}$" }), "must be a number of days, 0 to 365", "0"),
  BACKUP_SCHEDULE: text("off"),
  BACKUP_DIR: text(),
  BACKUP_KEEP: variable(
    Type.String({ pattern: "^([1-9][0-9]{0,4}|[1-9][0-9]{0,4}d|[1-9][0-9]{0,4},[1-9][0-9]{0,4}d)$" }),
    "must be a number of backups, of days, or both: 30, 90d, or 30,90d",
    "30",
  ),
  BACKUP_S3: text(),
  BACKUP_S3_REGION: variable(Type.String({ pattern: "^[a-z0-9-]{1,40}$" }), "must be a region", "us-east-1"),
  BACKUP_S3_ACCESS_KEY_ID: secret(),
  BACKUP_S3_SECRET_ACCESS_KEY: secret(),
  WEBHOOK_ALLOW_PRIVATE: onOrOff("off"),
  TELEGRAM_API: text("https://api.telegram.org"),
  PANEL_NAME: text("Latchkey"),
  PANEL_LOGO: text(),
  SUPPORT_LINK: text(),
  MESSAGING_LINK: text(),
  SECURITY_CONTACT: text(),
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
  if (problem) throw wrongSetting(`${problem.path} ${problem.message}.`);
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
  if (controlCharacter.test(file ?? "")) throw wrongSetting(`${fileVariableOf(name)} ${mustBePlain}`);
  const value = file ? readSecretFile(name, file) : own || schema.default;
  if (controlCharacter.test(value)) throw wrongSetting(`${name} ${mustBePlain}`);
  return { name, value, source: file ? { file } : own ? "environment" : "default", ...kind };
}

const controlCharacter = /\p{Cc}/u;
const mustBePlain = "must not contain a control character, such as a line break.";

/** Without the byte-order mark and the line break that editors and `echo` add. */
function readSecretFile(name: Name, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF|(\r\n?|\n)$/g, "");
  } catch (error) {
    throw unreadableFile(fileVariableOf(name), file, error as NodeJS.ErrnoException);
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

export function unreadableFile(name: string, file: string, { code }: NodeJS.ErrnoException): OperatorError {
  return wrongSetting(
    `${name} must be a readable file: ${file} ${code === "ENOENT" ? "does not exist" : "cannot be read"}.`,
  );
}

/** `must` continues a sentence that begins with the variable's name. */
function variable<Schema extends TSchema>(schema: Schema, must: string, fallback: string): Schema {
  return { ...schema, default: fallback, says: { wrong: must, required: must } };
}

function onOrOff(fallback: "on" | "off") {
  return variable(oneOf(["on", "off"]), "must be on or off", fallback);
}

function text(fallback = "") {
  return Type.String({ default: fallback });
}

function secret() {
  return { ...text(), isSecret: true };
}

/** An address with a password in it. */
function secretAddress() {
  return { ...secret(), isAddress: true };
}
