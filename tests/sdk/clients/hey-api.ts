import { getCatalogue, makeAdminKeys, openKey, verifyKey } from "../../../build/clients/hey-api";
import { client } from "../../../build/clients/hey-api/client.gen.ts";
import { same } from "./same.ts";

/* What an integrator writes with the client of @hey-api/openapi-ts. See generated-clients.ts. */
const [address = "", apiKey = ""] = process.argv.slice(2);
// With a fixed `auth`, it would also send the API key as a cookie.
client.setConfig({ baseUrl: address, auth: ({ scheme }) => (scheme === "bearer" ? apiKey : undefined) });
const game = "FREE FIRE";

const { data: catalogue } = await getCatalogue();
same(catalogue?.games.map(({ name }) => name).includes(game), true);

const order = { game, deviceLimit: 1, count: 1, starts: "first_use", durationHours: 720 } as const;
const { data: made } = await makeAdminKeys({ body: order });
const [{ id, keyString: key, status, startedAt } = { id: 0, keyString: "" }] = made?.keys ?? [];
same(status, "ACTIVE");
same(startedAt, null);

const { data: verdict } = await verifyKey({ body: { key, game, deviceId: "a-phone" } });
same(verdict?.valid, true);
same(verdict?.code, "VALID");
same(verdict?.release, null);

const { data: full } = await verifyKey({ body: { key, game, deviceId: "another-phone" } });
same(full?.code, "DEVICE_LIMIT_REACHED");
same(full?.release?.devices.length, 1);

const { data: details } = await openKey({ path: { id } });
same(
  details?.devices.map(({ deviceId }) => deviceId),
  ["a-phone"],
);

const { error: unknown, response } = await openKey({ path: { id: 999 } });
same(response?.status, 404);
same(unknown?.code, "NOT_FOUND");

const { error: refused } = await verifyKey({ body: { key: "", game, deviceId: "a-phone" } });
same(refused?.valid, false);
same(refused?.code, "INVALID");
same(
  refused?.errors?.map(({ path }) => path),
  ["key"],
);
