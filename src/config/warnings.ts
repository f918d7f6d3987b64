import { distance } from "fastest-levenshtein";
import { createNetworks, ipVersion, type Network, networkIn } from "../core/ip-address.ts";
import type { Config } from "./config.ts";
import { Environment, fileVariableOf } from "./environment.ts";

export const secretSentence = "SECRET is in no backup: keep a copy of it elsewhere.";

/**
 * Valid settings that are probably not what the operator meant. One sentence each, for the log and `latchkey config`.
 */
export function warningsOf(environment: Record<string, string | undefined>, config: Config): string[] {
  const warnings = misspelledIn(environment);
  const { backups, trustedProxies, publicUrl, host, tls, postgres, secret, rateLimits, webhooks } = config;
  if (backups.s3 !== null && backups.schedule === null) {
    warnings.push(
      "BACKUP_S3 is set, but BACKUP_SCHEDULE is off: only backups that you start by hand are copied there.",
    );
  } else if (backups.schedule === null && postgres === null) {
    warnings.push("No backups are scheduled: set BACKUP_SCHEDULE, or run `latchkey backup` regularly.");
  }
  if (backups.s3 !== null && secret === null) {
    warnings.push(
      "SECRET is in no backup. Backups go to S3, but the generated secret is only in DATA_DIR: keep a copy of DATA_DIR/secret elsewhere.",
    );
  }
  if (trustedProxies.some(({ prefix }) => prefix === 0)) {
    warnings.push("TRUSTED_PROXIES includes every address, so anyone can claim any address: name only your proxies.");
  }
  const isPlain = publicUrl?.protocol === "https:" && tls === null;
  const isLocal = ["localhost", "127.0.0.1", "::1"].includes(host);
  if (isPlain && isLocal && trustedProxies.length === 0) {
    warnings.push(
      "PUBLIC_URL is https, so there is a proxy, but TRUSTED_PROXIES does not name it: limits count all clients as one.",
    );
  }
  if (isPlain && !isLocal && trustedProxies.every(({ address }) => loopback.hold(address))) {
    warnings.push(
      `PUBLIC_URL is https, but HOST ${host} accepts plain http from the network: set HOST=127.0.0.1 behind a proxy, or TLS_CERT and TLS_KEY.`,
    );
  }
  if (publicUrl?.protocol === "http:" && !isLocalName(publicUrl.hostname)) {
    warnings.push("PUBLIC_URL is http, so anyone on the way can read passwords and keys: use https.");
  }
  if (!rateLimits) {
    warnings.push("RATE_LIMITS is off, so passwords and keys can be guessed without limit: it is for tests only.");
  }
  if (webhooks.allowPrivate) {
    warnings.push("WEBHOOK_ALLOW_PRIVATE is on: the webhooks of any reseller reach private networks and this machine.");
  }
  return warnings;
}

const networksOf = (texts: string[]) => createNetworks(texts.map((text) => networkIn(text) as Network));
const loopback = networksOf(["127.0.0.0/8", "::1"]);
const privateNetworks = networksOf([
  ...["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ...["::1", "fc00::/7", "fe80::/10"],
]);

/** Whether a host of an address is on this machine or in a private network. */
function isLocalName(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (ipVersion(address) !== 0) return privateNetworks.hold(address);
  return !host.includes(".") || /\.(localhost|local|lan|internal|home\.arpa|test)$/.test(host);
}

/** Variables whose names are almost those of settings. */
function misspelledIn(environment: Record<string, string | undefined>): string[] {
  const known = Object.entries(Environment.properties).flatMap(([name, { isSecret }]) =>
    isSecret ? [name, fileVariableOf(name)] : [name],
  );
  return Object.keys(environment)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((setting) => distance(name, setting) <= Math.max(1, Math.floor(setting.length / 5)));
      return meant ? [`${name} is not a setting, so it has no effect. Did you mean ${meant}?`] : [];
    });
}
