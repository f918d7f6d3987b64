import { call } from "../call.ts";
import type { ParamsOf } from "../contract.ts";

/** The form of the call that registers nothing. */
export function previewKey(params: ParamsOf<"GET /api/verify/:key/:game/:deviceId">) {
  return call("GET /api/verify/:key/:game/:deviceId", { params });
}
