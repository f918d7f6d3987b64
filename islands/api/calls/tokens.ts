import { call } from "../call.ts";
import type { BodyOf } from "../contract.ts";
import { listOf } from "../list.ts";

export const tokenList = listOf("GET /api/admin/tokens");

export function issueToken(body: BodyOf<"POST /api/admin/tokens/generate">) {
  return call("POST /api/admin/tokens/generate", { body });
}

export function revokeToken(id: number) {
  return call("DELETE /api/admin/tokens/:id", { params: { id } });
}
