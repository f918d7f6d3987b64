import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, publicTag } from "../http/describe.ts";
import { allowFromAnywhere } from "../http/preflight.ts";
import { exampleVerdict } from "./examples.ts";
import { Preview, PreviewRequest, Verdict, VerifyRequest } from "./schema.ts";
import type { Verify } from "./verify.ts";
import { previewPath, verifyPath } from "./verify-call.ts";

const refusals = ["INVALID", "TOO_MANY_TRIES"] as const;

export function createVerifyRoutes({ access, verify }: { access: Access; verify: Verify }) {
  return new Elysia({ name: "verify", prefix: verifyPath, tags: [publicTag] })
    .use(access)
    .options("", allowFromAnywhere("POST"), { open: "anyOrigin" })
    .options(previewPath, allowFromAnywhere("GET"), { open: "anyOrigin" })
    .post("", ({ request, body }) => verify.verify(body, () => access.addressOf(request)), {
      open: "anyOrigin",
      body: VerifyRequest,
      response: { 200: Verdict },
      detail: described({
        id: "verifyKey",
        summary: "Is this key good on this device? Registers the device.",
        description: "Every verdict is a 200. The same device again is the same answer, and takes no second slot.",
        example: exampleVerdict,
        refusals: [...refusals, "INVALID_JSON", "NOT_JSON", "BODY_TOO_LARGE", "BUSY", "STORAGE_UNAVAILABLE"],
        isVerdict: true,
      }),
    })
    .get(previewPath, ({ request, params }) => verify.preview(params, () => access.addressOf(request)), {
      open: "anyOrigin",
      params: PreviewRequest,
      response: { 200: Preview },
      detail: described({
        id: "previewKey",
        summary: "Is this key good on this device? Registers nothing.",
        description: "`canRegister` says whether POST would give this device a free slot.",
        example: { ...exampleVerdict, canRegister: false },
        refusals,
        isVerdict: true,
      }),
    });
}
