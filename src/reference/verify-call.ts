import { exampleVerdict } from "../keys/examples.ts";
import { type Call, type Field, placeholder } from "./call.ts";

export const exampleRequest = {
  key: "PBGM-A1B2C-D3E4F-G5H6I",
  deviceId: "a3f1c9d2-phone",
  game: "PUBG MOBILE",
};

/** The three things that both forms of the call are told. The second game is called LAST ISLAND here (rules.md: Games). */
export const verifyParameters: Field[] = [
  {
    name: "key",
    type: "string",
    description: "The license key as the player typed it. Upper or lower case makes no difference.",
  },
  {
    name: "deviceId",
    type: "string",
    description: "1 to 128 visible characters without spaces, the same at every start on this device.",
  },
  { name: "game", type: "string", description: "PUBG MOBILE, LAST ISLAND or FREE FIRE." },
];

export const verdictFields: Field[] = [
  { name: "valid", type: "boolean", description: "Whether this device may use the key." },
  {
    name: "code",
    type: "string",
    description: "VALID, NOT_FOUND, REVOKED, EXPIRED or DEVICE_LIMIT_REACHED. It is stable: decide by it.",
  },
  { name: "message", type: "string", description: "The same in a sentence for people. Its words may change." },
  {
    name: "expiry",
    type: "string or null",
    description: "When the key ends, ISO 8601 in UTC. null for an unknown key.",
  },
  {
    name: "deviceLimit",
    type: "integer or null",
    description: "How many devices the key allows. The panel shows 100 as Unlimited.",
  },
  {
    name: "currentDevices",
    type: "integer or null",
    description: "How many devices are connected; after VALID this one is among them.",
  },
];

export const verifyCall: Call = {
  method: "POST",
  path: "/api/verify",
  title: "Verify a key",
  description:
    "Says whether the key is good on this device, and connects the device if there is room. The same device again gets the same answer and takes no second place.",
  parameters: verifyParameters,
  request: `POST ${placeholder}/api/verify
Content-Type: application/json

${JSON.stringify(exampleRequest, null, 2)}`,
  response: exampleVerdict,
  fields: verdictFields,
  failures: [400, 413, 415, 422, 429, 500, 503],
  sample: `const API_URL = "${placeholder}";

async function verifyKey(key, game, deviceId) {
  const response = await fetch(\`\${API_URL}/api/verify\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, deviceId, game }),
  });
  const answer = await response.json();
  // Every verdict is a 200; anything else is no verdict.
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(answer.message), { status });
  }
  return answer;
}

const answer = await verifyKey(
  "${exampleRequest.key}",
  "${exampleRequest.game}",
  "${exampleRequest.deviceId}",
);
console.log(answer.valid ? "Welcome!" : answer.message);`,
};
