import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Program } from "../accounts/principal.ts";
import { unreadBody } from "../http/body.ts";
import { described, publicTag } from "../http/describe.ts";
import type { FailureShape } from "../http/errors.ts";
import { exampleVerdict } from "../http/examples.ts";
import type { Clients } from "../http/request.ts";
import { allowFromAnywhere, notKept } from "../http/response.ts";
import { Preview, PreviewQuery, PreviewRequest, Verdict, VerifyRequest } from "./schema.ts";
import type { Verification } from "./verification.ts";

const previewPath = "/:key/:game/:deviceId";
const refusals = ["INVALID", "TOO_MANY_TRIES"] as const;

/** A failure here also has `valid: false`, so that a client that reads only that is not misled. */
export const verifyFailures: FailureShape = {
  below: "/api/verify",
  shaped: (failure) => ({ valid: false, ...failure }),
};

interface Services {
  access: Pick<Access, "readVerification" | "verifierIn" | "verifierOf">;
  clients: Clients;
  verification: Verification;
}

/** The two calls of game clients. POST registers the device; GET only says whether POST would. */
export function createVerifyRoutes({ access, clients, verification }: Services) {
  return new Elysia({ name: "verify", prefix: "/api/verify", tags: [publicTag] })
    .onTransform(({ set }) => void Object.assign(set.headers, notKept))
    .options("", allowFromAnywhere("POST"), { transform: clients.admitAnyOrigin })
    .options(previewPath, allowFromAnywhere("GET"), { transform: clients.admitAnyOrigin })
    .post(
      "",
      ({ request, body }) => verification.verify(body, () => clients.addressOf(request), access.verifierIn(request)),
      {
        parse: unreadBody,
        transform: [clients.admitAnyOrigin, access.readVerification],
        body: VerifyRequest,
        detail: described({
          scope: "verify",
          id: "verifyKey",
          summary: "Verify a key and register the device",
          description: "Every verdict is a 200. Repeating the call returns the same response and takes no second slot.",
          example: exampleVerdict,
          unchecked: Verdict,
          refusals: [...refusals, "INVALID_JSON", "NOT_JSON", "BODY_TOO_LARGE", "BUSY", "STORAGE_UNAVAILABLE"],
          isVerdict: true,
        }),
      },
    )
    .get(
      previewPath,
      ({ request, params, query }) => {
        const preview = (program?: Program) =>
          verification.preview({ ...params, ...query }, () => clients.addressOf(request), program);
        return access.verifierOf(request)?.then(preview) ?? preview();
      },
      {
        transform: clients.admitAnyOrigin,
        params: PreviewRequest,
        query: PreviewQuery,
        detail: described({
          scope: "verify",
          id: "previewKey",
          summary: "Check a key without registering the device",
          description: "`canRegister` says whether POST would give this device a free slot.",
          example: { ...exampleVerdict, canRegister: false },
          unchecked: Preview,
          refusals,
          isVerdict: true,
        }),
      },
    );
}
