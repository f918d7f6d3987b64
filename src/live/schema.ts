import { type Static, Type } from "@sinclair/typebox";

/**
 * What a page sends once its socket is open (rules.md: Live socket). `resellerId` is compared with the cookie, and
 * never trusted.
 */
export const LiveHello = Type.Object({ type: Type.Literal("auth"), resellerId: Type.Integer() });
export type LiveHello = Static<typeof LiveHello>;

/**
 * A page ignores unknown types (rules.md: Live socket), so a new one does not break pages that were opened before it.
 */
export const LiveNotice = Type.Union([
  Type.Object({ type: Type.Literal("auth_success") }),
  Type.Object({ type: Type.Literal("status_change"), isActive: Type.Boolean(), message: Type.String() }),
  Type.Object({ type: Type.Literal("credits_change") }),
]);
export type LiveNotice = Static<typeof LiveNotice>;
