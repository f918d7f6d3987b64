import { type AuditedChanges, type Caller, happened, onceFor } from "../../accounts/audited-changes.ts";
import { knownGame } from "../../catalogue/offers.ts";
import { type Clock, msPerDay } from "../../core/clock.ts";
import { countedAs } from "../../core/fair-semaphore.ts";
import { normalKeyText, randomKeyString } from "../../core/key-text.ts";
import type { RandomBytes } from "../../core/random.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Sql } from "../../db/contract.ts";
import type { Throttle } from "../../verify/throttle.ts";
import { customKeyOf, keyTaken, type ReplacementForm } from "../custom-key.ts";
import { replacementDays, replacementsMax } from "../limits.ts";
import { type KeyRow, type KeyView, statusOf } from "../model.ts";
import { found, namedOwnerOf, refuseUndone, unrevokedKey } from "../open-key.ts";
import { isKeyTaken, keyOf, ownerFor } from "../store.ts";
import { isReplacedOften, replaceText } from "./replace-store.ts";
import { endPauses, usedUpPauses } from "./store.ts";

export type Replacements = ReturnType<typeof createReplacements>;

interface Dependencies {
  changes: AuditedChanges;
  throttle: Pick<Throttle, "watchTaken">;
  clock: Pick<Clock, "isAhead">;
  randomBytes: RandomBytes;
}

interface Shown<View> {
  idempotencyKey?: string;
  view: KeyView<View>;
}

/** A new text for a key whose text leaked (rules.md: Replacing keys). */
export function createReplacements({ changes, throttle, clock, randomBytes }: Dependencies) {
  return {
    /**
     * Replaces the text of one's own ACTIVE or PAUSED key, as an admin of any. Throws `CLOCK_AHEAD`,
     * `IDEMPOTENCY_KEY_REUSED`, `NOT_FOUND`, `KEY_ALREADY_REVOKED`, `KEY_NOT_ACTIVE`, `REPLACED_TOO_OFTEN`, `KEY_TAKEN`
     * or `TOO_MANY_TRIES`.
     */
    async replace<View>(caller: Caller, id: number, form: ReplacementForm, { idempotencyKey, view }: Shown<View>) {
      const custom = customKeyOf(form);
      const replace = () =>
        changes.carryOut(caller, async (unit, at) => {
          refuseIfAhead(clock);
          const { sql } = unit;
          const request = { replace: id, ...form };
          return onceFor<{ key: View }>(sql, { accountId: caller.id, idempotencyKey, request, at }, async () => {
            // Its pause may have been used up since the call began.
            await endPauses(unit, await usedUpPauses(sql, at, { id }));
            const key = await replaceable(sql, caller, id, at);
            const game = await knownGame(sql, key.game);
            const keyString = custom === undefined ? await freeText(sql, game.prefix) : custom;
            if (custom !== undefined) await refuseTaken(sql, key, custom);
            const owner = await namedOwnerOf(sql, id);
            const change = { gameId: game.id, resellerId: owner?.id ?? null, madeBy: caller.id, at };
            const replacedKeyId = await replaceText(unit, { key, keyString, ...change });
            const replaced = view(found(await keyOf(sql, ownerFor(caller), id)), at);
            return happened("key_replaced", { key, owner, keyString, replacedKeyId }, { key: replaced });
          });
        });
      return caller.role === "reseller" && custom !== undefined
        ? throttle.watchTaken(countedAs(caller), replace)
        : replace();
    },
  };

  async function freeText(sql: Sql, prefix: string): Promise<string> {
    let text = "";
    do text = randomKeyString(prefix, randomBytes);
    while (await isKeyTaken(sql, text));
    return text;
  }
}

/** A key that the caller may replace. */
async function replaceable(sql: Sql, caller: Caller, id: number, at: number): Promise<KeyRow> {
  found(await keyOf(sql, ownerFor(caller), id));
  await refuseUndone(sql, [id]);
  const key = await unrevokedKey(sql, ownerFor(caller), id);
  if (statusOf(key, at) === "EXPIRED")
    throw new Refusal("KEY_NOT_ACTIVE", "A key that has expired cannot be replaced.");
  const lately = { since: at - replacementDays * msPerDay, times: replacementsMax };
  if (caller.role === "reseller" && (await isReplacedOften(sql, id, lately))) {
    throw new Refusal("REPLACED_TOO_OFTEN", tooOftenSentence);
  }
  return key;
}

const tooOftenSentence = `This key was replaced ${replacementsMax} times in the last ${replacementDays} days. Please ask an admin to replace it.`;

/** The key's own text says nothing about other keys, so it does not count as a guess. */
async function refuseTaken(sql: Sql, key: KeyRow, custom: string): Promise<void> {
  const isOwn = normalKeyText(custom) === normalKeyText(key.keyString);
  if (isOwn || (await isKeyTaken(sql, custom))) throw keyTaken(custom, { isOwn });
}
