import type { Role } from "../../../src/accounts/schema.ts";
import { call, withIdAndBody } from "../api.ts";

export const extendOwnKey = withIdAndBody("POST /api/reseller/keys/:id/extend");

export const extendAnyKey = withIdAndBody("POST /api/admin/keys/:id/extend");

export const limitOwnKey = withIdAndBody("PUT /api/reseller/keys/:id/device-limit");

export const limitAnyKey = withIdAndBody("PUT /api/admin/keys/:id/device-limit");

export const pauseKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/pause`, { params: { id } });

export const resumeKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/resume`, { params: { id } });
