import { type Static, Type } from "@sinclair/typebox";
import { oneOf, orNull, usernameCharacters } from "../core/field.ts";
import { adminScopes } from "./scopes.ts";

/** How long a name (rules.md: Usernames) and a password (rules.md: Passwords) may be. */
export const usernameCharactersMin = 3;
export const usernameCharactersMax = 32;
export const passwordCharactersMin = 6;
export const passwordCharactersMax = 256;

export const roles = ["admin", "reseller"] as const;
export type Role = (typeof roles)[number];
export const Role = oneOf(roles);

export const Username = Type.String({
  minLength: usernameCharactersMin,
  maxLength: usernameCharactersMax,
  pattern: `^[${usernameCharacters}]*$`,
  examples: ["night.owl"],
  says: {
    tooSmall: `Username must be at least ${usernameCharactersMin} characters`,
    tooLarge: `Username must be at most ${usernameCharactersMax} characters`,
    wrong: "Username may contain only letters, digits, underscores, dots and hyphens",
  },
});

export const Password = Type.String({
  minLength: passwordCharactersMin,
  maxLength: passwordCharactersMax,
  examples: ["correct-horse-battery"],
  says: {
    tooSmall: `Password must be at least ${passwordCharactersMin} characters`,
    tooLarge: `Password must be at most ${passwordCharactersMax} characters`,
  },
});

/**
 * A code of an authenticator, or a recovery code. Longer than any of them by the spaces and dashes that people type.
 */
export const SecondFactorCode = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ["492039"],
  says: { required: "The code is required", wrong: "The code must be at most 64 characters" },
});

export const LoginForm = Type.Object({
  username: Type.String({ minLength: 1, examples: ["night.owl"], says: { required: "Username is required" } }),
  password: Type.String({
    minLength: 1,
    examples: ["correct-horse-battery"],
    says: { required: "Password is required" },
  }),
  code: Type.Optional(SecondFactorCode),
});
export type LoginForm = Static<typeof LoginForm>;

export const RegistrationForm = Type.Object({
  username: Username,
  password: Password,
  referralToken: Type.String({
    minLength: 1,
    examples: ["hK3vWq8ZsT2mXc7RbN4pLd"],
    says: { required: "Referral token is required" },
  }),
});
export type RegistrationForm = Static<typeof RegistrationForm>;

export const Account = Type.Object({ id: Type.Integer(), username: Type.String(), role: Role });
export type Account = Static<typeof Account>;

/** A signed-in account. Staff also has rights and an owner (rules.md: Staff). */
export const SessionUser = Type.Object({
  ...Account.properties,
  rights: orNull(Type.Array(oneOf(adminScopes)), "What a staff account may do; null for a full account"),
  owner: orNull(
    Type.Object({ id: Type.Integer(), username: Type.String() }),
    "The reseller for whom a staff account acts, otherwise null",
  ),
});
export type SessionUser = Static<typeof SessionUser>;
export type Rights = NonNullable<SessionUser["rights"]>;

/** The reseller whose keys, orders and balance a caller of that role has: its own, or those of its owner. */
export function resellerIdOf({ id, owner }: Pick<SessionUser, "id" | "owner">): number {
  return owner?.id ?? id;
}

/** What every full account has. */
export const full = { rights: null, owner: null };

export const SessionView = Type.Object({
  isAuthenticated: Type.Boolean(),
  user: Type.Optional(SessionUser),
});
export type SessionView = Static<typeof SessionView>;

export const SignedIn = Type.Object({ message: Type.String(), user: SessionUser });
export type SignedIn = Static<typeof SignedIn>;
