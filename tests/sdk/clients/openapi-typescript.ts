import createClient from "openapi-fetch";
import type { paths } from "../../../build/clients/openapi-typescript.ts";
import { same } from "./same.ts";

/* What an integrator writes with openapi-fetch and the types of openapi-typescript. See generated-clients.ts. */
const [address = "", apiKey = ""] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${apiKey}` } });
const game = "FREE FIRE";

const { data: catalogue } = await api.GET("/api/catalogue");
same(catalogue?.games.map(({ name }) => name).includes(game), true);

const order = { game, deviceLimit: 1, count: 1, starts: "first_use", durationHours: 720 } as const;
const { data: made } = await api.POST("/api/admin/keys/generate", { body: order });
const [{ id, keyString: key, status, startedAt } = { id: 0, keyString: "" }] = made?.keys ?? [];
same(status, "ACTIVE");
same(startedAt, null);

const { data: verdict } = await api.POST("/api/verify", { body: { key, game, deviceId: "a-phone" } });
same(verdict?.valid, true);
same(verdict?.code, "VALID");
same(verdict?.release, null);

const { data: full } = await api.POST("/api/verify", { body: { key, game, deviceId: "another-phone" } });
same(full?.code, "DEVICE_LIMIT_REACHED");
same(full?.release?.devices.length, 1);

const { data: details } = await api.GET("/api/admin/keys/{id}/details", { params: { path: { id } } });
same(
  details?.devices.map(({ deviceId }) => deviceId),
  ["a-phone"],
);

const { error: unknown, response } = await api.GET("/api/admin/keys/{id}/details", { params: { path: { id: 999 } } });
same(response.status, 404);
same(unknown?.code, "NOT_FOUND");

const { error: refused } = await api.POST("/api/verify", { body: { key: "", game, deviceId: "a-phone" } });
same(refused?.valid, false);
same(refused?.code, "INVALID");
same(
  refused?.errors?.map(({ path }) => path),
  ["key"],
);
