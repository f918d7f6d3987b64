import type { AdminKey, AdminKeyList } from "../../../src/keys/schema.ts";
import { type ApiFailure, getJson, type Rows } from "../../server/api.ts";

export const managePath = "/api/admin/keys/manage";

/** This call answers its counts and its cursor in the body (decisions.md 7). */
export async function getManagePage(path: string, options: { signal: AbortSignal }): Promise<Rows<AdminKey>> {
  const { keys, ...counts } = await getJson<AdminKeyList>(path, options);
  return { rows: keys, ...counts };
}

/** Section 8. A server that could not be reached has no status to tell. */
export function listFailureText(error: unknown): string {
  const { status, message } = error as ApiFailure;
  return status ? `HTTP error! status: ${status}` : message;
}
