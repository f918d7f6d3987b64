import { type Admins, createAdmins } from "../accounts/admins.ts";
import { createPasswords } from "../accounts/passwords.ts";
import { readConfig } from "../config.ts";
import type { Command, System } from "./command.ts";
import { openDatabaseBesideServer, randomPassword } from "./data.ts";

const options = { "password-stdin": { type: "boolean" } } as const;
const help =
  "A random password is made and shown once, unless --password-stdin is given: then it is read from the standard input.";

export const adminCreate: Command = {
  usage: "admin create <username> [--password-stdin]",
  summary: "Make an admin",
  help,
  options,
  operands: ["username"],
  run: (system, [username = ""], given) =>
    withAdmins(system, async (admins) => {
      const password = await passwordFor(system, given);
      await admins.create(username, password.text);
      system.print(`Made the admin ${username}.`);
      if (password.isRandom) system.print(`The password, shown only once: ${password.text}`);
    }),
};

export const adminResetPassword: Command = {
  usage: "admin reset-password <username> [--password-stdin]",
  summary: "Set an admin's password and end the admin's sessions",
  help,
  options,
  operands: ["username"],
  run: (system, [username = ""], given) =>
    withAdmins(system, async (admins) => {
      const password = await passwordFor(system, given);
      await admins.resetPassword(username, password.text);
      system.print(`Set the password of ${username} and ended all sessions.`);
      if (password.isRandom) system.print(`The password, shown only once: ${password.text}`);
    }),
};

async function withAdmins(system: System, work: (admins: Admins) => Promise<void>): Promise<void> {
  const database = openDatabaseBesideServer(readConfig(system.environment), system);
  try {
    await work(createAdmins({ database, passwords: createPasswords(), now: system.now }));
  } finally {
    await database.close();
  }
}

async function passwordFor(system: System, given: Record<string, unknown>) {
  if (!given["password-stdin"]) return { text: randomPassword(system), isRandom: true };
  return { text: (await system.readInput()).replace(/\r?\n$/, ""), isRandom: false };
}
