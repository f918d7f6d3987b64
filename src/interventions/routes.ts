import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Role } from "../accounts/schema.ts";
import { described } from "../http/describe.ts";
import { IdParams, RetryHeaders } from "../http/schema.ts";
import type { Interventions } from "./interventions.ts";
import { Intervention, InterventionForm, RunningPause, StartedIntervention } from "./schema.ts";

const exampleIntervention = {
  id: 3,
  kind: "compensate",
  scope: { all: true },
  hours: 24,
  since: null,
  reason: "Outage of 5 March",
  by: "admin",
  at: "2025-03-05T14:30:00.000Z",
  count: 812,
  done: 812,
  state: "finished",
};

const examplePause = { interventionId: 3, game: "FREE FIRE", at: exampleIntervention.at, keys: 64, resellerNote: null };

/** What admins do to many keys at once (rules.md: Interventions). */
export function createInterventionRoutes({ access, interventions }: { access: Access; interventions: Interventions }) {
  return new Elysia({ name: "interventions", prefix: "/api", tags: ["Keys"] })
    .use(access)
    .get("/admin/interventions", () => interventions.list(), {
      onlyPeople: "admin",
      response: { 200: Type.Array(Intervention) },
      detail: described({
        id: "listInterventions",
        summary: "What admins did to many keys at once, newest first",
        description: "While `state` is `running`, `done` rises to `count`; while it is `undoing`, it falls.",
        example: [exampleIntervention],
      }),
    })
    .post(
      "/admin/interventions",
      async ({ body, caller, headers, status }) =>
        status(body.dryRun ? 200 : 202, await interventions.start(caller, body, headers["idempotency-key"])),
      {
        onlyPeople: "admin",
        headers: RetryHeaders,
        body: InterventionForm,
        response: { 200: StartedIntervention, 202: StartedIntervention },
        detail: described({
          id: "intervene",
          summary: "Compensate, pause or resume many keys",
          description:
            "The keys are changed in the background; the list of interventions says how far that is. A compensation affects keys that have started and are ACTIVE or PAUSED, or that expired after `since`; a pause affects ACTIVE keys; a resumption affects keys that an intervention paused. With `dryRun` the keys are only counted.",
          example: { id: 3, count: 812 },
          refusals: ["NOT_FOUND", "CLOCK_AHEAD"],
        }),
      },
    )
    .post(
      "/admin/interventions/:id/undo",
      async ({ params, caller, status }) => status(202, await interventions.undo(caller, params.id)),
      {
        onlyPeople: "admin",
        params: IdParams,
        response: { 202: Intervention },
        detail: described({
          id: "undoIntervention",
          summary: "Take back what a compensation gave",
          description: "One that is still running stops first. Revoked keys, and keys renewed since, stay as they are.",
          example: { ...exampleIntervention, state: "undoing" },
          refusals: ["ALREADY_UNDONE", "NOT_UNDOABLE", "CLOCK_AHEAD"],
        }),
      },
    )
    .use(pauses("admin", "listPauses", "Keys that interventions hold paused, by intervention and game, newest first"))
    .use(pauses("reseller", "listOwnPauses", "Your keys that admins hold paused, by pause and game, newest first"));

  function pauses<Who extends Role>(who: Who, id: string, summary: string) {
    return new Elysia().use(access).get(`/${who}/pauses`, ({ caller }) => interventions.pauses(caller), {
      only: [who, "keys:read"],
      response: { 200: Type.Array(RunningPause) },
      detail: described({
        id,
        summary,
        description: "At most 100. Counts of very many keys may be seconds old.",
        example: [examplePause],
      }),
    });
  }
}
