import { type Static, Type } from "@sinclair/typebox";
import { oneOf, orNull } from "../core/field.ts";
import { Instant, InstantOrNull } from "../http/schema.ts";

/** The steps of a backup, in their order. */
const steps = ["copying", "checking", "compressing", "sending", "readingBack"] as const;
export type Step = (typeof steps)[number];

/** Where backups are kept; `folder` is on the server's machine. */
const placeNames = ["folder", "s3"] as const;
export type PlaceName = (typeof placeNames)[number];

export const Collection = Type.Object({
  name: Type.String({ examples: ["license_keys"] }),
  count: Type.Integer({ examples: [1200] }),
  size: Type.Integer({ description: "Approximate, in bytes", examples: [204800] }),
  modified: InstantOrNull,
});
export type Collection = Static<typeof Collection>;

export const CollectionParams = Type.Object({
  name: Type.String({ pattern: "^[a-z_]{1,40}$", examples: ["license_keys"] }),
});

/** A backup of the whole database. It contains password hashes, so the panel cannot download it. */
export const KeptBackup = Type.Object({
  name: Type.String({ examples: ["latchkey-2025-03-05T03-00-00.000Z.db.zst"] }),
  at: Instant,
  size: Type.Integer({ description: "In bytes, compressed", examples: [204800] }),
  places: Type.Array(oneOf(placeNames), { description: "The server's folder, S3, or both" }),
});

export const BackupState = Type.Object({
  isElsewhere: Type.Boolean({
    description: "Whether the database is a separate server, whose backups Latchkey does not see",
  }),
  schedule: orNull(Type.String({ description: "A cron expression, in UTC", examples: ["0 3 * * *"] })),
  nextAt: InstantOrNull,
  lastGoodAt: InstantOrNull,
  isLate: Type.Boolean({ description: "Whether a good backup has been due for more than an hour" }),
  failure: orNull(Type.Object({ at: Instant, message: Type.String() })),
  notRemoved: Type.Array(Type.String(), { description: "Old backups that the last backup could not remove" }),
  underWay: orNull(Type.Object({ step: oneOf(steps), share: orNull(Type.Number({ minimum: 0, maximum: 1 })) })),
  hasS3: Type.Boolean(),
  isS3Unreachable: Type.Boolean({ description: "If true, the backups in S3 are missing from the list" }),
  backups: Type.Array(KeptBackup),
});
export type BackupState = Static<typeof BackupState>;
