import { type Admins, createAdmins } from "../accounts/admins.ts";
import { removeFirstPassword } from "../accounts/password-change.ts";
import { createPasswords } from "../accounts/passwords/passwords.ts";
import type { Config } from "../config/config.ts";
import { randomPassword } from "../core/random.ts";
import { withDatabase } from "./data.ts";
import type { Command, System } from "./terminal/command.ts";

const options = { "password-stdin": { type: "boolean" } } as const;
const help =
  "Generates a random password and prints it once. With --password-stdin it reads the password from standard input.";

export const adminCreate: Command = {
  usage: "admin create <username> [--password-stdin]",
  summary: "Create an admin",
  help,
  options,
  operands: ["username"],
  run: (system, [username = ""], given) =>
    withPassword(system, given, async (admins, password) => {
      await admins.create(username, password);
      system.print(`Created the admin ${username}.`);
    }),
};

export const adminResetPassword: Command = {
  usage: "admin reset-password <username> [--password-stdin]",
  summary: "Set the password of an admin or of staff and end its sessions",
  help,
  options,
  operands: ["username"],
  run: (system, [username = ""], given) =>
    withPassword(system, given, async (admins, password, { dataFolder }) => {
      await admins.resetPassword(username, password);
      await removeFirstPassword(dataFolder, username);
      system.print(`Set the password of ${username} and ended all sessions.`);
    }),
};

export const adminList: Command = {
  usage: "admin list",
  summary: "List the admins and all staff with creation date, two-factor state and rights",
  run: (system) =>
    withAdmins(system, async (admins) => {
      for (const { username, createdAt, hasTwoFactor, rights, owner } of await admins.list()) {
        const staff = rights ? `  staff of ${owner?.username ?? "the admins"}  ${rights.join(",")}` : "";
        system.print(`${username}  since ${createdAt}  two-factor ${hasTwoFactor ? "on" : "off"}${staff}`);
      }
    }),
};

export const adminRemove: Command = {
  usage: "admin remove <username>",
  summary: "Remove an admin, but never the last one, or a staff account",
  help: "Ends the account's sessions and frees the name. The audit log keeps it.",
  operands: ["username"],
  run: (system, [username = ""]) =>
    withAdmins(system, async (admins, { dataFolder }) => {
      const { rights } = await admins.remove(username);
      await removeFirstPassword(dataFolder, username);
      system.print(`Removed the ${rights ? "staff account" : "admin"} ${username} and ended all sessions.`);
    }),
};

export const adminDisableTwoFactor: Command = {
  usage: "admin disable-two-factor <username>",
  summary: "Turn off two-factor sign-in for an admin, reseller or staff account that lost the second factor",
  operands: ["username"],
  run: (system, [username = ""]) =>
    withAdmins(system, async (admins) => {
      const wasOn = await admins.disableTwoFactor(username);
      system.print(
        wasOn ? `Turned off two-factor sign-in for ${username}.` : `Two-factor sign-in was not on for ${username}.`,
      );
    }),
};

function withAdmins(system: System, work: (admins: Admins, config: Config) => Promise<void>): Promise<void> {
  const passwords = createPasswords(system.randomBytes);
  return withDatabase(system, ({ config, database, changes }) =>
    work(createAdmins({ database, changes, passwords, now: system.now }), config),
  );
}

/** Reads the password from standard input, or generates one and prints it. */
function withPassword(
  system: System,
  { "password-stdin": isGiven }: Record<string, unknown>,
  work: (admins: Admins, password: string, config: Config) => Promise<void>,
): Promise<void> {
  return withAdmins(system, async (admins, config) => {
    if (isGiven) return work(admins, (await system.readInput()).replace(/\r?\n$/, ""), config);
    const password = randomPassword(system.randomBytes);
    await work(admins, password, config);
    system.print(`Password (shown only once): ${password}`);
  });
}
