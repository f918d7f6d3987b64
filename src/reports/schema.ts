import { type Static, Type } from "@sinclair/typebox";
import { InstantOrNull } from "../http/schema.ts";

export const Stats = Type.Object({
  totalResellers: Type.Integer(),
  activeKeys: Type.Integer({ description: "Every ACTIVE key, whoever made it" }),
  availableTokens: Type.Integer(),
  activeOnlineUpdates: Type.Integer(),
  inactiveOnlineUpdates: Type.Integer(),
  totalAdminKeys: Type.Integer(),
});
export type Stats = Static<typeof Stats>;

/** Whether all is well (rules.md: Condition). */
export const Condition = Type.Object({
  isWell: Type.Boolean(),
  isBackedUpElsewhere: Type.Boolean({ description: "Whether the database is a server, whose backups are its own" }),
  lastBackupAt: InstantOrNull,
  freeBytes: Type.Union([Type.Integer({ examples: [53687091200] }), Type.Null()], {
    description: "Room where the database stands; null where that cannot be told",
  }),
  failures: Type.Integer({ description: "Faults of the server and refusals of its storage, in the last 24 hours" }),
});
export type Condition = Static<typeof Condition>;
