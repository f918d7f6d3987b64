import { type Static, Type } from "@sinclair/typebox";
import { Role } from "../accounts/schema.ts";
import { GameFilter } from "../catalogue/game-name.ts";
import { Credits } from "../core/credits.ts";
import { NoteOrNull, numberOrNull, oneOf, orNull, textOrNull } from "../core/field.ts";
import { keyHistoryEvents } from "../facts/history-store.ts";
import { descendingField, Id, Instant, InstantOrNull, pagingFields, searchField } from "../http/schema.ts";
import { hoursAtOnceMax, keyStarts } from "./limits.ts";

export const keyStatuses = ["ACTIVE", "PAUSED", "EXPIRED", "REVOKED"] as const;
export type KeyStatus = (typeof keyStatuses)[number];
export const KeyStatus = oneOf(keyStatuses);

export type KeyStart = (typeof keyStarts)[number];

/** When the time of a key begins (rules.md: The time of a key). */
export const KeyStart = oneOf(keyStarts, {
  description: "When the time of the key begins: with its creation, or when its first device connects",
});

export const DurationHoursOrNull = numberOrNull(
  720,
  "The hours that it was given before it started; null for an admin's expiry date",
);

const keyFields = {
  id: Type.Integer({ examples: [7] }),
  keyString: Type.String({ examples: ["PBGM-A1B2C-D3E4F-G5H6I"] }),
  game: Type.String({ examples: ["PUBG MOBILE"] }),
  status: KeyStatus,
  createdAt: Instant,
  expiryDate: orNull(Instant, "Null until the key starts"),
  starts: KeyStart,
  durationHours: DurationHoursOrNull,
  startedAt: orNull(Instant, "Null until the key starts"),
  pausedAt: orNull(Instant, "Null unless the key is paused"),
  deviceLimit: Type.Integer({ examples: [2] }),
  orderId: numberOrNull(12, "The key's order; null for a key from before there were orders"),
  replacedBy: numberOrNull(7, "The id of the key that has a new text instead of this one; null unless it was replaced"),
  note: NoteOrNull,
};

/** A key as admins see it, in their own list and in a reseller's (rules.md: Views of a key). */
export const AdminKey = Type.Object({
  ...keyFields,
  deviceCount: Type.Integer({ examples: [1] }),
  isRevoked: Type.Boolean(),
  daysRemaining: Type.Integer({ description: "Whole days of time left, rounded up, never negative", examples: [30] }),
});

export type AdminKey = Static<typeof AdminKey>;

/** A key in its reseller's list, where `devices` is the count in use (rules.md: Views of a key). */
export const ResellerKey = Type.Object({ ...keyFields, devices: Type.Integer({ examples: [1] }) });
export type ResellerKey = Static<typeof ResellerKey>;

export const DeviceName = textOrNull("Pixel 8", "The last one that its game sent; null if it sent none");

export const Device = Type.Object({
  id: Type.Integer({ examples: [3] }),
  deviceId: Type.String({ examples: ["a3f1c9d2-phone"] }),
  name: DeviceName,
  firstConnected: Instant,
  lastSeen: Type.String({
    format: "date",
    examples: ["2025-03-06"],
    description: "The UTC day of its last verification, in either form and with any verdict",
  }),
});

export type Device = Static<typeof Device>;

/** What a revocation would give back (rules.md: Refunds). */
export const refundFields = {
  refund: { ...Credits, description: "What revoking would give back; 0: nothing" },
  isRefundHeld: Type.Boolean({
    description: "Whether revoking gives nothing back only because the server's clock is ahead",
  }),
};

const pauseFields = {
  pausedBy: orNull(
    Role,
    "Whose pause it is, so who can resume it: only admins, or its reseller too. Null unless it is paused",
  ),
  pauseNote: textOrNull("We move servers until 18:00 UTC.", "Of the intervention that pauses it; null if none"),
};

const noRefundReasons = ["OFF", "CLOCK_AHEAD", "NOT_ACTIVE", "FREE", "TOO_OLD", "DEVICE_CONNECTED"] as const;
export type NoRefund = (typeof noRefundReasons)[number];

const keyRefundFields = {
  ...refundFields,
  noRefund: orNull(
    oneOf(noRefundReasons),
    "The first reason why revoking would give nothing back; null: it gives `refund` back",
  ),
  refundDays: Type.Integer({ examples: [7], description: "For how many days after its order a key is refunded" }),
};

/** A key opened by its reseller, where `devices` is the list (rules.md: Views of a key). */
export const ResellerKeyDetail = Type.Object({
  ...keyFields,
  deviceCount: Type.Integer({ examples: [1] }),
  devices: Type.Array(Device),
  ...pauseFields,
  ...keyRefundFields,
});

export type ResellerKeyDetail = Static<typeof ResellerKeyDetail>;
export type KeyPause = Pick<ResellerKeyDetail, keyof typeof pauseFields>;

/** What a key's own rows do not show. */
export const storedEvents = [
  "DEVICE_REMOVED",
  "DEVICE_RELEASED",
  "DEVICE_IDLE",
  "DEVICES_RESET",
  "NOTED",
  ...keyHistoryEvents,
] as const;
export type StoredEvent = (typeof storedEvents)[number];

export const KeyEvent = Type.Object({
  at: Instant,
  what: oneOf(["CREATED", "DEVICE_CONNECTED", ...storedEvents, "REVOKED", "EXPIRED"]),
  by: textOrNull("admin", "Who did it; null for a device or the expiry"),
  deviceId: orNull(Type.String()),
});

export type KeyEvent = Static<typeof KeyEvent>;

/** A key opened by an admin: its devices, its history and who made it. */
export const AdminKeyDetail = Type.Object({
  ...AdminKey.properties,
  createdBy: Type.String({ examples: ["admin"] }),
  ownerId: numberOrNull(2, "The reseller's id; null for an admin key"),
  owner: textOrNull("night.owl", "The reseller's username; null for an admin key"),
  revokedAt: InstantOrNull,
  revokedBy: orNull(Type.String()),
  devices: Type.Array(Device),
  history: Type.Array(KeyEvent, { deprecated: true, description: "Newest first. The timeline has more" }),
  ...pauseFields,
  ...keyRefundFields,
});

export type AdminKeyDetail = Static<typeof AdminKeyDetail>;

export const keySorts = ["created", "expiry", "devices", "key"] as const;
export type KeySort = (typeof keySorts)[number];

export const orderIdSentence = "orderId must be the number of an order";

/** How a list of keys is filtered, sorted and paged. `all` is the same as no filter. */
export const KeyListQuery = Type.Object({
  ...searchField(
    "Part of the key text (ignoring case, dashes and spaces) or of the note. If nothing matches, look-alikes are found",
  ),
  game: GameFilter,
  status: Type.Optional(
    oneOf([...keyStatuses, "all"], { says: { wrong: `status must be one of ${keyStatuses.join(", ")}` } }),
  ),
  orderId: Type.Optional({
    ...Id,
    description: "Only the keys of this order. There are none if it is someone else's",
    says: { wrong: orderIdSentence },
  }),
  sort: Type.Optional(
    oneOf(keySorts, {
      description: "By default created, newest first",
      says: { wrong: `sort must be one of ${keySorts.join(", ")}` },
    }),
  ),
  ...descendingField,
  ...pagingFields,
});

export type KeyListQuery = Static<typeof KeyListQuery>;

/** A reseller's own list can count, so that a page shows figures without loading all rows. */
export const ResellerKeyListQuery = Type.Object({
  ...KeyListQuery.properties,
  count: Type.Optional(
    oneOf(["true", "false"], {
      description: "`true` adds the header `X-Match-Count`: how many keys match the filters, on all pages",
      says: { wrong: "count must be true or false" },
    }),
  ),
});

export type ResellerKeyListQuery = Static<typeof ResellerKeyListQuery>;

export const AdminKeyList = Type.Object({
  keys: Type.Array(AdminKey),
  totalCount: Type.Integer({ description: "The number of all admin keys, regardless of filters" }),
  matchCount: Type.Integer({ description: "The number of admin keys that match the filters" }),
  nextCursor: orNull(Type.String()),
});

export type AdminKeyList = Static<typeof AdminKeyList>;

const signs = {
  devicesRefused: Type.Integer({
    examples: [31],
    description: "Different devices that found it full since the beginning of yesterday, in UTC; 100 means 100 or more",
  }),
  releases: Type.Integer({ examples: [2], description: "Devices that its players freed in that time" }),
};
/** A key that seems to be shared (rules.md: Keys that seem shared). */
export const SharedAdminKey = Type.Object({ key: AdminKey, ...signs });
export const SharedResellerKey = Type.Object({ key: ResellerKey, ...signs });

/** A changed key, and the sentence that says so. */
export const ChangedAdminKey = Type.Object({ message: Type.String(), key: AdminKey });
export const ChangedResellerKey = Type.Object({ message: Type.String(), key: ResellerKey });
const givenBack = { refund: { ...Credits, description: "What was given back; 0: nothing" } };
export const RevokedAdminKey = Type.Object({ ...ChangedAdminKey.properties, ...givenBack });
export const RevokedResellerKey = Type.Object({ ...ChangedResellerKey.properties, ...givenBack });

export const KeyHours = Type.Object({
  hours: Type.Integer({
    minimum: 1,
    maximum: hoursAtOnceMax,
    examples: [24],
    says: { required: "hours is required", wrong: `hours must be a whole number from 1 to ${hoursAtOnceMax}` },
  }),
});
export type KeyHours = Static<typeof KeyHours>;

export const RemovedDevices = Type.Object({ message: Type.String(), removed: Type.Integer({ examples: [2] }) });

export const ResetDevices = Type.Object({
  resetCount: Type.Integer({ description: "How many keys had a device", examples: [12] }),
});

export type ResetDevices = Static<typeof ResetDevices>;
