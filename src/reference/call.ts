import { publicTag } from "../http/describe.ts";
import type { VerdictCode } from "../verify/schema.ts";

/**
 * A call of the public API, as the documentation pages describe it. Tests compare each with the schemas and the real
 * responses.
 */
export interface Call {
  method: "POST" | "GET";
  /** With its parameters in braces, as in /swagger. */
  path: string;
  /** Its id in the document of /swagger, for links. */
  operationId: string;
  title: string;
  description: string;
  parameters: Field[];
  /** The request as it is sent. */
  request: string;
  response: unknown;
  fields: Field[];
  /** The statuses of all other outcomes. */
  failures: number[];
  samples: Samples;
}

export interface Field {
  name: string;
  /** `string` or `string or null`, and where a parameter is, if it is not in the body. */
  type: string;
  optional?: boolean;
  description: string;
}

/** The place of an integrator's own address. The ending is reserved, so it belongs to no one. */
export const placeholder = "https://your-domain.example";

/** The beginning of the class in each C# sample. */
export const csharpHead = `public static class Latchkey
{
    const string ApiUrl = "${placeholder}";

    static readonly HttpClient Http = new HttpClient
    {
        Timeout = TimeSpan.FromSeconds(10)
    };`;

/** The beginning of each C++ sample. */
export const cppHead = `// C++17, with libcurl and nlohmann/json.
#include <curl/curl.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

using nlohmann::json;

const std::string apiUrl = "${placeholder}";

size_t append(char* data, size_t size, size_t count, void* text) {
  static_cast<std::string*>(text)->append(data, size * count);
  return size * count;
}`;

/** What a verification throws for a response that is no verdict, in the languages that need a type for it. */
export const noVerdict = {
  kotlin: `// Offline means another IOException, or a status of 500 and above.
class NoVerdict(val status: Int, val retryAfter: Long?, text: String) :
  IOException(text)`,

  swift: `// Offline means another error, or a status of 500 and above.
struct NoVerdict: Error { let status: Int, retryAfter: Int?, text: String }`,

  csharp: `// Offline means another exception, or a Status of 500 and above.
public class NoVerdict : Exception
{
    public int Status;
    public TimeSpan? RetryAfter;
    public string Text;
}`,

  cpp: `// Offline means a status of 0 (no response), or of 500 and above.
struct NoVerdict {
  long status;
  curl_off_t retryAfter;
  std::string text;
};`,
};

/** The address of a call in /swagger. */
export function swaggerAddress({ operationId }: Call): string {
  return `/swagger#/${encodeURIComponent(publicTag)}/${operationId}`;
}

/** The request in the examples of both forms of verification. */
export const exampleRequest = {
  key: "PBGM-A1B2C-D3E4F-G5H6I",
  deviceId: "a3f1c9d2-phone",
  game: "PUBG MOBILE",
};

/** The same in a path, whose parts have another order. */
export const examplePath = [exampleRequest.key, exampleRequest.game, exampleRequest.deviceId]
  .map(encodeURIComponent)
  .join("/");

/** The languages of the samples, in the order of their tabs. */
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

/** The language that a cookie names, which may hold anything; JavaScript if it names none. */
export function languageIn(cookie: string | null): Language {
  return languageIds.find((id) => id === cookie) ?? "javascript";
}

/** A call in each language, as a program that can be copied whole. */
export type Samples = Record<Language, string>;

/** What a client does with each verdict, in the order in which the server checks them (rules.md: Verdicts). */
export const verdictOutcomes: Record<VerdictCode, string> = {
  VALID: "Let the player in.",
  NOT_FOUND: "There is no such key for this game. Ask the player to check for typos.",
  REVOKED: "The key was revoked for good. Refer the player to the seller.",
  PAUSED: "The key is paused, and loses no time meanwhile. Refer the player to the seller.",
  EXPIRED: "The key has expired. Refer the player to the seller.",
  MAINTENANCE: "The game is under maintenance; `message` says more. Nothing is registered.",
  UPDATE_REQUIRED: "The game's `version` is lower than the minimum. Show `message`, and send the player to the update.",
  DEVICE_LIMIT_REACHED:
    "The key is already on as many devices as it allows. Offer to free one of `release`, or refer the player to /k or the seller.",
  DEVICE_BLOCKED: "The device is blocked for this key. Refer the player to the seller.",
};

/** What a client does without a verdict. */
export const failureOutcomes = [
  { statuses: [400, 413, 415, 422], what: "The request is malformed. Do not retry; message says what is wrong." },
  { statuses: [401, 403], what: "Only with an API key, which is refused. Call without it." },
  {
    statuses: [429],
    what: "Too many unknown keys, or new devices of this key, from this address. Wait as long as Retry-After says.",
  },
  {
    statuses: [500, 503],
    what: "The server has a problem. Retry after as long as Retry-After says, or else after a random wait of up to 1 s, then 2 s, then 4 s. Only this and no response count as offline.",
  },
];
