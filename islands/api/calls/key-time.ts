import type { Role } from "../../../src/accounts/schema.ts";
import { call } from "../api.ts";
import type { BodyOf } from "../contract.ts";

export const extendOwnKey = (
  id: number,
  body: BodyOf<"POST /api/reseller/keys/:id/extend">,
  headers: Record<string, string>,
) => call("POST /api/reseller/keys/:id/extend", { params: { id }, body, headers });

export const extendAnyKey = (
  id: number,
  body: BodyOf<"POST /api/admin/keys/:id/extend">,
  headers: Record<string, string>,
) => call("POST /api/admin/keys/:id/extend", { params: { id }, body, headers });

export const limitOwnKey = (id: number, body: BodyOf<"PUT /api/reseller/keys/:id/device-limit">) =>
  call("PUT /api/reseller/keys/:id/device-limit", { params: { id }, body });

export const limitAnyKey = (id: number, body: BodyOf<"PUT /api/admin/keys/:id/device-limit">) =>
  call("PUT /api/admin/keys/:id/device-limit", { params: { id }, body });

export const pauseKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/pause`, { params: { id } });

export const resumeKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/resume`, { params: { id } });
