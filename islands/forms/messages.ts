import type { FieldProblem } from "../../src/core/refusal.ts";
import { ApiFailure } from "../api/api.ts";

/** A finished sentence by the name of each wrong field. */
export type Messages = Partial<Record<string, string>>;

/** What the server has against which field. `fieldOf` names the field of a refusal's code, and of what the call names otherwise. */
export function messagesOfRefusal(error: unknown, fieldOf: Partial<Record<string, string>>): Messages {
  if (!(error instanceof ApiFailure)) return {};
  const named = error.errors.map(({ path, message }) => ({ path: fieldOf[path] ?? path, message }));
  const field = fieldOf[error.code ?? ""];
  return byField(field === undefined ? named : [{ path: field, message: error.message }, ...named]);
}

/** The first of each field. */
export function byField(problems: FieldProblem[]): Messages {
  const messages: Messages = {};
  for (const { path, message } of problems) messages[path] ??= message;
  return messages;
}
