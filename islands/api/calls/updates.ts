import { pathOf } from "../api.ts";
import { call } from "../call.ts";
import type { BodyOf } from "../contract.ts";
import { listOf } from "../list.ts";

export const updateList = listOf("GET /api/admin/online-updates");

/** Where apps read the active ones. */
export const publishedPath = pathOf("GET /api/updates");

/** What apps read there now. */
export function publishedUpdates() {
  return call("GET /api/updates");
}

export function createUpdate(body: BodyOf<"POST /api/admin/online-updates">) {
  return call("POST /api/admin/online-updates", { body });
}

export function changeUpdate(id: number, body: BodyOf<"PUT /api/admin/online-updates/:id">) {
  return call("PUT /api/admin/online-updates/:id", { params: { id }, body });
}

export function deleteUpdate(id: number) {
  return call("DELETE /api/admin/online-updates/:id", { params: { id } });
}
