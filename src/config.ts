import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { oneOf, problemsOf } from "./field.ts";
import { exitCodes, OperatorError } from "./operator-error.ts";
import { isWebAddress } from "./web-address.ts";

export const logLevels = ["debug", "info", "warning", "error"] as const;

const secretCharactersMin = 32;

/** A random secret of that length has more. A character or a word that is repeated has fewer. */
const secretDifferentMin = 8;

/** The whole environment that Latchkey reads. The table of docs/operating.md is held against this schema by a test. */
export const Environment = Type.Object({
  PORT: variable(Type.String({ pattern: "^[0-9]{1,5}$" }), "PORT must be a number from 0 to 65535", "3000"),
  HOST: variable(Type.String({ minLength: 1 }), "HOST must be an address to listen on", "0.0.0.0"),
  PUBLIC_URL: variable(Type.String(), "PUBLIC_URL must be an http or https address without a path", ""),
  DATA_DIR: variable(Type.String({ minLength: 1 }), "DATA_DIR must be a folder", "./data"),
  SECRET: variable(Type.String(), `SECRET must have at least ${secretCharactersMin} characters`, ""),
  ADMIN_USERNAME: variable(Type.String(), "ADMIN_USERNAME must be a username", ""),
  ADMIN_PASSWORD: variable(Type.String(), "ADMIN_PASSWORD must be a password", ""),
  ADMIN_PASSWORD_FILE: variable(Type.String(), "ADMIN_PASSWORD_FILE must be a readable file", ""),
  TRUSTED_PROXIES: variable(Type.String(), "TRUSTED_PROXIES must be addresses or networks, separated by commas", ""),
  RATE_LIMITS: variable(oneOf(["on", "off"]), "RATE_LIMITS must be on or off", "on"),
  LOG_LEVEL: variable(oneOf(logLevels), `LOG_LEVEL must be one of ${logLevels.join(", ")}`, "info"),
  AUDIT_DAYS: variable(
    Type.String({ pattern: "^[0-9]{1,5}$" }),
    "AUDIT_DAYS must be a number of days, 0 to 99999",
    "365",
  ),
  MESSAGING_LINK: variable(Type.String(), "MESSAGING_LINK must be an http or https address", ""),
  SECURITY_CONTACT: variable(Type.String(), "SECURITY_CONTACT must be a mailto: or https: address", ""),
});

export interface Config {
  port: number;
  host: string;
  /** Where people reach the panel, without a path; null when it was not told. */
  publicUrl: URL | null;
  dataFolder: string;
  /** The key that signs cookies; null means one is made and kept in the data folder. */
  secret: string | null;
  firstAdmin: { username: string; password: string } | null;
  trustedProxies: BlockList;
  rateLimits: boolean;
  logLevel: (typeof logLevels)[number];
  /** How long the record is kept; 0 keeps all. */
  auditDays: number;
  messagingLink: string | null;
  /** Whom a hole in this installation is reported to: a `mailto:` or `https:` address. */
  securityContact: string | null;
}

/** Reads the settings from an environment. An empty variable counts as unset. Throws `OperatorError`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = readEnvironment(environment);
  const port = Number(values.PORT);
  if (port > 65_535) throw wrongSetting("PORT must be a number from 0 to 65535.");
  const weakness = values.SECRET ? weaknessOf(values.SECRET) : null;
  if (weakness) throw wrongSetting(`SECRET ${weakness}.`);
  if (values.MESSAGING_LINK && !isWebAddress(values.MESSAGING_LINK)) {
    throw wrongSetting("MESSAGING_LINK must be an http or https address.");
  }
  if (values.SECURITY_CONTACT && !isContact(values.SECURITY_CONTACT)) {
    throw wrongSetting("SECURITY_CONTACT must be a mailto: or https: address, such as mailto:security@example.com.");
  }
  return {
    port,
    host: values.HOST,
    publicUrl: readPublicUrl(values.PUBLIC_URL),
    dataFolder: values.DATA_DIR,
    secret: values.SECRET || null,
    firstAdmin: readFirstAdmin(values),
    trustedProxies: readTrustedProxies(values.TRUSTED_PROXIES),
    rateLimits: values.RATE_LIMITS === "on",
    logLevel: values.LOG_LEVEL,
    auditDays: Number(values.AUDIT_DAYS),
    messagingLink: values.MESSAGING_LINK || null,
    securityContact: values.SECURITY_CONTACT || null,
  };
}

function readEnvironment(environment: Record<string, string | undefined>): Static<typeof Environment> {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(Environment.properties)) {
    values[name] = environment[name] || schema.default;
  }
  const [problem] = problemsOf(Value.Errors(Environment, values));
  if (problem) throw wrongSetting(`${problem.message}.`);
  return values as Static<typeof Environment>;
}

/** Why a text is no secret to sign with, as the end of a sentence, or `null`. */
export function weaknessOf(secret: string): string | null {
  if (secret.length < secretCharactersMin) return `must have at least ${secretCharactersMin} characters`;
  if (new Set(secret).size < secretDifferentMin) return `must have at least ${secretDifferentMin} different characters`;
  return null;
}

function readPublicUrl(text: string): URL | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (!url || !isWebAddress(text) || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw wrongSetting("PUBLIC_URL must be an http or https address without a path, such as https://keys.example.com.");
  }
  return url;
}

/** It is written into a file of lines, so it has to be one word. */
function isContact(text: string): boolean {
  return /^mailto:[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/iu.test(text) || (/^https:/i.test(text) && isWebAddress(text));
}

function readFirstAdmin(values: Static<typeof Environment>): Config["firstAdmin"] {
  const username = values.ADMIN_USERNAME;
  const password = values.ADMIN_PASSWORD || readPasswordFile(values.ADMIN_PASSWORD_FILE);
  if (username === "" && password === "") return null;
  if (username === "" || password === "") {
    throw wrongSetting("ADMIN_USERNAME goes together with ADMIN_PASSWORD or ADMIN_PASSWORD_FILE.");
  }
  return { username, password };
}

function readPasswordFile(file: string): string {
  if (file === "") return "";
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw wrongSetting("ADMIN_PASSWORD_FILE must be a readable file.");
  }
}

function readTrustedProxies(text: string): BlockList {
  const proxies = new BlockList();
  for (const entry of text.split(",").map((piece) => piece.trim())) {
    if (entry === "") continue;
    const [address = "", bits, ...more] = entry.split("/");
    const version = isIP(address);
    const bitsMax = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? bitsMax : Number(bits);
    if (version === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits ?? "0") || prefix > bitsMax) {
      throw wrongSetting(`TRUSTED_PROXIES must be addresses or networks, separated by commas; "${entry}" is neither.`);
    }
    proxies.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
  }
  return proxies;
}

/** The sentence names the variable and says what it must be. */
export function wrongSetting(sentence: string): OperatorError {
  return new OperatorError(sentence, exitCodes.wrongUsage);
}

function variable<Schema extends TSchema>(schema: Schema, sentence: string, fallback: string): Schema {
  return { ...schema, default: fallback, says: { wrong: sentence, required: sentence } };
}
