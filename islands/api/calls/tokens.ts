import { call } from "../call.ts";
import type { BodyOf } from "../contract.ts";
import { listOf } from "../list.ts";

export const tokenList = listOf("GET /api/admin/tokens");

export const issueToken = (body: BodyOf<"POST /api/admin/tokens/generate">) =>
  call("POST /api/admin/tokens/generate", { body });

export const revokeToken = (id: number) => call("DELETE /api/admin/tokens/:id", { params: { id } });
