import { publicTag } from "../http/describe.ts";
import type { VerdictCode } from "../verify/schema.ts";

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

/** The languages that the samples are written in, in the order of their tabs. */
export const languages = {
  curl: "cURL",
  javascript: "JavaScript",
  kotlin: "Kotlin",
  swift: "Swift",
  csharp: "C#",
  cpp: "C++",
} as const;

export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as Language[];

/** A call in each of them, as a program that can be copied whole. */
export type Samples = Record<Language, string>;

/** What a client does with each verdict, in the order in which the server checks them (rules.md: Verdicts). */
export const verdictOutcomes: Record<VerdictCode, string> = {
  VALID: "Let the player in.",
  NOT_FOUND: "No such key for this game. Ask the player to check what was typed.",
  REVOKED: "The key was taken back for good. Send the player to whoever sold it.",
  EXPIRED: "The key has run out. Offer a new one.",
  DEVICE_LIMIT_REACHED: "The key is in use on as many devices as it allows. The seller can remove one.",
};

interface FailureOutcome {
  statuses: number[];
  what: string;
}

/** What a client does when no verdict came. */
export const failureOutcomes: FailureOutcome[] = [
  { statuses: [400, 413, 415, 422], what: "The request is malformed. Do not retry; message says what is wrong." },
  { statuses: [429], what: "Too many unknown keys from this address. Wait as many seconds as Retry-After says." },
  { statuses: [500, 503], what: "The server has trouble. Retry after 1 s, then 2 s, then 4 s." },
];
