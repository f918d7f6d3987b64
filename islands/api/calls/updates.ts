import { call, pathOf } from "../api.ts";
import type { BodyOf } from "../contract.ts";
import { listOf } from "../list.ts";

export const updateList = listOf("GET /api/admin/online-updates");

/** Where apps fetch the active ones. */
export const publishedPath = pathOf("GET /api/updates");

/** What apps fetch there now. */
export const publishedUpdates = () => call("GET /api/updates");

export const createUpdate = (body: BodyOf<"POST /api/admin/online-updates">) =>
  call("POST /api/admin/online-updates", { body });

export const changeUpdate = (id: number, body: BodyOf<"PUT /api/admin/online-updates/:id">) =>
  call("PUT /api/admin/online-updates/:id", { params: { id }, body });

export const deleteUpdate = (id: number) => call("DELETE /api/admin/online-updates/:id", { params: { id } });
