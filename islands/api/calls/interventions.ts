import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf } from "../api.ts";
import type { BodyOf } from "../contract.ts";

export type InterventionOrder = Omit<BodyOf<"POST /api/admin/interventions">, "dryRun">;

const lookAgainMs = 1_000;

const list = queryOf("GET /api/admin/interventions");
type Interventions = Awaited<ReturnType<typeof list.queryFn>>;

/** Fetched again and again while any of them is at work. */
export const interventionsQuery = {
  ...list,
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: Interventions } }) => state.data?.some(isAtWork) && lookAgainMs,
};

export function isAtWork({ state }: Pick<Interventions[number], "state">): boolean {
  return state === "running" || state === "undoing";
}

/** Keys that interventions hold paused: a reseller's own, for admins all. */
export const pausesQuery = (area: Role) => ({
  ...queryOf(`GET /api/${area}/pauses`),
  staleTime: 0,
  // A pause ends in the background.
  refetchInterval: ({ state }: { state: { data?: unknown[] } }) => Boolean(state.data?.length) && 3 * lookAgainMs,
});

/** How many keys it would affect. */
export const countAffected = (order: InterventionOrder) =>
  call("POST /api/admin/interventions", { body: { ...order, dryRun: true } });

export const intervene = (order: InterventionOrder, headers: Record<string, string>) =>
  call("POST /api/admin/interventions", { body: { ...order, dryRun: false }, headers });

export const undoIntervention = (id: number) => call("POST /api/admin/interventions/:id/undo", { params: { id } });
