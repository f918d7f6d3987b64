import type { Role } from "../../../src/accounts/schema.ts";
import { call, pathOf, withIdAndBody } from "../api.ts";

export const extendOwnKey = withIdAndBody("POST /api/reseller/keys/:id/extend");

export const extendAnyKey = withIdAndBody("POST /api/admin/keys/:id/extend");

export const limitOwnKey = withIdAndBody("PUT /api/reseller/keys/:id/device-limit");

export const limitAnyKey = withIdAndBody("PUT /api/admin/keys/:id/device-limit");

export const pauseKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/pause`, { params: { id } });

export const resumeKey = (area: Role, id: number) => call(`POST /api/${area}/keys/:id/resume`, { params: { id } });

/** What higher limits of one's own key cost, or why there is no price. Each opening of the dialog asks again. */
export function limitPricesQuery(id: number, limits: readonly number[]) {
  const name = "GET /api/reseller/keys/:id/device-limit";
  const priceOf = (deviceLimit: number) =>
    call(name, { params: { id }, query: { deviceLimit } }).then(
      ({ cost }): LimitPrice => ({ cost }),
      (error): LimitPrice => ({ error }),
    );
  return {
    queryKey: [pathOf(name, { id }), ...limits],
    queryFn: () => Promise.all(limits.map(priceOf)),
    staleTime: 0,
  };
}

/** Without a cost if the limit is not sold, or if its price could not be loaded. */
export interface LimitPrice {
  cost?: number;
  error?: unknown;
}
