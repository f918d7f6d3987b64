import { userNamed } from "../accounts/account-store.ts";
import { listEveryApiKey } from "../accounts/api-keys/api-key-store.ts";
import { revokeApiKey } from "../accounts/api-keys/api-keys.ts";
import { isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { Refusal } from "../core/refusal.ts";
import { withDatabase } from "./data.ts";
import type { Command } from "./terminal/command.ts";

export const apiKeysList: Command = {
  usage: "api-keys list [<username>]",
  summary: "List the API keys of all accounts, or of one, with what they may do",
  operands: ["username"],
  mayLackOperands: true,
  run: (system, [username]) =>
    withDatabase(system, async ({ database }) => {
      const account = username === undefined ? null : await userNamed(database.read, { username });
      if (username !== undefined && !account) throw new Refusal("NOT_FOUND", `There is no account ${username}.`);
      for (const key of await listEveryApiKey(database.read, account?.id ?? null)) {
        const { id, name, role, lastFour, scopes, addresses, lastUsedAt, expiresAt, limitPerDayTenths } = key;
        const parts = [
          `${id}  ${key.username} (${role})  "${name}"  …${lastFour}  ${scopes.replaceAll(" ", ",")}`,
          lastUsedAt === null ? "never used" : `used ${isoOf(lastUsedAt)}`,
          ...(expiresAt === null ? [] : [`expires ${isoOf(expiresAt)}`]),
          ...(addresses === "" ? [] : [`from ${addresses.replaceAll(" ", ",")}`]),
          ...(limitPerDayTenths === null ? [] : [`${creditsOf(limitPerDayTenths)} credits a day`]),
        ];
        system.print(parts.join("  "));
      }
    }),
};

export const apiKeysRevoke: Command = {
  usage: "api-keys revoke <id>",
  summary: "Delete an API key by the number in the list; programs that use it are refused at once",
  operands: ["id"],
  run: (system, [text = ""]) =>
    withDatabase(system, async ({ changes }) => {
      if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal("NOT_FOUND", "There is no such API key.");
      const { name, owner } = await revokeApiKey(changes, Number(text));
      system.print(`Deleted the API key "${name}" of ${owner}.`);
    }),
};
