import { type Static, Type } from "@sinclair/typebox";
import { numberInText, numberOrNull, oneOf } from "../core/field.ts";
import { InstantOrNull } from "../http/schema.ts";
import { verdictCodes } from "../verify/schema.ts";

export const Stats = Type.Object({
  totalResellers: Type.Integer(),
  activeKeys: Type.Integer({ description: "Every ACTIVE key of admins and resellers" }),
  availableTokens: Type.Integer(),
  activeOnlineUpdates: Type.Integer(),
  inactiveOnlineUpdates: Type.Integer(),
  totalAdminKeys: Type.Integer(),
});
export type Stats = Static<typeof Stats>;

/** What an admin has done since the panel was set up (rules.md: Overview pages). */
const FirstSteps = Type.Object({
  hasKey: Type.Boolean({ description: "Whether a key was made" }),
  hasInvited: Type.Boolean({ description: "Whether there is a referral token or a reseller" }),
  hasVerified: Type.Boolean({ description: "Whether a verification was counted in the last 400 days" }),
  hasBackups: Type.Boolean({ description: "Whether backups are scheduled, or there is one" }),
});
export type FirstSteps = Static<typeof FirstSteps>;

/** What keeps all from being well. */
export const problems = ["NO_BACKUP", "OLD_BACKUP", "DISK", "FAILURES", "CLOCK", "SECRET", "WEBHOOKS"] as const;

/** Whether all is well (rules.md: Condition). */
export const Condition = Type.Object({
  isWell: Type.Boolean(),
  problems: Type.Array(oneOf(problems), { description: "Empty if all is well" }),
  isBackedUpElsewhere: Type.Boolean({
    description: "Whether the database is a separate server, whose backups Latchkey does not see",
  }),
  lastBackupAt: InstantOrNull,
  freeBytes: numberOrNull(53687091200, "Free space on the database's disk; null if unknown"),
  failures: Type.Integer({ description: "Faults of the server and refusals of its storage, in the last 24 hours" }),
  isClockAhead: Type.Boolean({
    description:
      "Whether the system's clock is more than 31 days ahead of the newest row and backup, so that nothing is sold",
  }),
  unopenedTwoFactor: Type.Integer({
    description: "Accounts whose two-factor secret is encrypted with another SECRET: only their recovery codes work",
  }),
  unopenedKeys: Type.Integer({
    description: "Active and next signing keys that are encrypted with another SECRET",
  }),
  webhooksOff: Type.Integer({ description: "Webhooks of admins that the server has switched off" }),
  firstSteps: FirstSteps,
});
export type Condition = Static<typeof Condition>;

/** rules.md: Daily figures. */
export const figureDaysDefault = 30;

export const FiguresQuery = Type.Object({
  days: Type.Optional(
    numberInText("^([7-9]|[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-5])$", {
      minimum: 7,
      maximum: 365,
      examples: ["30"],
      description: `How many days back, 7 to 365, including today; by default ${figureDaysDefault}`,
      says: { wrong: "days must be a whole number from 7 to 365" },
    }),
  ),
});

export const TopReseller = Type.Object({
  id: Type.Integer({ examples: [7] }),
  username: Type.String({ examples: ["night.owl"] }),
  keys: Type.Integer({ description: "Bought in these days, without imported ones", examples: [120] }),
  credits: Type.Number({ description: "Spent in these days", examples: [360] }),
});
export type TopReseller = Static<typeof TopReseller>;

const count = Type.Integer({ minimum: 0, examples: [3] });

/** One number for each of these names. */
function eachOf<Name extends string>(names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, count])) as { [Each in Name]: typeof count });
}

/** One number for each game. */
export const ByGame = Type.Unsafe<Record<string, number>>(
  Type.Object({}, { additionalProperties: Type.Number({ minimum: 0 }), description: "By the name of the game" }),
);

/** The figures of one day in UTC. */
export const DayFigures = Type.Object({
  day: Type.String({ format: "date", examples: ["2025-03-05"] }),
  keys: ByGame,
  credits: ByGame,
  verdicts: eachOf(verdictCodes),
  devices: Type.Integer({ description: "Devices that connected for the first time", examples: [12] }),
});
export type DayFigures = Static<typeof DayFigures>;
