import { existsSync } from "node:fs";
import { createSeal } from "../accounts/sealed.ts";
import type { Config } from "../config/config.ts";
import { OperatorError } from "../core/operator-error.ts";
import { createSigningKeys, openSeed, type SigningKeys } from "../proof/signing-keys.ts";
import { keptSecretFile, secretsFor, withDatabase } from "./data.ts";
import type { Command, System } from "./terminal/command.ts";

export const keysList: Command = {
  usage: "keys list",
  summary: "List the keys that sign verdicts, with their public halves",
  help: "Clients pin the public halves of the active and the next key.",
  run: (system) =>
    withKeys(system, async (keys) => {
      for (const { kid, publicKey, state } of await keys.list()) system.print(`${kid}  ${publicKey}  ${state}`);
    }),
};

export const keysAdd: Command = {
  usage: "keys add",
  summary: "Make a next signing key",
  run: (system) =>
    withKeys(system, async (keys) => {
      const { kid, publicKey } = await keys.add();
      system.print(`Added the next key ${kid}. Its public half is ${publicKey}`);
    }),
};

export const keysPromote: Command = {
  usage: "keys promote <kid>",
  summary: "Sign verdicts with this key from now on",
  help: "The key that was active becomes previous. Running servers follow within 10 seconds.",
  operands: ["kid"],
  run: (system, [kid = ""]) =>
    withKeys(system, async (keys) => {
      const wasOther = await keys.promote(kid);
      system.print(wasOther ? `${kid} is the active key now.` : `${kid} was the active key already.`);
    }),
};

export const keysRetire: Command = {
  usage: "keys retire <kid>",
  summary: "End a signing key that is not active, for good",
  help: "Erases its private half. Copies in older backups stay.",
  operands: ["kid"],
  run: (system, [kid = ""]) =>
    withKeys(system, async (keys) => {
      const wasThere = await keys.retire(kid);
      system.print(wasThere ? `Retired ${kid}.` : `${kid} was retired already.`);
    }),
};

function withKeys(system: System, work: (keys: SigningKeys) => Promise<void>): Promise<void> {
  return withDatabase(system, async ({ config, database, changes }) => {
    refuseNoSecret(config);
    const seal = createSeal({ secrets: secretsFor(config, system) });
    const keys = createSigningKeys({ database, changes, seal, randomBytes: system.randomBytes });
    const active = (await keys.list()).find(({ state }) => state === "active");
    if (active && openSeed(seal, active) === null) system.note(otherSecretWarning);
    await work(keys);
  });
}

const otherSecretWarning =
  "The active key was encrypted with another SECRET than the one here. Servers can use new keys only if this SECRET is theirs.";

/** A new secret would not be the servers' one. */
function refuseNoSecret(config: Config): void {
  if (config.secret !== null || existsSync(keptSecretFile(config))) return;
  throw new OperatorError("There is no secret: set SECRET as for the server, whose first start makes the first keys.");
}
