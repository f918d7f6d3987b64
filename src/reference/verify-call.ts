import { exampleVerdict } from "../http/examples.ts";
import { type Call, exampleRequest, type Field, placeholder } from "./call.ts";
import { verifySamples } from "./verify-samples.ts";

/** The parameters of both forms of the call. The second game is called LAST ISLAND here (rules.md: Games). */
export const verifyParameters: Field[] = [
  {
    name: "key",
    type: "string",
    description: "The license key as the player typed it. Case does not matter.",
  },
  {
    name: "deviceId",
    type: "string",
    description:
      "1 to 128 visible characters without spaces, the same at every start on this device and after a reinstall. The integration guide says how to make one.",
  },
  {
    name: "game",
    type: "string",
    description: "A game's name or alias, such as PUBG MOBILE, LAST ISLAND or FREE FIRE.",
  },
  {
    name: "version",
    type: "string or null",
    optional: true,
    description: "The version of the game, such as 1.12.3. Send it if the game may require a minimum version.",
  },
  {
    name: "deviceName",
    type: "string or null",
    optional: true,
    description:
      "What people call the device, such as Pixel 8. It is never a reason to refuse; 64 characters are kept.",
  },
  { name: "lang", type: "string or null", optional: true, description: "The player's language, such as pt-BR." },
  {
    name: "nonce",
    type: "string",
    optional: true,
    description: "16 new random bytes as base64url, 22 characters. With it the response carries a proof.",
  },
];

export const verdictFields: Field[] = [
  { name: "valid", type: "boolean", description: "Whether this device may use the key." },
  {
    name: "code",
    type: "string",
    description:
      "VALID, NOT_FOUND, MAINTENANCE, UPDATE_REQUIRED, REVOKED, PAUSED, EXPIRED or DEVICE_LIMIT_REACHED. It is stable: decide by it, not by the message.",
  },
  { name: "message", type: "string", description: "The same as a sentence for people. The wording may change." },
  {
    name: "expiry",
    type: "string or null",
    description:
      "When the key expires, ISO 8601 in UTC. null for an unknown or paused key, and before a key starts at first use.",
  },
  {
    name: "deviceLimit",
    type: "integer or null",
    description: "How many devices the key allows. The panel shows 100 as Unlimited.",
  },
  {
    name: "currentDevices",
    type: "integer or null",
    description: "How many devices are connected, after VALID including this one.",
  },
  {
    name: "release",
    type: "object or null",
    description:
      "With DEVICE_LIMIT_REACHED: the devices that the player can free with POST /api/verify/release, and from when on.",
  },
  {
    name: "proof",
    type: "string",
    optional: true,
    description: "Only if a nonce was sent: the verdict, signed for this key, game, device and nonce.",
  },
];

export const verifyCall: Call = {
  method: "POST",
  path: "/api/verify",
  operationId: "verifyKey",
  title: "Verify a key",
  description:
    "Says whether the key is valid on this device, and connects the device if a slot is free, which starts a key that begins at first use. Repeating the call returns the same response and takes no second slot.",
  parameters: verifyParameters,
  request: `POST ${placeholder}/api/verify
Content-Type: application/json

${JSON.stringify(exampleRequest, null, 2)}`,
  response: exampleVerdict,
  fields: verdictFields,
  failures: [400, 401, 403, 413, 415, 422, 429, 500, 503],
  samples: verifySamples,
};
