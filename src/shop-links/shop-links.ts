import type { Place } from "../accounts/account-store.ts";
import { type AuditedChanges, type PersonCaller, unchanged, type Work } from "../accounts/audited-changes.ts";
import { noShopLink } from "../accounts/principal.ts";
import type { Seal } from "../accounts/sealed.ts";
import type { TwoFactor } from "../accounts/two-factor/two-factor.ts";
import { durationNamed, knownGame, priceOnSale } from "../catalogue/offers.ts";
import { isoOf, isoOrNull } from "../core/clock.ts";
import { tenthsOf } from "../core/credits.ts";
import { type RandomBytes, randomLetters } from "../core/random.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import type { Database, Sql, Unit } from "../db/contract.ts";
import { type ChangedFields, changedIn } from "../facts/audit-entry.ts";
import type { NewShopLink, SecretForm, ShopLink, ShopLinkChange, ShopLinkForm, Terms } from "./schema.ts";
import * as store from "./shop-link-store.ts";

type ShopLinkAction = "shop_link_created" | "shop_link_changed" | "shop_link_deleted";

const shopLinksPerAccountMax = 20;
const tooManySentence = `An account has at most ${shopLinksPerAccountMax} shop links. Delete one first.`;

export type ShopLinks = ReturnType<typeof createShopLinks>;

type Dependencies = {
  database: Database;
  changes: AuditedChanges;
  twoFactor: TwoFactor;
  seal: Seal;
  randomBytes: RandomBytes;
};

/** The shop links of the caller's own account (rules.md: Shop links). `origin` is where shops reach this server. */
export function createShopLinks({ database, changes, twoFactor, seal, randomBytes }: Dependencies) {
  return {
    list: async (caller: PersonCaller, origin: string): Promise<ShopLink[]> =>
      (await store.listShopLinks(database.read, caller.id)).map((row) => viewOf(row, origin)),

    /**
     * Returns it with its secret, which is shown only here. Throws `INVALID`, `INVALID_DAY_TIER`, `NOT_SOLD`,
     * `TOO_MANY_SHOP_LINKS` or what `twoFactor.proven` throws.
     */
    create: (caller: PersonCaller & Place, form: ShopLinkForm, origin: string): Promise<NewShopLink> =>
      twoFactor.proven(caller, form, {}, async () => async ({ sql }, createdAt) => {
        const { secret: _, password: __, code: ___, ...given } = form;
        const { secret, sealedSecret } = secretFor(caller, form);
        const own = { accountId: caller.id, ref: randomLetters(randomBytes, 24), sealedSecret, createdAt };
        const row = await changed(sql, caller, given, { ...newLink, ...own });
        const id = await store.insertShopLink(sql, row, shopLinksPerAccountMax);
        if (id === null) throw new Refusal("TOO_MANY_SHOP_LINKS", tooManySentence);
        const result = { ...viewOf({ ...row, id }, origin), secret };
        return { result, record: recordOf("shop_link_created", row, fieldsOf(row)) };
      }),

    /** What the form leaves out stays. A mere switch-off is not counted. Throws `NOT_FOUND` or what `create` throws. */
    change(caller: PersonCaller, id: number, form: ShopLinkChange, origin: string): Promise<ShopLink> {
      const work: Work<ShopLink> = async ({ sql }) => {
        const before = await linkOf(sql, caller, id);
        const after = await changed(sql, caller, form, before);
        const details = changedIn(fieldsOf(before), fieldsOf(after));
        if (!details) return unchanged(viewOf(before, origin));
        await store.updateShopLink(sql, after);
        return { result: viewOf(after, origin), record: recordOf("shop_link_changed", before, details) };
      };
      const isCounted = form.isActive !== false || Object.keys(form).length > 1;
      return changes.carryOut(caller, work, { isCounted });
    },

    /** Its orders stay. Not counted: a thief must not use up the changes with which its owner ends it. Throws `NOT_FOUND`. */
    async remove(caller: PersonCaller, id: number): Promise<void> {
      const work = async ({ sql }: Unit) => {
        const link = await linkOf(sql, caller, id);
        await store.deleteShopLink(sql, id);
        return { result: undefined, record: recordOf("shop_link_deleted", link, {}) };
      };
      await changes.carryOut(caller, work, { isCounted: false });
    },

    /** The secret before it ends at once. Throws `NOT_FOUND` or what `twoFactor.proven` throws. */
    replaceSecret: (caller: PersonCaller & Place, id: number, form: SecretForm): Promise<{ secret: string }> =>
      twoFactor.proven(caller, form, { isCounted: false }, async () => async ({ sql }) => {
        const link = await linkOf(sql, caller, id);
        const { secret, sealedSecret } = secretFor(caller, form);
        await store.updateShopLink(sql, { ...link, sealedSecret });
        return { result: { secret }, record: recordOf("shop_link_changed", link, { hasNewSecret: true }) };
      }),
  };

  function secretFor({ id }: PersonCaller, { secret = `shs_${randomLetters(randomBytes, 32)}` }: { secret?: string }) {
    return { secret, sealedSecret: seal.seal(secret, purposeFor(id)) };
  }
}

/** The purpose for which the secrets of an account's links are sealed. */
export function purposeFor(accountId: number): string {
  return `shop links of account ${accountId}`;
}

/** Switches off the links whose secret no secret of the seal opens. Returns how many. */
export async function loseShopLinks(sql: Sql, seal: Seal): Promise<number> {
  let count = 0;
  for (const link of await store.listShopLinks(sql, null)) {
    if (link.isActive === 0 || seal.open(link.sealedSecret, purposeFor(link.accountId)) !== null) continue;
    await store.updateShopLink(sql, { ...link, isActive: 0 });
    count += 1;
  }
  return count;
}

/** After SECRET was changed: seals under the current secret what the previous one sealed. Returns how many that were. */
export function sealShopLinksAnew({ database, seal }: { database: Database; seal: Seal }): Promise<number> {
  return database.transaction(null, async ({ sql }) => {
    let count = 0;
    for (const link of await store.listShopLinks(sql, null)) {
      const sealedSecret = seal.anew(link.sealedSecret, purposeFor(link.accountId));
      if (sealedSecret === null) continue;
      await store.updateShopLink(sql, { ...link, sealedSecret });
      count += 1;
    }
    return count;
  });
}

/** Throws `NOT_FOUND`, also for another account's. */
export async function linkOf(sql: Sql, { id: accountId }: PersonCaller, id: number): Promise<store.ShopLinkRow> {
  const link = await store.shopLinkOf(sql, id, accountId);
  if (link === null) throw noShopLink();
  return link;
}

const newTerms: Omit<Terms, "durationId" | "deviceLimit" | "saleId"> = {
  ...{ starts: "creation", signature: { header: "X-Signature", algorithm: "sha256" } },
  ...{ quantity: null, maxQuantity: 10, creditsPerDay: null },
};
const newLink = {
  id: 0,
  name: "",
  gameId: 0,
  game: "",
  terms: JSON.stringify(newTerms),
  isActive: 1,
  lastSaleAt: null,
};

/** The link with what a form changes. Throws `INVALID`, `INVALID_DAY_TIER` or `NOT_SOLD`. */
async function changed<Row extends store.ShopLinkRow>(
  sql: Sql,
  { id, role }: PersonCaller,
  { name, game, isActive, signature, ...given }: ShopLinkChange,
  before: Row,
): Promise<Row> {
  const { creditsPerDay } = given;
  if (creditsPerDay != null && (role === "admin" || tenthsOf(creditsPerDay) === null))
    throw invalid("creditsPerDay", "Credits a day have at most one decimal, and are for resellers");
  const kept: Terms = JSON.parse(before.terms);
  const terms: Terms = { ...kept, ...given, signature: { ...kept.signature, ...signature } };
  const row = { ...before, name: name?.trim() ?? before.name, terms: JSON.stringify(terms) };
  if (isActive !== undefined) row.isActive = Number(isActive);
  if (game === undefined && given.durationId === undefined && given.deviceLimit === undefined) return row;
  const sold = await knownGame(sql, game ?? before.game);
  const duration = await durationNamed(sql, { durationId: terms.durationId });
  await priceOnSale(sql, role === "admin" ? null : id, { game: sold, duration, deviceLimit: terms.deviceLimit });
  return { ...row, gameId: sold.id, game: sold.name };
}

/** For the audit log. */
function fieldsOf({ name, game, terms, isActive }: store.ShopLinkRow): ChangedFields {
  const { signature, saleId, quantity, creditsPerDay, ...others }: Terms = JSON.parse(terms);
  const orNone = { quantity: quantity ?? "", creditsPerDay: creditsPerDay ?? "" };
  return { name, game, ...others, ...signature, saleId: saleId.join(" "), ...orNone, isActive: isActive === 1 };
}

function recordOf<Done extends ShopLinkAction>(action: Done, { name }: store.ShopLinkRow, details: ChangedFields) {
  return { action, target: `shop link ${name}`, details };
}

function viewOf(row: store.ShopLinkRow, origin: string): ShopLink {
  const { id, name, ref, game, terms } = row;
  const times = { createdAt: isoOf(row.createdAt), lastSaleAt: isoOrNull(row.lastSaleAt) };
  const url = `${origin}/api/shop/${ref}`;
  return { id, name, url, game, ...(JSON.parse(terms) as Terms), isActive: row.isActive === 1, ...times };
}
