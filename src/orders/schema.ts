import { type Static, Type } from "@sinclair/typebox";
import { GameFilter, OrderedGame } from "../catalogue/game-name.ts";
import { Credits } from "../core/credits.ts";
import { NoteOrNull, numberOrNull, oneOf, orNull, textOrNull } from "../core/field.ts";
import { Instant, pagingFields, searchField } from "../http/schema.ts";
import { CustomKey } from "../keys/custom-key.ts";
import { ExternalId, ExternalIdOrNull } from "../keys/external-id-schema.ts";
import { expiryDaysMax, hoursAtOnceMax, keysPerBatchMax } from "../keys/limits.ts";
import { AdminKey, DurationHoursOrNull, KeyStart, ResellerKey } from "../keys/schema.ts";
import { expectedCost } from "../resellers/cost-schema.ts";
import { AdminDeviceLimit, Count, PurchaseFields, Starts } from "./order-form.ts";

/** What a reseller sends to buy keys. `resellerId` is only compared with the caller, never trusted. */
export const KeyPurchase = Type.Object({
  ...PurchaseFields.properties,
  externalId: ExternalId,
  ...expectedCost,
  resellerId: Type.Optional(Type.Integer({ examples: [2], says: { wrong: "resellerId must be a whole number" } })),
});

export type KeyPurchase = Static<typeof KeyPurchase>;

/** What an admin sends to make keys, which cost nothing and have no owner. */
export const AdminKeyOrder = Type.Object({
  game: OrderedGame,
  deviceLimit: AdminDeviceLimit,
  expiryDate: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      examples: ["2030-01-31"],
      description: `An ISO date (the end of that day in UTC) or date-time, in the future and at most ${expiryDaysMax} days away. Left out where the keys start at first use`,
      says: { required: "Expiry date is required" },
    }),
  ),
  starts: Starts,
  durationHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: hoursAtOnceMax,
      examples: [720],
      description: "How long the keys last once they start; only for keys that start at first use",
      says: { wrong: `durationHours must be a whole number from 1 to ${hoursAtOnceMax}` },
    }),
  ),
  keyString: CustomKey,
  count: Count,
  externalId: ExternalId,
  ...expectedCost,
});

export type AdminKeyOrder = Static<typeof AdminKeyOrder>;

/** Null only for a retry of a purchase that is older than orders. */
const OrderId = numberOrNull(
  12,
  "The order of these keys; null only for a retry of a call from before there were orders",
);

const cost = { ...Credits, description: "What was charged" };

export const MadeAdminKeys = Type.Object({ orderId: OrderId, keys: Type.Array(AdminKey), cost });
export type MadeAdminKeys = Static<typeof MadeAdminKeys>;
export const BoughtKeys = Type.Object({ orderId: OrderId, keys: Type.Array(ResellerKey), cost, credits: Credits });
export type BoughtKeys = Static<typeof BoughtKeys>;

export const SellerOrNull = orNull(
  Type.Object({ id: Type.Integer(), name: Type.String() }),
  "The shop link that sold it, which may be deleted; null if none did",
);

const whereKeysDiffer = "Null for an import whose keys differ in it";

/** A batch of keys (rules.md: Orders). */
export const Order = Type.Object({
  id: Type.Integer({ examples: [12] }),
  kind: oneOf(["generated", "import"], { description: "Whether its keys were generated here or came from a file" }),
  at: Instant,
  game: textOrNull("PUBG MOBILE", whereKeysDiffer),
  deviceLimit: numberOrNull(2, whereKeysDiffer),
  days: numberOrNull(30, `The whole days that its keys last, rounded down. ${whereKeysDiffer}`),
  starts: KeyStart,
  durationHours: DurationHoursOrNull,
  count: Type.Integer({ description: "How many keys", examples: [10] }),
  cost: Credits,
  note: NoteOrNull,
  externalId: ExternalIdOrNull,
  shopLink: SellerOrNull,
  saleId: orNull(Type.String(), "The shop's id of the sale; null if there is none"),
  by: Type.String({ description: "Who generated it", examples: ["night.owl"] }),
  undoneAt: orNull(Instant, "When its import was undone; null if it was not"),
});

export type Order = Static<typeof Order>;

/** An order as admins see it, with its import. */
export const AdminOrder = Type.Object({
  ...Order.properties,
  importId: numberOrNull(5, "Null if it is no import"),
});

export type AdminOrder = Static<typeof AdminOrder>;

export const ResellerOrderDetail = Type.Object({ ...Order.properties, keys: Type.Array(ResellerKey) });
export type ResellerOrderDetail = Static<typeof ResellerOrderDetail>;

export const AdminOrderDetail = Type.Object({
  ...AdminOrder.properties,
  reseller: orNull(
    Type.Object({ id: Type.Integer(), username: Type.String() }),
    "Who bought it; null for an admin's order, whose keys have no owner",
  ),
  keys: Type.Array(AdminKey),
});

export type AdminOrderDetail = Static<typeof AdminOrderDetail>;

export const OrderListQuery = Type.Object({
  ...searchField("The order's number, with or without #, or part of its note, external id or sale id"),
  game: GameFilter,
  ...pagingFields,
});

export type OrderListQuery = Static<typeof OrderListQuery>;

export const NotedResellerOrder = Type.Object({ message: Type.String(), order: Order });
export const NotedAdminOrder = Type.Object({ message: Type.String(), order: AdminOrder });

/** The count that the confirmation showed. */
export const UnusedRevocation = Type.Object({
  count: Type.Integer({
    minimum: 1,
    maximum: keysPerBatchMax,
    examples: [3],
    description: "The expected number of unused keys; if it differs, nothing is revoked",
    says: { required: "count is required", wrong: `count must be a whole number from 1 to ${keysPerBatchMax}` },
  }),
});

export type UnusedRevocation = Static<typeof UnusedRevocation>;

export const RevokedKeys = Type.Object({
  message: Type.String(),
  revokedCount: Type.Integer({ examples: [3] }),
  refund: { ...Credits, description: "What was given back; 0: nothing" },
});
