import { readConfig } from "../config/config.ts";
import { fileVariableOf, readSettings, type Setting, withoutPassword } from "../config/environment.ts";
import { secretSentence, warningsOf } from "../config/warnings.ts";
import type { Command } from "./terminal/command.ts";

export const config: Command = {
  usage: "config",
  summary: "Show the settings in force and where each comes from; secrets are hidden",
  help: "A wrong setting is reported as at the server's start (exit code 2).",
  async run(system) {
    const settings = readSettings(system.environment);
    const nameWidth = Math.max(...settings.map(({ name }) => name.length));
    const valueWidth = Math.max(...settings.map((setting) => shown(setting).length));
    for (const setting of settings) {
      const { name } = setting;
      system.print(`${name.padEnd(nameWidth)}  ${shown(setting).padEnd(valueWidth)}  ${sourceOf(setting)}`);
    }
    // Checked last, so that all settings are shown even if one is wrong.
    const values = readConfig(system.environment);
    for (const warning of warningsOf(system.environment, values)) system.note(`Warning: ${warning}`);
    // Otherwise a warning says it.
    if (values.backups.s3 === null || values.secret !== null) system.print(secretSentence);
  },
};

function shown({ value, isSecret, isAddress }: Setting): string {
  if (value === "") return "not set";
  const isHidden = isSecret && !(isAddress && value.includes("://"));
  return isHidden ? "hidden" : withoutPassword(value);
}

function sourceOf({ name, source }: Setting): string {
  return typeof source === "string" ? source : `${fileVariableOf(name)} (${source.file})`;
}
