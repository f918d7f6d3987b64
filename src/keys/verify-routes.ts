import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { msPerMinute } from "../clock.ts";
import { described } from "../http/describe.ts";
import type { FailureShape } from "../http/errors.ts";
import { allowFromAnywhere } from "../http/preflight.ts";
import { createRateLimit } from "../rate-limit.ts";
import { Refusal } from "../refusal.ts";
import { exampleVerdict } from "./examples.ts";
import { DeviceId, GameName, KeyText, Preview, Verdict, VerifyRequest } from "./schema.ts";
import type { Verify } from "./verify.ts";

/** decisions.md 7: failed look-ups per address. A key that exists is answered however many failed before it. */
const failedLookupsMax = 20;
const failedLookupsWindowMs = 10 * msPerMinute;

const verifyPath = "/api/verify";

/** A failure here says `valid: false` too, so that a client that reads nothing else is not misled. */
export const verifyFailures: FailureShape = {
  below: verifyPath,
  shaped: (failure) => ({ valid: false, ...failure }),
};

const refusals = ["INVALID", "TOO_MANY_TRIES"] as const;

export function createVerifyRoutes(given: {
  access: Access;
  verify: Verify;
  monotonicMs: () => number;
  rateLimits: boolean;
}) {
  const { access, verify } = given;
  const failedLookups = createRateLimit({
    triesMax: failedLookupsMax,
    windowMs: failedLookupsWindowMs,
    monotonicMs: given.monotonicMs,
    enabled: given.rateLimits,
  });

  return new Elysia({ name: "verify", prefix: verifyPath, tags: ["Game clients"] })
    .use(access)
    .options("", allowFromAnywhere("POST"), { open: "anyOrigin" })
    .options("/:key/:game/:deviceId", allowFromAnywhere("GET"), { open: "anyOrigin" })
    .post("", async ({ request, body }) => counted(request, await verify.verify(body)), {
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
    .get("/:key/:game/:deviceId", async ({ request, params }) => counted(request, await verify.preview(params)), {
      open: "anyOrigin",
      params: Type.Object({ key: KeyText, game: GameName, deviceId: DeviceId }),
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

  function counted<Answer extends Verdict>(request: Request, verdict: Answer): Answer {
    const waitSeconds = verdict.code === "NOT_FOUND" ? failedLookups.take(access.addressOf(request)) : null;
    if (waitSeconds === null) return verdict;
    throw new Refusal("TOO_MANY_TRIES", "Too many unknown keys from your address. Please try again later.", {
      retryAfterSeconds: waitSeconds,
    });
  }
}
