import { exampleVerdict } from "../keys/examples.ts";
import { type Call, placeholder } from "./call.ts";
import { exampleRequest, verdictFields, verifyParameters } from "./verify-call.ts";

const [key, deviceId, game] = verifyParameters.map((field) => ({ ...field, type: "string, in the path" }));

export const previewCall: Call = {
  method: "GET",
  path: "/api/verify/{key}/{game}/{deviceId}",
  title: "Look at a key",
  description:
    "Gives the same answer without connecting the device. Here valid says whether the device could use the key now: it is connected already, or there is room for it.",
  // In the order of the path.
  parameters: [key, game, deviceId].filter((field) => field !== undefined),
  request: `GET ${placeholder}/api/verify/${pathOf(exampleRequest)}`,
  response: { ...exampleVerdict, canRegister: false },
  fields: [
    ...verdictFields.map((field) =>
      field.name === "currentDevices" ? { ...field, description: "How many devices are connected." } : field,
    ),
    {
      name: "canRegister",
      type: "boolean",
      description: "Whether POST would connect this device as a new one. false once it is connected.",
    },
  ],
  failures: [422, 429, 500],
  sample: `const API_URL = "${placeholder}";

async function previewKey(key, game, deviceId) {
  const path = [key, game, deviceId].map(encodeURIComponent).join("/");
  const response = await fetch(\`\${API_URL}/api/verify/\${path}\`);
  const answer = await response.json();
  // Every verdict is a 200; anything else is no verdict.
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(answer.message), { status });
  }
  return answer;
}

const answer = await previewKey(
  "${exampleRequest.key}",
  "${exampleRequest.game}",
  "${exampleRequest.deviceId}",
);
console.log(answer.canRegister ? "This device can be added." : answer.message);`,
};

function pathOf(asked: typeof exampleRequest): string {
  return [asked.key, asked.game, asked.deviceId].map(encodeURIComponent).join("/");
}
