import { publicTag } from "../http/describe.ts";
import type { Samples } from "./languages.ts";

/** How a call of the public API is described on the documentation pages. Tests hold each against the schemas and the real answers. */
export interface Call {
  method: "POST" | "GET";
  /** With its parameters in braces, as /swagger names it. */
  path: string;
  /** Its id in the document of /swagger, where it can be linked to. */
  operationId: string;
  title: string;
  description: string;
  parameters: Field[];
  /** The request as it goes over the wire, to be read and to be sent. */
  request: string;
  response: unknown;
  fields: Field[];
  /** The statuses of every other outcome. */
  failures: number[];
  samples: Samples;
}

export interface Field {
  name: string;
  /** `string`, or `string or null`; where it stands, for a parameter that is not in the body. */
  type: string;
  optional?: boolean;
  description: string;
}

/** Stands where an integrator's own address belongs. Nobody can own a name that ends so. */
export const placeholder = "https://your-domain.example";

/** Where /swagger shows a call. */
export function swaggerAddress({ operationId }: Call): string {
  return `/swagger#/${encodeURIComponent(publicTag)}/${operationId}`;
}
