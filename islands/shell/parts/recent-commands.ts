import type { Role } from "../../../src/accounts/schema.ts";

const recentMax = 5;

/** The ids of what was taken from the command bar in this browser, the latest first. Each role has its own. */
export function recentCommands(role: Role): string[] {
  try {
    return (localStorage.getItem(nameFor(role)) ?? "").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

export function rememberCommand(role: Role, id: string): void {
  const recent = [id, ...recentCommands(role).filter((known) => known !== id)].slice(0, recentMax);
  try {
    localStorage.setItem(nameFor(role), recent.join("\n"));
  } catch {
    // A browser that keeps nothing has none.
  }
}

function nameFor(role: Role): string {
  return `recent-commands-${role}`;
}
