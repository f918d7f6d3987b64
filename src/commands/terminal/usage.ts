import type { Command, Commands } from "./command.ts";

const settingsHelp = `Settings come from the environment (PORT, DATA_DIR, …); docs/operating.md lists them.
\`latchkey help <command>\` explains a command. Exit codes: 0 done, 1 failed, 2 wrong usage or settings.`;

export function overallHelp(commands: Commands): string {
  return `Latchkey, a licence-key panel for mobile games.

Usage: latchkey <command>

${listOf(Object.values(commands))}

${settingsHelp}`;
}

/** The help of one command, or of those that share a first word (\`admin\`); \`null\` where there is none of that name. */
export function helpFor(words: string[], commands: Commands): string | null {
  const name = words.join(" ");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return [usageOf(command), command.summary, ...(command.help ? [command.help] : [])].join("\n\n");
  const group = Object.keys(commands).filter((each) => each.startsWith(`${name} `));
  if (group.length === 0) return null;
  return `Usage: latchkey ${name} <command>\n\n${listOf(group.flatMap((each) => commands[each] ?? []))}`;
}

export function usageOf(command: Command): string {
  return `Usage: latchkey ${command.usage}`;
}

function listOf(commands: Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`).join("\n");
}
