import { type Static, Type } from "@sinclair/typebox";
import { durationFields } from "../../catalogue/order-fields.ts";
import { Credits } from "../../core/credits.ts";
import { NoteForm, oneOf, orNull, positiveInteger } from "../../core/field.ts";
import { Instant } from "../../http/schema.ts";
import { selectedIdsMax } from "../limits.ts";
import { KeyHours, KeyListQuery, orderIdSentence, refundFields } from "../schema.ts";

const { search, game, status } = KeyListQuery.properties;

const idsSentence = `ids must be 1 to ${selectedIdsMax} ids of keys`;

/**
 * The selected keys: those with these ids, or all that match the filters, among those that existed when the mark was
 * issued.
 */
const whichKeys = {
  ids: Type.Optional(
    Type.Array(positiveInteger(idsSentence, { examples: [7] }), {
      minItems: 1,
      maxItems: selectedIdsMax,
      examples: [[7, 8, 9]],
      description: "If left out, all keys that match the filters",
      says: { wrong: idsSentence },
    }),
  ),
  search,
  game,
  status,
  orderId: Type.Optional(
    positiveInteger(orderIdSentence, { examples: [12], description: "Only the keys of this order" }),
  ),
};

const markText = {
  maxLength: 128,
  examples: ["WzE3NDExODM4MDAwMDAsMTI4LGZhbHNlXQ"],
  says: { required: "mark is required", wrong: "mark is not from a preview of a selection" },
};

const maybeMarked = {
  ...whichKeys,
  mark: Type.Optional(
    Type.String({ ...markText, description: "The mark of an earlier selection; if left out, the current keys" }),
  ),
};

/** An admin selects from the admin keys, or from those of a reseller. */
export const ofReseller = {
  resellerId: Type.Optional(
    positiveInteger("resellerId must be the id of a reseller", {
      examples: [2],
      description: "The owner of the keys; if left out, the admins",
    }),
  ),
};

/** With a note or a duration, the keys that it would change are counted. */
export const KeySelection = Type.Object({ ...maybeMarked, ...NoteForm.properties, ...durationFields });
export type KeySelection = Static<typeof KeySelection>;
export const AdminKeySelection = Type.Object({
  ...maybeMarked,
  ...NoteForm.properties,
  hours: Type.Optional(KeyHours.properties.hours),
  ...ofReseller,
});
export type AdminKeySelection = Static<typeof AdminKeySelection>;

const countOfKeys = { examples: [40] };

/** The selected keys by kind (rules.md: Selections). The four kinds add up to `selected`. */
export const KeySelectionView = Type.Object({
  mark: Type.String({
    examples: markText.examples,
    description: "Identifies this selection in the calls that change it",
  }),
  newestId: Type.Integer({
    examples: [128],
    description: "Keys with a greater id were made later and are not included",
  }),
  selected: Type.Integer({ examples: [57] }),
  unused: Type.Integer({ ...countOfKeys, description: "ACTIVE, without a device" }),
  connected: Type.Integer({ examples: [12], description: "ACTIVE, with a device" }),
  expired: Type.Integer({ examples: [3] }),
  revoked: Type.Integer({ examples: [2] }),
  toRevoke: Type.Integer({
    examples: [52],
    description: "How many the caller may revoke, or with a mark, how many of them are left",
  }),
  toNote: Type.Integer({ examples: [57], description: "How many have a different note" }),
  toExtend: Type.Optional(
    Type.Integer({ examples: [55], description: "With a duration: how many can be extended by it" }),
  ),
  cost: Type.Optional({ ...Credits, description: "With a duration: what extending them costs" }),
  expiry: Type.Optional(
    orNull(
      Type.Object({ first: Instant, last: Instant, newFirst: Instant, newLast: Instant }),
      "With a duration: the first and last expiry of those of them that have started, before and after",
    ),
  ),
  ...refundFields,
});
export type KeySelectionView = Static<typeof KeySelectionView>;

function promised(what: string) {
  return positiveInteger("count must be a whole number of keys", {
    examples: [52],
    description: `${what} when the selection was counted; if it differs, nothing is done`,
    says: { required: "count is required" },
  });
}

export const marked = { ...whichKeys, mark: Type.String(markText) };

export const SelectionRevocation = Type.Object({ ...marked, count: promised("`toRevoke`") });
export const AdminSelectionRevocation = Type.Object({ ...SelectionRevocation.properties, ...ofReseller });
export type AdminSelectionRevocation = Static<typeof AdminSelectionRevocation>;

export const SelectionNote = Type.Object({ ...marked, count: promised("`selected`"), ...NoteForm.properties });
export const AdminSelectionNote = Type.Object({ ...SelectionNote.properties, ...ofReseller });
export type AdminSelectionNote = Static<typeof AdminSelectionNote>;

/** A CSV file with a row for each key, or a text file with one key a line. */
export const SelectionDownload = Type.Object({
  ...maybeMarked,
  format: oneOf(["csv", "txt"], {
    examples: ["csv"],
    says: { required: "format is required", wrong: "format must be csv or txt" },
  }),
});
export const AdminSelectionDownload = Type.Object({ ...SelectionDownload.properties, ...ofReseller });
export type AdminSelectionDownload = Static<typeof AdminSelectionDownload>;

/** How many of the selected keys were revoked, and why the others were not. */
export const RevokedSelection = Type.Object({
  message: Type.String(),
  revokedCount: Type.Integer({
    examples: [51],
    description: "How many the caller has revoked since the mark",
  }),
  refund: { ...Credits, description: "What was given back for them" },
  passedOver: Type.Object({
    revoked: Type.Integer({ examples: [3], description: "Revoked earlier, or meanwhile by another person" }),
    expired: Type.Integer({ examples: [3], description: "A reseller revokes ACTIVE keys only" }),
  }),
});
export type RevokedSelection = Static<typeof RevokedSelection>;

export const NotedSelection = Type.Object({
  message: Type.String(),
  notedCount: Type.Integer({ examples: [55] }),
  unchangedCount: Type.Integer({ examples: [2], description: "How many already had this note" }),
});
export type NotedSelection = Static<typeof NotedSelection>;
