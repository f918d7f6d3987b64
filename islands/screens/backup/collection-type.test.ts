import { expect, test } from "bun:test";
import { collectionType } from "./collection-columns.tsx";

test("a backup collection's type follows from the first word that its name contains", () => {
  const types = {
    admin_keys: "Admin",
    referral_tokens: "Tokens",
    key_devices: "Devices",
    Keys: "Keys",
    resellers: "Resellers",
    ledger: "User Data",
  };
  for (const [name, type] of Object.entries(types)) expect(collectionType(name)).toBe(type);
});
