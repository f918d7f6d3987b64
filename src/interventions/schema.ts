import { type Static, Type } from "@sinclair/typebox";
import { numberOrNull, oneOf, optionalNote, positiveInteger, requiredLine, textOrNull } from "../core/field.ts";
import { Instant, InstantOrNull } from "../http/schema.ts";
import { hoursAtOnceMax } from "../keys/limits.ts";

export const interventionKinds = ["compensate", "pause", "resume"] as const;
export type InterventionKind = (typeof interventionKinds)[number];

export const scopeSentence = "scope must name all keys, one game, one reseller or one order";

function scopeId(description: string) {
  return Type.Optional(positiveInteger(scopeSentence, { examples: [2], description }));
}

/** Exactly one of these is given. */
export const InterventionScope = Type.Object(
  {
    all: Type.Optional(Type.Literal(true, { says: { wrong: scopeSentence } })),
    gameId: scopeId("The keys of a game"),
    resellerId: scopeId("The keys of a reseller"),
    orderId: scopeId("The keys of an order"),
  },
  { description: "Exactly one of these", says: { required: scopeSentence, wrong: scopeSentence } },
);
export type InterventionScope = Static<typeof InterventionScope>;

const hoursSentence = `hours must be a whole number from 1 to ${hoursAtOnceMax}`;
const exampleNote = "We move servers until 18:00 UTC.";
export const sinceSentence = "since must be an ISO date or date-time";

export const InterventionForm = Type.Object({
  kind: oneOf(interventionKinds, {
    examples: ["compensate"],
    says: { required: "kind is required", wrong: `kind must be one of ${interventionKinds.join(", ")}` },
  }),
  scope: InterventionScope,
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: hoursAtOnceMax,
      examples: [24],
      description: "What a compensation adds to each expiry; only for compensations",
      says: { wrong: hoursSentence },
    }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      examples: ["2025-03-05T12:00:00Z"],
      description: "A compensation includes keys that expired after this instant; only for compensations",
      says: { wrong: sinceSentence },
    }),
  ),
  reason: requiredLine("reason", "Outage of 5 March"),
  /** What resellers read of a pause. */
  resellerNote: optionalNote("resellerNote", exampleNote),
  dryRun: Type.Boolean({
    description: "True: the keys are counted and nothing is changed",
    says: { required: "dryRun is required", wrong: "dryRun must be true or false" },
  }),
});
export type InterventionForm = Static<typeof InterventionForm>;

export const StartedIntervention = Type.Object({
  id: numberOrNull(3, "Null for a dry run"),
  count: Type.Integer({ examples: [812], description: "How many keys it affects" }),
});

export const interventionStates = ["running", "finished", "undoing", "undone"] as const;
export type InterventionState = (typeof interventionStates)[number];

export const Intervention = Type.Object({
  id: Type.Integer({ examples: [3] }),
  kind: oneOf(interventionKinds),
  scope: InterventionScope,
  hours: numberOrNull(24, "Null unless it compensates"),
  since: InstantOrNull,
  reason: Type.String({ examples: ["Outage of 5 March"] }),
  by: Type.String({ examples: ["admin"] }),
  at: Instant,
  count: Type.Integer({ examples: [812], description: "How many keys it concerned when it began" }),
  done: Type.Integer({
    examples: [812],
    description: "How many it has changed; of a compensation that is undone, those that keep what it gave",
  }),
  state: oneOf(interventionStates),
});
export type Intervention = Static<typeof Intervention>;

/** The keys of one game that an intervention holds paused. */
export const RunningPause = Type.Object({
  ...{ interventionId: Type.Integer({ examples: [3] }), game: Type.String({ examples: ["FREE FIRE"] }), at: Instant },
  keys: Type.Integer({ examples: [64], description: "How many keys it still pauses" }),
  resellerNote: textOrNull(exampleNote, "Null if there is none"),
});
export type RunningPause = Static<typeof RunningPause>;
