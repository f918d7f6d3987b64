import type { Database } from "../db/contract.ts";
import type { Seal } from "./sealed.ts";
import { purposeFor } from "./two-factor/two-factor.ts";
import { allSealed, replaceSealed } from "./two-factor/two-factor-store.ts";

/** What is left to do of a change of SECRET: sessions of before end by themselves, but what is sealed in the database stays for years. */
export interface SecretRotation {
  /** Seals under the current secret whatever is sealed under the previous one, and answers how many that were. */
  sealAnew(): Promise<number>;
}

export function createSecretRotation({ database, seal }: { database: Database; seal: Seal }): SecretRotation {
  return {
    sealAnew: () =>
      database.transaction(null, async ({ sql }) => {
        let count = 0;
        for (const { accountId, sealedSecret } of await allSealed(sql)) {
          const anew = seal.anew(sealedSecret, purposeFor(accountId));
          if (anew === null) continue;
          await replaceSealed(sql, { accountId, sealedSecret: anew });
          count += 1;
        }
        return count;
      }),
  };
}
