import { readConfig } from "../config/config.ts";
import { fileVariableOf, readSettings, type Setting } from "../config/environment.ts";
import type { Command } from "./terminal/command.ts";

export const config: Command = {
  usage: "config",
  summary: "Say which settings are in force, and where each comes from; secrets stay hidden",
  help: "A setting that is wrong is said in a sentence, as at the start of the server (exit code 2).",
  async run(system) {
    const settings = readSettings(system.environment);
    const nameWidth = Math.max(...settings.map(({ name }) => name.length));
    const valueWidth = Math.max(...settings.map((setting) => shown(setting).length));
    for (const setting of settings) {
      const { name } = setting;
      system.print(`${name.padEnd(nameWidth)}  ${shown(setting).padEnd(valueWidth)}  ${sourceOf(setting)}`);
    }
    // Asked last: whoever is told that one is wrong sees the others beside it.
    readConfig(system.environment);
  },
};

function shown({ value, isSecret, isAddress }: Setting): string {
  if (value === "") return "not set";
  if (isAddress) return shownAddress(value);
  return isSecret ? "hidden" : value;
}

/** Where it leads, and as whom; what follows a question mark may be a password too. */
function shownAddress(text: string): string {
  const url = URL.parse(text);
  if (!url?.host) return "hidden";
  return `${url.protocol}//${url.username ? `${url.username}:hidden@` : ""}${url.host}${url.pathname}`;
}

function sourceOf({ name, source }: Setting): string {
  return typeof source === "string" ? source : `${fileVariableOf(name)} (${source.file})`;
}
