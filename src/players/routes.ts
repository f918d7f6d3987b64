import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { unreadBody } from "../http/body.ts";
import { described, publicTag } from "../http/describe.ts";
import type { Clients } from "../http/request.ts";
import { allowFromAnywhere, notKept } from "../http/response.ts";
import type { Releases } from "./releases.ts";
import { Released, ReleaseRequest } from "./schema.ts";

type Services = { access: Pick<Access, "readVerification" | "verifierIn">; clients: Clients; releases: Releases };

/** The call by which a player frees a device from inside the game. */
export function createReleaseRoutes({ access, clients, releases }: Services) {
  return new Elysia({ name: "releases", prefix: "/api/verify/release", tags: [publicTag] })
    .onTransform(({ set }) => void Object.assign(set.headers, notKept))
    .options("", allowFromAnywhere("POST"), { transform: clients.admitAnyOrigin })
    .post(
      "",
      ({ request, body }) => {
        // The client may be gone before the database has been read.
        const address = clients.addressOf(request);
        return releases.release(body, () => address, access.verifierIn(request));
      },
      {
        parse: unreadBody,
        transform: [clients.admitAnyOrigin, access.readVerification],
        body: ReleaseRequest,
        detail: described({
          scope: "verify",
          id: "releaseDevice",
          summary: "Free a device of a key",
          description:
            "For the player, from inside the game: `ref` is a device's of the `release` of a DEVICE_LIMIT_REACHED verdict. `allowedAt` is when the next device may be freed.",
          example: { message: "The device was freed. The key can be used on another one.", allowedAt: null },
          unchecked: Released,
          refusals: [
            ...(["INVALID", "TOO_MANY_TRIES", "NOT_FOUND", "RELEASE_NOT_ALLOWED", "KEY_NOT_ACTIVE"] as const),
            ...(["DEVICE_NOT_FOUND", "RELEASE_TOO_SOON", "INVALID_JSON", "NOT_JSON", "BODY_TOO_LARGE"] as const),
            ...(["BUSY", "STORAGE_UNAVAILABLE"] as const),
          ],
        }),
      },
    );
}
