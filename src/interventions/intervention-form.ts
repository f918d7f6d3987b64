import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../core/field.ts";
import type { FieldProblem } from "../core/refusal.ts";
import { hoursIn, lengthFields, lengthProblems } from "../keys/life/length-form.ts";
import { InterventionForm } from "./schema.ts";

export const scopes = ["all", "game", "reseller", "order"] as const;

/** An intervention as admins fill it in: what it is about is chosen first and named then. */
export const PanelIntervention = Type.Object({
  kind: InterventionForm.properties.kind,
  scope: oneOf(scopes),
  gameId: Type.Optional(Type.Integer({ says: { wrong: "Please select a game" } })),
  resellerId: Type.Optional(Type.Integer({ says: { wrong: "Please select a reseller" } })),
  orderId: Type.Optional(
    Type.Integer({
      minimum: 1,
      says: { wrong: "An order has a whole number", tooSmall: "An order has a whole number" },
    }),
  ),
  ...lengthFields,
  /** A day and a time in the reader's time zone. */
  since: Type.Optional(Type.String()),
  reason: {
    ...InterventionForm.properties.reason,
    says: { ...InterventionForm.properties.reason.says, required: "Reason is required" },
  },
  resellerNote: InterventionForm.properties.resellerNote,
});
export type PanelIntervention = Static<typeof PanelIntervention>;

export function interventionProblems(form: PanelIntervention): FieldProblem[] {
  const { kind, scope, gameId, resellerId, orderId } = form;
  return [
    ...(scope === "game" && gameId === undefined ? [{ path: "gameId", message: "Please select a game" }] : []),
    ...(scope === "reseller" && resellerId === undefined
      ? [{ path: "resellerId", message: "Please select a reseller" }]
      : []),
    ...(scope === "order" && orderId === undefined ? [{ path: "orderId", message: "Order number is required" }] : []),
    ...(kind === "compensate" ? lengthProblems(form) : []),
  ];
}

/** What the call takes for it. */
export function interventionOf(form: PanelIntervention): Omit<InterventionForm, "dryRun"> {
  const { kind, scope, gameId, resellerId, orderId, since, reason, resellerNote } = form;
  const scopeOf = { all: { all: true as const }, game: { gameId }, reseller: { resellerId }, order: { orderId } };
  const hours = hoursIn(form) ?? undefined;
  return {
    kind,
    scope: scopeOf[scope],
    reason,
    ...(kind === "pause" && resellerNote && { resellerNote }),
    ...(kind === "compensate" && { hours, ...(since && { since: new Date(since).toISOString() }) }),
  };
}
