import { exampleUpdate } from "../http/examples.ts";
import { type Call, placeholder } from "./call.ts";
import { updatesSamples } from "./updates-samples.ts";

export const updatesCall: Call = {
  method: "GET",
  path: "/api/updates",
  operationId: "listPublishedUpdates",
  title: "Read the online updates",
  description: "The active announcements, newest first. An empty list if there are none.",
  parameters: [
    {
      name: "limit",
      type: "integer, in the query",
      optional: true,
      description: "Updates per page, 1 to 200. Without it, all active ones are returned.",
    },
    {
      name: "cursor",
      type: "string, in the query",
      optional: true,
      description: "Where the page starts: the cursor in the previous page's Link header.",
    },
    {
      name: "If-None-Match",
      type: "string, a header",
      optional: true,
      description: "The ETag of the last response. If nothing has changed, the response is an empty 304.",
    },
  ],
  request: `GET ${placeholder}/api/updates`,
  response: [exampleUpdate],
  fields: [
    { name: "id", type: "integer", description: "Stays the same when the update is edited." },
    { name: "title", type: "string", description: "Under 100 characters." },
    { name: "message", type: "string", description: "Under 500 characters, plain text." },
    { name: "buttonText", type: "string", optional: true, description: "The button's text." },
    { name: "linkUrl", type: "string", optional: true, description: "The button's link, http or https." },
    { name: "isActive", type: "boolean", description: "Always true here." },
    { name: "createdAt", type: "string", description: "ISO 8601 in UTC." },
    { name: "updatedAt", type: "string", description: "ISO 8601 in UTC; equal to createdAt until it is edited." },
  ],
  failures: [400, 401, 403, 422, 500, 503],
  samples: updatesSamples,
};
