import { type Static, Type } from "@sinclair/typebox";

export const Stats = Type.Object({
  totalResellers: Type.Integer(),
  activeKeys: Type.Integer({ description: "Every ACTIVE key, whoever made it" }),
  availableTokens: Type.Integer(),
  activeOnlineUpdates: Type.Integer(),
  inactiveOnlineUpdates: Type.Integer(),
  totalAdminKeys: Type.Integer(),
});
export type Stats = Static<typeof Stats>;
