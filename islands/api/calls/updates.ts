import { call, pathOf, withBody, withIdAndBody } from "../api.ts";
import { listOf } from "../list.ts";

export const updateList = listOf("GET /api/admin/online-updates");

/** Where apps fetch the active ones. */
export const publishedPath = pathOf("GET /api/updates");

/** What apps fetch there now. */
export const publishedUpdates = () => call("GET /api/updates");

export const createUpdate = withBody("POST /api/admin/online-updates");

export const changeUpdate = withIdAndBody("PUT /api/admin/online-updates/:id");

export const deleteUpdate = (id: number) => call("DELETE /api/admin/online-updates/:id", { params: { id } });
