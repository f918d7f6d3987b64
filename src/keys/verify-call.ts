import type { FailureShape } from "../http/errors.ts";

/** Where the two calls are that answer beside Elysia and within it. */
export const verifyPath = "/api/verify";
export const previewPath = "/:key/:game/:deviceId";

/** A failure here says `valid: false` too, so that a client that reads nothing else is not misled. */
export const verifyFailures: FailureShape = {
  below: verifyPath,
  shaped: (failure) => ({ valid: false, ...failure }),
};
