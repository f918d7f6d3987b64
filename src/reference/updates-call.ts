import { exampleUpdate } from "../updates/examples.ts";
import { type Call, placeholder } from "./call.ts";
import { updatesSamples } from "./updates-samples.ts";

export const updatesCall: Call = {
  method: "GET",
  path: "/api/updates",
  operationId: "listPublishedUpdates",
  title: "Read the online updates",
  description: "The announcements that are active now, newest first. An empty list when there are none.",
  parameters: [
    {
      name: "limit",
      type: "integer, in the query",
      optional: true,
      description: "1 to 200 updates. Without it all active ones come.",
    },
    {
      name: "cursor",
      type: "string, in the query",
      optional: true,
      description: "Where the next page starts: the cursor in the Link header of the page before.",
    },
    {
      name: "If-None-Match",
      type: "string, a header",
      optional: true,
      description: "The ETag of the last answer. While nothing has changed, an empty 304 comes back.",
    },
  ],
  request: `GET ${placeholder}/api/updates`,
  response: [exampleUpdate],
  fields: [
    { name: "id", type: "integer", description: "Stays the same when the update is edited." },
    { name: "title", type: "string", description: "Under 100 characters." },
    { name: "message", type: "string", description: "Under 500 characters, plain text." },
    { name: "buttonText", type: "string", optional: true, description: "What the button reads." },
    { name: "linkUrl", type: "string", optional: true, description: "Where the button leads, http or https." },
    { name: "isActive", type: "boolean", description: "Always true here." },
    { name: "createdAt", type: "string", description: "ISO 8601 in UTC." },
    { name: "updatedAt", type: "string", description: "ISO 8601 in UTC; equal to createdAt until it is edited." },
  ],
  failures: [400, 422, 500, 503],
  samples: updatesSamples,
};
