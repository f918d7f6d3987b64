import { exampleVerdict } from "../http/examples.ts";
import { type Call, examplePath, placeholder } from "./call.ts";
import { previewSamples } from "./preview-samples.ts";
import { verdictFields, verifyParameters } from "./verify-call.ts";

const [key, deviceId, game, ...options] = verifyParameters.map((field) => ({
  ...field,
  type: field.optional ? "string, in the query" : "string, in the path",
}));

export const previewCall: Call = {
  method: "GET",
  path: "/api/verify/{key}/{game}/{deviceId}",
  operationId: "previewKey",
  title: "Check a key",
  description:
    "Returns the same response without connecting the device. Here, valid says whether the device could use the key now: it is already connected, or a slot is free.",
  // In the order of the path.
  parameters: [key, game, deviceId, ...options].filter((field) => field !== undefined),
  request: `GET ${placeholder}/api/verify/${examplePath}`,
  response: { ...exampleVerdict, canRegister: false },
  fields: [
    ...verdictFields.map((field) =>
      field.name === "currentDevices" ? { ...field, description: "How many devices are connected." } : field,
    ),
    {
      name: "canRegister",
      type: "boolean",
      description: "Whether POST would connect this device as a new one; false once it is connected.",
    },
  ],
  failures: [400, 401, 403, 422, 429, 500, 503],
  samples: previewSamples,
};
