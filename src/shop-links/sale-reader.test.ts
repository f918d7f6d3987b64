import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Refusal } from "../core/refusal.ts";
import { isSigned, readSale, type SaleRead } from "./sale-reader.ts";
import type { Terms } from "./schema.ts";

const secret = "a secret of a shop, with an é";
const body = Buffer.from('{"unique_id": "ü", "n": 1}');
const digestOf = (algorithm: string) => createHmac(algorithm, secret).update(body).digest();

describe.each(["sha256", "sha512"])("a signature of %s", (algorithm) => {
  const digest = digestOf(algorithm);
  const fits = (header: string | null, bytes: Uint8Array = body) => isSigned(header, bytes, secret, algorithm);
  const hex = digest.toString("hex");
  const base64 = digest.toString("base64");

  test.each([hex, hex.toUpperCase(), base64, base64.replace(/=+$/, "")])(
    "fits as %s, with a prefix or none",
    (header) => {
      expect([header, `sha256=${header}`, `sha512=${header}`].map((each) => fits(each))).toEqual([true, true, true]);
    },
  );

  test("is that of the bytes, not of what they mean", () => {
    expect(fits(hex, Buffer.from(JSON.stringify(JSON.parse(body.toString()))))).toBe(false);
    expect(fits(hex, Buffer.from(body.toString("latin1"), "utf8"))).toBe(false);
  });

  test("fits in no other form", () => {
    const others = [
      ...[
        null,
        "",
        " ",
        "sha256=",
        `${hex}, ${hex}`,
        `${hex},${hex}`,
        `${base64}=`,
        `=${base64}`,
        hex.slice(1),
        `${hex}0`,
      ],
      ...[
        digest.toString("latin1"),
        digest.toString("base64url"),
        `md5=${hex}`,
        `sha256=sha256=${hex}`,
        `SHA256=${hex}`,
      ],
      ...[
        "ÿ".repeat(hex.length),
        "0".repeat(16_000),
        hex.replace(/.$/, "K"),
        `${"0".repeat(hex.length - 1)}k`,
        "\u0000",
      ],
      createHmac(algorithm, "another secret of it").update(body).digest("hex"),
    ].filter((header) => header === null || (header !== base64 && header !== base64.replace(/=+$/, "")));
    expect(others.filter((header) => fits(header))).toEqual([]);
  });
});

const terms = { saleId: ["id"], quantity: null } as unknown as Terms;

/** The sale that is read, or the code and the message of the refusal. */
function read(text: string | Uint8Array, over: Partial<Terms> = {}): unknown {
  const sale: SaleRead = { saleId: null, quantity: null };
  try {
    readSale(typeof text === "string" ? Buffer.from(text) : text, { ...terms, ...over }, sale);
    return sale;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.message];
  }
}

const codeOf = (text: string | Uint8Array, over?: Partial<Terms>) => (read(text, over) as string[])[0];
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

describe("a sale id", () => {
  test.each([
    ['{"id": "INV-1"}', "INV-1"],
    ['{"id": "a:b"}', "a:b"],
    ['{"id": 0}', "0"],
    ['{"id": 9007199254740991}', "9007199254740991"],
    ['{"id": 5.0}', "5"],
    ['{"x": {"id": 2}, "id": 1}', "1"],
    [`{"id": "${"é".repeat(100)}"}`, "é".repeat(100)],
    ['{"__proto__": {"id": "no"}, "id": "yes"}', "yes"],
  ])("of %s is %s", (text, saleId) => {
    expect(read(text)).toEqual({ saleId, quantity: 1 });
  });

  test.each([
    ...[
      '{"id": 9007199254740992}',
      '{"id": 9007199254740993}',
      '{"id": 9007199254740990.6}',
      '{"id": 1.00000000000000000001}',
    ],
    ...['{"id": -1}', '{"id": -0}', '{"id": 1.5}', '{"id": 1e3}', '{"id": 1e400}', '{"id": null}', '{"id": true}'],
    ...['{"id": ""}', '{"id": " "}', '{"id": "a b"}', '{"id": "a\\u200bb"}', '{"id": "\\u0000"}', '{"id": "\\ud800"}'],
    ...['{"id": {}}', '{"id": ["a"]}', "{}", "[]", '"id"', "null", "1", '["a"]', `{"id": "${"a".repeat(101)}"}`],
    '{"__proto__": {"id": "no"}}',
  ])("is not in %s", (text) => {
    expect(read(text)).toEqual(["INVALID", expect.stringContaining(" at id.")]);
  });

  test("of several paths is joined by colons, which none of them holds", () => {
    const saleId = ["order.id", "item.id"];
    expect(read('{"order": {"id": 7}, "item": {"id": "x"}}', { saleId })).toEqual({ saleId: "7:x", quantity: 1 });
    const message = "The body has no sale id at item.id.";
    for (const item of ['{"id": "x:y"}', '{"id": ""}', "{}", "[7]", '"x"'])
      expect(read(`{"order": {"id": 7}, "item": ${item}}`, { saleId })).toEqual(["INVALID", message]);
  });

  test.each(["constructor", "toString.name", "length", "a.length", "0", "hasOwnProperty"])(
    "is not at %s, which no body names",
    (path) => {
      expect(codeOf('{"a": "text", "b": []}', { saleId: [path] })).toBe("INVALID");
      expect(codeOf('["a"]', { saleId: [path] })).toBe("INVALID");
    },
  );
});

test.each([
  ["1", 1],
  ['"1"', 1],
  ['"007"', 7],
  ["2.0", 2],
  ["1000", 1_000],
])("a quantity may be %s", (quantity, read_) => {
  expect(read(`{"id": "a", "n": ${quantity}}`, { quantity: "n" })).toEqual({ saleId: "a", quantity: read_ });
});

test.each([
  "0",
  "-1",
  "1.5",
  '"0"',
  '"000"',
  '"1000"',
  '"1.0"',
  '" 1"',
  '"x"',
  '""',
  "null",
  "true",
  "[1]",
  "{}",
  "1e2",
])("a quantity is not %s", (quantity) => {
  const message = "The body has no quantity of at least 1 at n.";
  expect(read(`{"id": "a", "n": ${quantity}}`, { quantity: "n" })).toEqual(["INVALID", message]);
});

test("a body is nested at most 32 deep, wherever, and brackets of texts do not count", () => {
  expect(read(`{"id": "a", "x": ${deep(31)}}`)).toMatchObject({ saleId: "a" });
  expect(read(`{"id": "a", "x": "${"[{".repeat(1_000)}"}`)).toMatchObject({ saleId: "a" });
  expect(read(`{"id": "a", "x": ["\\\\", "\\"${"[".repeat(40)}", ${"[],".repeat(40)} ${deep(30)}]}`)).toMatchObject({
    saleId: "a",
  });
  for (const levels of [32, 1_000, 32_000])
    expect(read(`{"id": "a", "x": ${deep(levels)}}`)).toEqual(["INVALID", "The body must be nested at most 32 deep."]);
});

test.each(["", "{", "{'id': 1}", '{"id": 01}', '{"id": "a"} x', "\ufeff\ufeff{}", '{"id": NaN}'])(
  "%s is not JSON",
  (text) => {
    expect(codeOf(text)).toBe("INVALID_JSON");
  },
);

test("what is not UTF-8 is not JSON", () => {
  expect(codeOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe("INVALID_JSON");
});
