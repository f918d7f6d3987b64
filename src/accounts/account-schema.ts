import { type Static, Type } from "@sinclair/typebox";
import { textOrNull } from "../core/field.ts";
import { Instant } from "../http/schema.ts";
import { Password, SecondFactorCode } from "./schema.ts";

/*
 * Schemas of one's own account: password, sessions, two-factor. Those of the sign-in are in schema.ts, so that its page
 * stays small.
 */

export const CurrentPassword = Type.String({
  minLength: 1,
  examples: ["correct-horse-battery"],
  says: { required: "Your current password is required" },
});

export const PasswordForm = Type.Object({ currentPassword: CurrentPassword, newPassword: Password });
export type PasswordForm = Static<typeof PasswordForm>;

/** The password, which a signed-in person must enter again. */
export const PasswordProof = Type.Object({ password: CurrentPassword });

/** And the code, which is needed where two-factor is on. */
export const Proof = Type.Object({ ...PasswordProof.properties, code: Type.Optional(SecondFactorCode) });
export type Proof = Static<typeof Proof>;

export const OwnSession = Type.Object({
  id: Type.Integer({ examples: [12] }),
  current: Type.Boolean({ description: "Whether it is the current session" }),
  createdAt: Instant,
  lastSeenAt: Instant,
  address: textOrNull("203.0.113.7", "The address of the sign-in; an IPv6 address stands for its /64"),
  userAgent: textOrNull("Mozilla/5.0 (X11; Linux x86_64)"),
});
export type OwnSession = Static<typeof OwnSession>;

export const TwoFactorState = Type.Object({
  enabled: Type.Boolean(),
  recoveryCodesLeft: Type.Integer({ examples: [10] }),
});
export type TwoFactorState = Static<typeof TwoFactorState>;

export const TwoFactorSetup = Type.Object({
  secret: Type.String({
    description: "To type into an authenticator app",
    examples: ["OULUTRT7I2OUS7X6DIWBAD5OCHICYRQI"],
  }),
  uri: Type.String({
    description: "The same as a QR code's content",
    examples: ["otpauth://totp/Latchkey:night.owl?issuer=Latchkey&secret=OULUTRT7I2OUS7X6DIWBAD5OCHICYRQI"],
  }),
});
export type TwoFactorSetup = Static<typeof TwoFactorSetup>;

export const CodeForm = Type.Object({ code: SecondFactorCode });

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String({ examples: ["PRB7-M944-GC2Y-DX1G"] }), {
    description: "Each works once in place of a code. Shown only once",
  }),
});
