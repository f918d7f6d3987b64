import { existsSync } from "node:fs";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import { createSeal } from "../accounts/sealed.ts";
import { loseTwoFactor } from "../accounts/two-factor/two-factor.ts";
import { type Config, readConfig } from "../config/config.ts";
import { randomText } from "../core/random.ts";
import type { Details } from "../facts/audit-entry.ts";
import { createSigningKeys } from "../proof/signing-keys.ts";
import { loseShopLinks } from "../shop-links/shop-links.ts";
import { loseWebhooks } from "../webhooks/secrets.ts";
import { keptSecretFile, openExclusiveDatabase, secretsFor } from "./data.ts";
import { runOrDryRun } from "./dry-run.ts";
import type { Command, System } from "./terminal/command.ts";

export const secretLost: Command = {
  usage: "secret lost [--dry-run]",
  summary: "Begin again with the present SECRET, after the one that encrypted the database was lost for good",
  help: `The servers must not be running. Retires the signing keys that SECRET does not open, and makes new ones: games with
an SDK accept no proof until they are built with the pins that it prints. Switches off webhooks and shop links whose secret is lost.
Accounts whose two-factor secret is lost sign in with a recovery code. With --dry-run nothing is changed.`,
  options: { "dry-run": { type: "boolean" } },
  async run(system, _operands, options) {
    const isDryRun = options["dry-run"] === true;
    const config = readConfig(system.environment);
    const { database, unlock } = await openExclusiveDatabase(config, system);
    try {
      const { now, randomBytes, print } = system;
      const seal = createSeal({ secrets: presentSecrets(config, system, isDryRun) });
      const changes = createAuditedChanges({ database, now });
      const signingKeys = createSigningKeys({ database, changes, seal, randomBytes });
      const lost = await runOrDryRun({ database, now, isDryRun }, async ({ sql }) => {
        const keys = await signingKeys.replaceLost(sql);
        const webhooks = await loseWebhooks(sql, seal, now());
        const shopLinks = await loseShopLinks(sql, seal);
        const details = { signingKeys: keys.retired, webhooks, shopLinks, twoFactor: await loseTwoFactor(sql, seal) };
        const isChanged = keys.made + Object.values(details).reduce((sum, count) => sum + count, 0) > 0;
        const record = { action: "secret_lost", target: "database", details } as const;
        return { result: isChanged ? details : null, record: isChanged ? record : null };
      });
      if (lost === null) print("SECRET opens everything that is in use: nothing was changed.");
      else print(sentenceOf(lost));
      if (isDryRun) return print("Nothing was changed.");
      print("Build these pins into your games:");
      for (const { kid, publicKey, state } of await signingKeys.published()) {
        if (state !== "previous") print(`  ${kid}  ${publicKey}  ${state}`);
      }
    } finally {
      await database.close();
      await unlock();
    }
  },
};

function sentenceOf({ signingKeys, webhooks, shopLinks, twoFactor }: Details["secret_lost"]): string {
  return `SECRET did not open: signing keys ${signingKeys}, webhooks ${webhooks}, shop links ${shopLinks}, two-factor secrets ${twoFactor}.`;
}

/** A dry run makes no secret where there is none. */
function presentSecrets(config: Config, system: System, isDryRun: boolean) {
  const isMissing = config.secret === null && !existsSync(keptSecretFile(config));
  if (isMissing && isDryRun) return { current: randomText(system.randomBytes, 32), previous: config.previousSecret };
  return secretsFor(config, system);
}
