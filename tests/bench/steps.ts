/** The steps from bare Bun.serve to a verdict, in their order; a server of `servers/steps.ts` takes all of them up to one. */
export const steps = ["router", "headers", "request", "schema", "memory", "verdict", "business"] as const;
export type Step = (typeof steps)[number];

/** The verdict that a connected device is told. */
export function answerTo({
  expiresAt,
  deviceLimit,
  deviceCount,
}: {
  expiresAt: number;
  deviceLimit: number;
  deviceCount: number;
}) {
  return {
    valid: true,
    code: "VALID",
    message: "The key is valid on this device.",
    expiry: new Date(expiresAt).toISOString(),
    deviceLimit,
    currentDevices: deviceCount,
  };
}
