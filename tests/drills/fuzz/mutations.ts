import fc from "fast-check";

/** A request before it is encoded. */
export interface Draft {
  caller: number;
  method: string;
  parts: string[];
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
}

/** Makes one thing about a request wrong. */
export type Mutation = (draft: Draft) => Draft;

/** Texts that often cause faults. */
const nastyText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "'",
    '"; DROP TABLE accounts; --',
    "%",
    "_",
    "\\",
    "\u0000",
    "\n",
    "__proto__",
    "null",
    "NaN",
  ),
  fc.constantFrom(
    "1e309",
    "-1",
    "0",
    "../../etc/passwd",
    "..",
    "<script>alert(1)</script>",
    "2030-01-01",
    "\ud800",
    "#1",
  ),
  fc.constantFrom(
    "x".repeat(600),
    "é".repeat(200),
    "\u202e",
    "🗝",
    "1' OR '1'='1",
    "$" + "{7*7}",
    "{{7*7}}",
    "%00",
    "%2e%2e",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);

const nastyValue = fc.oneof(
  { weight: 3, arbitrary: nastyText },
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, 1, 0, -1, 2 ** 53, 0.1, 1e308, [], {}, [[]], { toString: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const otherTypes = [
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "",
  "application/json; charset=utf-16",
];
const otherHeaders: [string, string][] = [
  ["sec-fetch-site", "cross-site"],
  ["sec-fetch-site", "same-site"],
  ["origin", "https://evil.example"],
  ["origin", "null"],
  ["x-forwarded-for", "127.0.0.1, ' OR 1"],
  ["idempotency-key", "x".repeat(300)],
  ["idempotency-key", "again"],
  ["range", "bytes=0-10"],
  ["accept", "text/html"],
  ["accept-encoding", "br;q=0, *;q=0"],
  ["cookie", "session=x.y.z"],
  ["cookie", "session=; session=\u00e9; ="],
  ["authorization", "Bearer x"],
  ["x-http-method-override", "DELETE"],
  ["content-encoding", "gzip"],
  ["upgrade", "websocket"],
];

/** `names` are names of known fields. */
export function mutationOf(names: string[]): fc.Arbitrary<Mutation> {
  const place = fc.nat({ max: 20 });
  const changed = (
    body: unknown,
    n: number,
    change: (fields: [string, unknown][], at: number) => [string, unknown][],
  ) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const fields = Object.entries(body);
    return fields.length === 0 ? body : Object.fromEntries(change(fields, n % fields.length));
  };
  const wrongField = fc.tuple(place, nastyValue).map(
    ([n, value]): Mutation =>
      (draft) => {
        const body = changed(draft.body, n, (fields, at) =>
          fields.map(([name, old], index) => [name, index === at ? value : old]),
        );
        return { ...draft, body };
      },
  );
  const missingField = place.map(
    (n): Mutation =>
      (draft) => {
        return { ...draft, body: changed(draft.body, n, (fields, at) => fields.filter((_, index) => index !== at)) };
      },
  );
  const moreFields = fc
    .tuple(fc.constantFrom("role", "id", "isActive", "credits", "constructor", "resellerId", "x", ...names), nastyValue)
    .map(
      ([name, value]): Mutation =>
        (draft) => {
          const isObject = typeof draft.body === "object" && draft.body !== null;
          return { ...draft, body: isObject ? { ...(draft.body as object), [name]: value } : { [name]: value } };
        },
    );
  const otherBody = fc
    .oneof(
      nastyValue,
      fc.constantFrom("{", "[1,", '{"a":1}}', "\u0000", `{"__proto__":{"isActive":true}}`, "[".repeat(5_000)),
    )
    .map(
      (body): Mutation =>
        (draft) => ({ ...draft, body }),
    );
  const wrongPart = fc.tuple(place, nastyText).map(
    ([n, text]): Mutation =>
      (draft) => {
        return {
          ...draft,
          parts: draft.parts.map((part, index) => (index === n % draft.parts.length && index > 0 ? text : part)),
        };
      },
  );
  const wrongQuery = fc
    .tuple(
      fc.constantFrom(
        "limit",
        "cursor",
        "search",
        "q",
        "game",
        "status",
        "sort",
        "order",
        "from",
        "to",
        "format",
        "days",
        "x",
      ),
      nastyText,
    )
    .map(
      (pair): Mutation =>
        (draft) => ({ ...draft, query: [...draft.query, pair] }),
    );
  const wrongHeader = fc.constantFrom(...otherHeaders).map(
    ([name, value]): Mutation =>
      (draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } }),
  );
  const wrongType = fc.constantFrom(...otherTypes).map(
    (type): Mutation =>
      (draft) => ({ ...draft, headers: { ...draft.headers, "content-type": type } }),
  );
  const wrongMethod = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS").map(
    (method): Mutation =>
      (draft) => ({ ...draft, method }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: wrongField },
    { weight: 2, arbitrary: wrongPart },
    { weight: 2, arbitrary: wrongQuery },
    ...[missingField, moreFields, otherBody, wrongHeader, wrongType, wrongMethod],
  );
}
