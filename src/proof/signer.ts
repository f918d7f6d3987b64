import type { KeyObject } from "node:crypto";
import { getLogger } from "@logtape/logtape";
import type { Seal } from "../accounts/sealed.ts";
import { msPerSecond } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { type Asked, type Circumstances, type Provable, payloadOf, proofOf } from "./proof.ts";
import { activeSigningKey, type SigningKeyRow } from "./signing-key-store.ts";
import { openSeed, privateKeyOf, signatureOf } from "./signing-keys.ts";

const log = getLogger(["latchkey", "proof"]);

/** A running server follows a promotion within 10 s (rules.md: Proofs). */
const followMs = 2 * msPerSecond;

interface ActiveKey extends Pick<SigningKeyRow, "kid" | "sealedSecret"> {
  privateKey: KeyObject | null;
  isUnopened: boolean;
}

export type Signer = ReturnType<typeof createSigner>;

/** Signs verdicts with the active key, which it keeps in memory. */
export function createSigner({ database, seal }: { database: Database; seal: Seal }) {
  /** Undefined until it was read for the first time, and null if there is none. */
  let active: ActiveKey | null | undefined;

  return {
    prove,
    /** Whether SECRET does not open the active key. Verdicts may go on carrying proofs until the process ends. */
    isUnopened: () => active?.isUnopened === true,
    /** Follows changes of the active key. Returns how to stop. */
    begin() {
      const timer = setInterval(() => follow().catch(logFailure), followMs).unref();
      return () => clearInterval(timer);
    },
  };

  /** Returns the verdict with a proof, or without one if no key can be used. */
  function prove<Verdict extends Provable>(
    verdict: Verdict,
    asked: Asked,
    circumstances: Circumstances,
  ): (Verdict & { proof?: string }) | Promise<Verdict & { proof?: string }> {
    if (active === undefined) return follow().then(() => prove(verdict, asked, circumstances));
    const { kid = "", privateKey = null } = active ?? {};
    if (privateKey === null) return verdict;
    const payload = payloadOf(asked, verdict, circumstances);
    return { ...verdict, proof: proofOf(kid, payload, (text) => signatureOf(text, privateKey)) };
  }

  async function follow(): Promise<void> {
    const row = await activeSigningKey(database.read);
    if (active !== undefined && row?.kid === active?.kid && row?.sealedSecret === active?.sealedSecret) return;
    active = row && read(row, active ?? null);
  }

  /** Keeps the private key of the same active key, which a restore may have brought as another SECRET encrypted it. */
  function read(row: SigningKeyRow, before: ActiveKey | null): ActiveKey {
    const privateKey = opened(row);
    const known = before?.kid === row.kid ? before.privateKey : null;
    return { ...row, privateKey: privateKey ?? known, isUnopened: privateKey === null };
  }

  function opened(row: SigningKeyRow): KeyObject | null {
    const seed = openSeed(seal, row);
    if (seed) return privateKeyOf(seed);
    log.error(
      "The signing key {kid} was encrypted with another SECRET, so verdicts carry no proof. If SECRET is wrong, correct it and restart; if it is lost for good, run `latchkey secret lost`.",
      { event: "signing_key_unopened", kid: row.kid },
    );
    return null;
  }

  function logFailure(error: unknown): void {
    log.error("The signing keys could not be read: {error}", { error });
  }
}
