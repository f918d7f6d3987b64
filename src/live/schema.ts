import { type Static, Type } from "@sinclair/typebox";

/** What a page sends once its socket is open (rules.md: Live socket). `resellerId` is compared with the cookie, and never trusted. */
export const LiveHello = Type.Object({ type: Type.Literal("auth"), resellerId: Type.Integer() });
export type LiveHello = Static<typeof LiveHello>;

export const LiveNotice = Type.Union([
  Type.Object({ type: Type.Literal("auth_success") }),
  Type.Object({ type: Type.Literal("status_change"), isActive: Type.Boolean(), message: Type.String() }),
]);
export type LiveNotice = Static<typeof LiveNotice>;
