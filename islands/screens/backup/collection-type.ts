/** The type of a backup collection, by the first word that its name contains (rules.md: Collections). */
const types = [
  ["admin", "Admin"],
  ["token", "Tokens"],
  ["device", "Devices"],
  ["keys", "Keys"],
  ["reseller", "Resellers"],
] as const;

export function collectionType(name: string): string {
  const lowerName = name.toLowerCase();
  return types.find(([part]) => lowerName.includes(part))?.[1] ?? "User Data";
}
