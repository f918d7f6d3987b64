import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { msPerDay, msPerHour } from "../../core/clock.ts";
import { untilStarted } from "../../core/key-time.ts";
import { Refusal } from "../../core/refusal.ts";
import type { ImportedKey, ReadLine } from "./imported-key.ts";
import { type ReadOptions, readKeys, replacementOf } from "./read.ts";

const now = Date.UTC(2026, 10, 27, 12);
const head = "key,game,expires,";

async function* inPieces(file: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(file: string | Uint8Array, options: Partial<ReadOptions> = {}): Promise<ReadLine[]> {
  return Array.fromAsync(readKeys(inPieces(file), { now, ...options }));
}

/** The key of a file with one line, by its columns. */
async function keyOf(columns: Record<string, unknown>, options: Partial<ReadOptions> = {}): Promise<ImportedKey> {
  const [line] = await read(
    JSON.stringify({ key: "KEY-1", game: "PUBG MOBILE", expires: "2027-01-01", ...columns }),
    options,
  );
  if (!line || "problem" in line) throw new Error(line?.problem ?? "no line");
  return line;
}

async function problemOf(columns: Record<string, unknown>): Promise<string> {
  const [line] = await read(JSON.stringify({ key: "KEY-1", game: "PUBG MOBILE", expires: "2027-01-01", ...columns }));
  return line && "problem" in line ? line.problem : "none";
}

async function refusalOf(file: string | Uint8Array, options: Partial<ReadOptions> = {}): Promise<string> {
  const refusal = await read(file, options).catch((error) => error);
  return refusal instanceof Refusal && refusal.code === "INVALID" ? refusal.message : `${refusal}`;
}

/** What a test says about each line: the key's text, or the problem. */
function short(lines: ReadLine[]) {
  return lines.map((line) => [line.line, "problem" in line ? line.problem : line.text]);
}

describe("a file", () => {
  const columns =
    "key,game,created,expires,duration_hours,starts,started,paused_at,revoked,device_limit,status,owner,note,devices";
  const cells =
    'AbC-1,PUBG MOBILE,2026-01-02T03:04:05.006Z,2026-12-31,720,first_use,2026-01-03T00:00:00Z,2026-02-01T00:00:00Z,2026-03-01T00:00:00Z,3,REVOKED,night.owl,"For, ""the"" tournament",phone-1 phone-2';
  const key: ImportedKey = {
    ...{ line: 2, text: "AbC-1", normalForm: "abc-1", game: "PUBG MOBILE", owner: "night.owl" },
    ...{ createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6), startsAtFirstUse: true, startedAt: Date.UTC(2026, 0, 3) },
    ...{ expiresAt: Date.UTC(2027, 0, 1) - 1, durationHours: 720, deviceLimit: 3 },
    ...{ pausedAt: Date.UTC(2026, 1, 1), revokedAt: Date.UTC(2026, 2, 1) },
    ...{ note: 'For, "the" tournament', devices: ["phone-1", "phone-2"] },
  };

  test("is CSV with commas, semicolons or tabs, with or without a byte order mark, with any line break", async () => {
    const divided = (by: string) => `${columns}\r\n${cells}\r\n`.replaceAll(",", by).replace(`For${by}`, "For,");
    expect(await read(`${columns}\n${cells}\n`)).toEqual([key]);
    expect(await read(`\uFEFF${columns}\r\n${cells}`)).toEqual([key]);
    expect(await read(divided(";"))).toEqual([key]);
    expect(await read(divided("\t"))).toEqual([key]);
  });

  test("may name its separator in a line before its head", async () => {
    for (const first of ["sep=;\r\n", "\uFEFFSEP=;\n", '"sep=;"\n']) {
      const file = `${first}key;game,name;expires;game\nK1;x;2027-01-01;G\n`;
      expect(await read(file)).toMatchObject([{ line: 3, text: "K1", game: "G" }]);
    }
    for (const by of [",", "\t", "|"]) {
      expect(await read(`sep=${by}\n${`${head}note\nK1,G,2027-01-01,a;b;c\n`.replaceAll(",", by)}`)).toMatchObject([
        { line: 3, text: "K1", note: "a;b;c" },
      ]);
    }
  });

  test("may end its lines with CR alone, as on old Macs, and CR and LF together end one line", async () => {
    const file = `${head}note|K1,G,2027-01-01,"a|b"||K2,G,2027-01-01,|`;
    for (const lineBreak of ["\r", "\n", "\r\n"]) {
      const bytes = new TextEncoder().encode(file.replaceAll("|", lineBreak));
      for (const size of [1, 7, 1_000]) {
        const lines = await Array.fromAsync(readKeys(inPieces(bytes, size), { now }));
        expect(lines).toMatchObject([
          { line: 2, text: "K1", note: "a b" },
          { line: 5, text: "K2" },
        ]);
      }
    }
    const objects = '{"key":"K1","game":"G","expires":"2027-01-01"}';
    expect(short(await read(`${objects}\r${objects}`))).toEqual([
      [1, "K1"],
      [2, "K1"],
    ]);
  });

  test("is JSON with one object a line, or one array", async () => {
    const names = columns.split(",");
    const values = [
      ...["AbC-1", "PUBG MOBILE", "2026-01-02T03:04:05.006Z", "2026-12-31", 720, "first_use", "2026-01-03T00:00:00Z"],
      ...["2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", 3, "REVOKED", "night.owl", 'For, "the" tournament'],
      ["phone-1", "phone-2"],
    ];
    const object = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const text = JSON.stringify(object);
    expect(await read(`${text}\n\n${text}\r\n`)).toEqual([
      { ...key, line: 1 },
      { ...key, line: 3 },
    ]);
    expect(await read(`\uFEFF[${text},\n ${JSON.stringify(object, null, 2)}]\n`)).toEqual([
      { ...key, line: 1 },
      { ...key, line: 2 },
    ]);
  });

  test("may break a quoted cell into lines, and has blank lines; each row has the number of its first line", async () => {
    const lines = await read(`key,game,expires,note\n\nK1,G,2027-01-01,"one\ntwo"\n"K2",G,2027-01-01,"a ""b"" c"\n\n`);
    expect(lines).toMatchObject([
      { line: 3, text: "K1", note: "one two" },
      { line: 5, text: "K2", note: 'a "b" c' },
    ]);
  });

  test("has columns with synonyms, regardless of case, spaces and underscores; other columns are passed over", async () => {
    const synonyms = [
      ["license_key", "product", "creation_date", "expiry_date", "max_devices", "reseller", "comment", "hwid"],
      ["LICENCE", "App", "Created At", "Expiration", "Activations Limit", "UserName", "NOTES", "deviceids"],
      ["serial", "g a m e", "created", "EXPIRY", "devicelimit", "owner", "note", "device_ids"],
      ["Code", "GAME", "created_at", "expires_at", "Device_Limit", "OWNER", "Note", "Devices"],
      ["license", "game", "created", "expires", "device limit", "owner", "note", "devices"],
    ];
    for (const names of synonyms) {
      const file = `Order,${names.join()}\n7,K1,G,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,2,night.owl,Hello,d1`;
      expect(await read(file)).toMatchObject([
        { text: "K1", game: "G", deviceLimit: 2, owner: "night.owl", note: "Hello", devices: ["d1"] },
      ]);
    }
  });

  test("may have its columns mapped, which wins over their names", async () => {
    const file = "Key,Serial No.,Title,Until\nwrong,K1,G,2027-01-01";
    const map = { key: "serial no.", game: "Title", expires: "UNTIL" };
    expect(await read(file, { map })).toMatchObject([{ text: "K1", game: "G", expiresAt: Date.UTC(2027, 0, 2) - 1 }]);
    expect(await refusalOf(file, { map: { key: "Nothing" } })).toBe("The file has no column Nothing.");
    expect(await refusalOf(file, { map: { sold: "Key" } })).toStartWith("There is no column sold to map to.");
  });

  test("may have a column left out", async () => {
    const file = "key,game,expires,status\nK1,CHESS,2027-01-01,sold\n";
    expect(short(await read(file))).toEqual([[2, "status must be ACTIVE, PAUSED, EXPIRED or REVOKED."]]);
    expect(short(await read(file, { map: { status: "" } }))).toEqual([[2, "K1"]]);
    expect(await refusalOf(file, { map: { key: "" } })).toStartWith("No column is named key.");
  });

  test("may have games and owners that are called otherwise here, whatever their case", async () => {
    const file = "key,game,expires,owner\nK1,pubg,2027-01-01,OWL\nK2,Chess: 3D,2027-01-01,\nK3,,2027-01-01,\n";
    const values = ["game:PUBG=PUBG MOBILE", "owner:owl=night.owl", "game:Chess: 3D = Chess = 3D", "game:x="];
    const lines = await read(file, { game: "FREE FIRE", replacements: values.map(replacementOf) });
    expect(lines).toMatchObject([
      { game: "PUBG MOBILE", owner: "night.owl" },
      { game: "Chess = 3D", owner: null },
      { game: "FREE FIRE" },
    ]);
    for (const value of ["key:a=b", "game:a", "game=a:b"]) expect(() => replacementOf(value)).toThrow("value must be");
  });

  test("may leave out the game and the owner", async () => {
    const file = "key,expires,owner,game\nK1,2027-01-01,,\nK2,2027-01-01,night.owl,G";
    expect(await read(file, { game: "PUBG MOBILE", owner: "day.owl" })).toMatchObject([
      { game: "PUBG MOBILE", owner: "day.owl" },
      { game: "G", owner: "night.owl" },
    ]);
    expect(await read(file)).toMatchObject([{ problem: "The game is missing." }, { owner: "night.owl" }]);
  });

  test("is refused if nothing in it can be read", async () => {
    const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));
    expect(await refusalOf("")).toBe("The file is empty.");
    for (const file of [head, `${head}\n\n`, `sep=,\n${head}`, "[]", "[\n]\n"]) {
      expect(await refusalOf(file)).toBe("The file has no keys.");
    }
    expect(await refusalOf("\n \n", { format: "ndjson" })).toBe("The file has no keys.");
    for (const file of ["serial number,game\nK1,G", "OLD-7K2M,G,2099-01-31\nOLD-2,G,2099-01-31", "OLD-1\rOLD-2\r"]) {
      expect(await refusalOf(file)).toBe(
        "No column is named key. Say which one holds the keys: key=Column. If the first line is a key already, put one above it that names the columns.",
      );
    }
    expect(await refusalOf(utf16(`\uFEFF${head}\nK1`))).toBe("This file is UTF-16. Save it as UTF-8.");
    expect(await refusalOf(utf16(`${head}\nK1`))).toBe("This file is UTF-16. Save it as UTF-8.");
    expect(await refusalOf("PK\x03\x04…")).toBe("This is a spreadsheet or an archive. Save it as CSV.");
    expect(await refusalOf(`key\0,game\nK1,G`)).toStartWith("The first line cannot be read.");
    expect(await refusalOf("k".repeat(70_000))).toStartWith(
      "The first line cannot be read. This is longer than 64 KiB.",
    );
  });
});

describe("a line that cannot be read", () => {
  test("does not keep the others from being read", async () => {
    const bytes = Buffer.concat([
      Buffer.from("key,game,expires,note\nK1,G,2027-01-01,\nK2,G,2027-01-01,a\0b\nK3,G,2027-01-01,caf"),
      Buffer.from([0xe9, 0x0a]),
      Buffer.from(`K4,G,2027-01-01,${"x".repeat(70_000)}\nK5,G,2027-01-01,,,extra\nK6,G,2027-01-01,,,\nK7,G`),
    ]);
    expect(short(await read(bytes))).toEqual([
      [2, "K1"],
      [3, "This contains a NUL character."],
      [4, "This is not UTF-8. Save the file as UTF-8."],
      [5, "This is longer than 64 KiB. Is a quote or a line break missing?"],
      [6, "This has 6 cells, but the first line has 4."],
      [7, "K6"],
      [8, "Both expires and duration_hours are missing."],
    ]);
  });

  test("may have a quote that is never closed, at whatever distance the file ends", async () => {
    const file = (lines: number) => `key,game,expires\n"K1,G,2027-01-01\n${"K2,G,2027-01-01\n".repeat(lines)}`;
    for (const lines of [1, 3, 6_000]) {
      const found = await read(file(lines));
      expect(found).toHaveLength(lines + 1);
      expect(found[0]).toMatchObject({ line: 2, problem: "A quote in this line is never closed." });
      expect(found.at(-1)).toMatchObject({ line: lines + 2, text: "K2" });
    }
    const blank = await read(`key,game,expires\n"K1${"\n".repeat(70_000)}"K2",G,2027-01-01`);
    expect(short(blank)).toEqual([
      [2, "A quote in this line is never closed."],
      [70_002, "K2"],
    ]);
  });

  test("may be no JSON object", async () => {
    const good = '{"key":"K1","game":"G","expires":"2027-01-01"}';
    const file = `{"key":"K0\n[1]\n${good}\n"text"\n{"key":{"a":1}}\n`;
    expect(short(await read(file, { format: "ndjson" }))).toEqual([
      [1, "This is not a JSON object."],
      [2, "This is not a JSON object."],
      [3, "K1"],
      [4, "This is not a JSON object."],
      [5, "key must be a text, a number or a list of texts."],
    ]);
    const tail = `[${good},{"key":"${"}".repeat(70_000)}"},${good},{"key":"K3"`;
    expect(short(await read(tail))).toEqual([
      [1, "K1"],
      [2, "This is longer than 64 KiB. Is a quote or a line break missing?"],
      [3, "K1"],
      [4, "This is not a JSON object."],
    ]);
  });

  test("may be longer than memory", async () => {
    const piece = new Uint8Array(1_000_000).fill(120);
    let largest = 0;
    async function* hugeFile() {
      yield new TextEncoder().encode("key,game,expires\nK1,G,2027-01-01\n");
      for (let count = 0; count < 500; count += 1) {
        yield piece;
        largest = Math.max(largest, process.memoryUsage().arrayBuffers);
      }
      yield new TextEncoder().encode("\nK3,G,2027-01-01\n");
    }
    const before = process.memoryUsage().arrayBuffers;
    const lines = await Array.fromAsync(readKeys(hugeFile(), { now }));
    expect(short(lines).map(([line]) => line)).toEqual([2, 3, 4]);
    expect(largest - before).toBeLessThan(50_000_000);
  });
});

/** Calls of the reader that pass over a whole text or list, or over a part of it. */
const passing = [
  [String.prototype, ["slice", "indexOf", "replace", "replaceAll", "trim", "split", "normalize", "toLowerCase"]],
  [Array.prototype, ["slice", "splice", "shift", "indexOf", "includes", "join"]],
  [RegExp.prototype, ["test"]],
] as const;

/** Counts the characters and elements that the reader passes over, one more for each call. */
async function stepsOf(read: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const originals = passing.flatMap(([prototype, names]) =>
    names.map((name) => {
      const called = Reflect.get(prototype, name) as (...given: unknown[]) => unknown;
      const counted = function (this: { length?: number }, ...given: [string, ...unknown[]]) {
        const result = called.apply(this, given);
        const length = this.length ?? given[0].length;
        const from = name === "indexOf" ? Number(given[1] ?? 0) : 0;
        const to = name === "indexOf" && result !== -1 ? Number(result) : length;
        steps += 1 + (name === "slice" ? (result as string).length : to - from);
        return result;
      };
      Object.defineProperty(prototype, name, { value: counted, writable: true, configurable: true });
      return () => Object.defineProperty(prototype, name, { value: called, writable: true, configurable: true });
    }),
  );
  await read().finally(() => {
    for (const restore of originals) restore();
  });
  return steps;
}

describe("the work of the reader", () => {
  const bytes = 16_384;
  const stepsPerByteMax = 100;
  const filled = (line: string) => `key,game,expires,devices\n${line.repeat(bytes / line.length)}`;
  const stepsPerByte = async (file: string) => (await stepsOf(() => read(file).catch(() => {}))) / file.length;

  test("is linear in bytes where each line opens a quote, which the line before it does not close", async () => {
    const lines = await read(filled('a","b\n'));
    expect(lines.at(-1)).toMatchObject({ problem: "A quote in this line is never closed." });
    expect(await stepsPerByte(filled('a","b\n'))).toBeLessThan(stepsPerByteMax);
  });

  test("is linear in bytes for every file", async () => {
    const parts = [
      '"',
      '""',
      'a","b',
      '"a',
      ",",
      ";",
      "\t",
      "\n",
      "\r",
      " ",
      "K1",
      "{",
      "}",
      "[",
      "]",
      '{"key":',
      "\\",
      "\0",
    ];
    const anyLine = fc.string({
      unit: fc.constantFrom(...parts, "ﷺ", "sep=;\n", "2027-01-01"),
      minLength: 1,
      maxLength: 9,
    });
    const whole = fc.tuple(fc.constantFrom("", "[", '{"keys":['), anyLine).map(([start, line]) => start + filled(line));
    const file = fc.oneof(anyLine.map(filled), whole);
    await fc.assert(
      fc.asyncProperty(file, async (text) => expect(await stepsPerByte(text)).toBeLessThan(stepsPerByteMax)),
      { numRuns: 100 },
    );
  });

  test("normalises no text of a cell that is too long for a key or a name", async () => {
    const normalize = spyOn(String.prototype, "normalize");
    const long = "ﷺ".repeat(10_000);
    const [wrong, unknown] = await read(`${head}owner\n${long},G,2027-01-01,\nK1,${long},2027-01-01,${long}\n`);
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
    expect(wrong).toMatchObject({
      key: `${long.slice(0, 128)}…`,
      problem: expect.stringContaining("1 to 128 visible"),
    });
    expect(unknown).toMatchObject({ game: long.slice(0, 64), owner: long.slice(0, 64) });
  });

  test("lets other work run after each few milliseconds", async () => {
    let nowMs = 0;
    const clock = spyOn(performance, "now").mockImplementation(() => nowMs++);
    let turns = 0;
    const takeTurn = () => {
      turns += 1;
      next = setImmediate(takeTurn);
    };
    let next = setImmediate(takeTurn);
    const lines = await Array.fromAsync(readKeys(inPieces(filled("K1,G,2027-01-01\n"), bytes * 2), { now }));
    clearImmediate(next);
    clock.mockRestore();
    expect(turns).toBeGreaterThanOrEqual(lines.length / 10);
  });
});

describe("a key text", () => {
  test("is taken as it is", async () => {
    for (const key of ["=1+1", "ключ", "a", "ＡＢＣ", "k".repeat(128)]) expect((await keyOf({ key })).text).toBe(key);
    expect((await keyOf({ key: "Ａ‐١" })).normalForm).toBe("a-1");
    expect((await keyOf({ key: 12345 })).text).toBe("12345");
  });

  test("has 1 to 128 visible characters without spaces, also in its normal form", async () => {
    const sentence = "The key must be 1 to 128 visible characters without spaces.";
    for (const key of ["k".repeat(129), "a b", "a\u200Bb", "a\u00A0b", "\u115F", "\uFDFA".repeat(9)]) {
      expect(await problemOf({ key })).toBe(sentence);
    }
    expect(await problemOf({ key: " " })).toBe("The key is missing.");
  });

  test("is in the problem of its line, without what would break a report", async () => {
    const [line] = await read(`${head}note\n"a\n\u202Eb",G,2027-01-01,\n`);
    expect(line).toMatchObject({ line: 2, key: "a b" });
  });
});

describe("times", () => {
  test("a bare date is the end of its day in UTC", async () => {
    const key = await keyOf({ created: "2026-01-01", started: "2026-01-02", expires: "2026-01-03" });
    expect([key.createdAt, key.startedAt, key.expiresAt].map((at) => (at ?? 0) + 1)).toEqual([
      Date.UTC(2026, 0, 2),
      Date.UTC(2026, 0, 3),
      Date.UTC(2026, 0, 4),
    ]);
  });

  test("are ISO dates, also with a space in place of the T", async () => {
    const at = Date.UTC(2027, 0, 2, 3, 4, 5);
    for (const expires of ["2027-01-02T03:04:05Z", "2027-01-02 03:04:05", "2027-01-02T05:04:05+02:00"]) {
      expect((await keyOf({ expires })).expiresAt).toBe(at);
    }
    for (const expires of ["01/02/2027", "2027-02-30", "=NOW()", "1798859045", "1969-12-31", "never"]) {
      expect(await problemOf({ expires })).toStartWith("expires must be a date such as");
    }
  });

  test("have dots or slashes if the order of day and month is known", async () => {
    const expiryOf = async (expires: string, dates?: "dmy" | "mdy") => {
      const [line] = await read(JSON.stringify({ key: "KEY-1", game: "PUBG MOBILE", expires }), { dates });
      return line && "problem" in line ? line.problem : new Date(line?.expiresAt ?? 0).toISOString();
    };
    expect(await expiryOf("31.12.2027", "dmy")).toBe("2027-12-31T23:59:59.999Z");
    expect(await expiryOf("1/2/2027 14:30", "dmy")).toBe("2027-02-01T14:30:00.000Z");
    expect(await expiryOf("1/2/2027 14:30:05", "mdy")).toBe("2027-01-02T14:30:05.000Z");
    expect(await expiryOf("2027-12-31", "mdy")).toBe("2027-12-31T23:59:59.999Z");
    for (const text of ["31.12.2027", "30.02.2027", "1.2/2027", "01.02.27"]) {
      expect(await expiryOf(text)).toStartWith("expires must be a date such as");
      expect(await expiryOf(text, "mdy")).toStartWith("expires must be a date such as");
    }
  });

  test("an expiry may have passed, or be more than 366 days away", async () => {
    expect((await keyOf({ expires: "2020-05-05T00:00:00Z" })).createdAt).toBeLessThan(Date.UTC(2020, 4, 5));
    expect((await keyOf({ expires: "2099-05-05T00:00:00Z" })).expiresAt).toBe(Date.UTC(2099, 4, 5));
  });

  test("the end of the calendar is an expiry, and not that of a key that has not started", async () => {
    expect((await keyOf({ expires: "9999-12-31" })).expiresAt).toBe(untilStarted - 1);
  });

  test("an expiry or a duration is needed, and the duration runs from the start", async () => {
    expect(await problemOf({ expires: "" })).toBe("Both expires and duration_hours are missing.");
    const key = { expires: null, duration_hours: 48 };
    expect((await keyOf(key)).expiresAt).toBe(now + 48 * msPerHour);
    const created = await keyOf({ ...key, created: "2026-11-26T00:00:00Z" });
    expect(created.expiresAt).toBe(Date.UTC(2026, 10, 28));
    const started = await keyOf({ ...key, created: "2026-11-01T00:00:00Z", started: "2026-11-25T00:00:00Z" });
    expect(started.expiresAt).toBe(Date.UTC(2026, 10, 27));
    for (const hours of ["0", "1.5", "-1", "2 days", "99999999"]) {
      expect(await problemOf({ duration_hours: hours })).toBe(
        "duration_hours must be a whole number from 1 to 876600.",
      );
    }
  });

  test("a key that starts at first use has neither start, expiry nor devices until then", async () => {
    const unstarted = { expires: "", duration_hours: 720, starts: "first_use" };
    expect(await keyOf(unstarted)).toMatchObject({
      ...{ startsAtFirstUse: true, startedAt: null, expiresAt: null, durationHours: 720, createdAt: now },
    });
    expect(await problemOf({ ...unstarted, devices: "d1" })).toContain("but lists devices");
    expect(await problemOf({ ...unstarted, expires: "2027-01-01" })).toContain("but has an expiry");
    const started = await keyOf({ ...unstarted, started: "2026-11-20T00:00:00Z", devices: "d1" });
    expect(started).toMatchObject({ startedAt: Date.UTC(2026, 10, 20), expiresAt: Date.UTC(2026, 11, 20) });
    expect(await problemOf({ starts: "soon" })).toBe("starts must be creation or first_use.");
    expect((await keyOf({ starts: "Creation" })).startsAtFirstUse).toBe(false);
  });

  test("nothing has happened in the future, but today is no such date", async () => {
    for (const column of ["created", "started", "paused_at", "revoked"]) {
      expect(await problemOf({ [column]: "2026-11-27T12:00:00.001Z" })).toBe(`${column} is in the future.`);
      expect(await problemOf({ [column]: "2026-11-28" })).toBe(`${column} is in the future.`);
      expect(await problemOf({ [column]: "2026-11-27" })).toBe("none");
    }
  });

  test("a key expires after it was made", async () => {
    const expires = "2026-01-01T00:00:00Z";
    expect(await problemOf({ created: "2026-01-01T00:00:00Z", expires })).toBe("expires is not after created.");
    expect((await keyOf({ expires })).createdAt).toBe(Date.UTC(2026, 0, 1) - 1);
  });
});

describe("the status", () => {
  test("revoked is a date or true", async () => {
    expect((await keyOf({ revoked: true })).revokedAt).toBe(now);
    expect((await keyOf({ revoked: "TRUE" })).revokedAt).toBe(now);
    expect((await keyOf({ revoked: false })).revokedAt).toBeNull();
    expect((await keyOf({ revoked: "2026-11-01" })).revokedAt).toBe(Date.UTC(2026, 10, 2) - 1);
    expect(await problemOf({ revoked: "perhaps" })).toStartWith("revoked must be a date");
  });

  test("counts only where revoked and paused_at are missing", async () => {
    expect(await keyOf({ status: "REVOKED" })).toMatchObject({ revokedAt: now, pausedAt: null });
    expect(await keyOf({ status: "paused" })).toMatchObject({ revokedAt: null, pausedAt: now });
    expect(await keyOf({ status: "ACTIVE" })).toMatchObject({ revokedAt: null, pausedAt: null });
    expect(await keyOf({ status: "EXPIRED" })).toMatchObject({ revokedAt: null, pausedAt: null });
    expect(await problemOf({ status: "SOLD" })).toBe("status must be ACTIVE, PAUSED, EXPIRED or REVOKED.");
    const revokedAt = Date.UTC(2026, 10, 1);
    expect(await keyOf({ revoked: "2026-11-01T00:00:00Z", status: "PAUSED" })).toMatchObject({
      revokedAt,
      pausedAt: null,
    });
    expect(await keyOf({ paused_at: "2026-11-01T00:00:00Z", status: "odd" })).toMatchObject({ pausedAt: revokedAt });
  });
});

describe("devices and notes", () => {
  test("the limit is 1 to 100, and 1 where it is left out", async () => {
    expect((await keyOf({})).deviceLimit).toBe(1);
    expect((await keyOf({ device_limit: 100 })).deviceLimit).toBe(100);
    for (const limit of [0, 101, "1.5", "Unlimited"]) {
      expect(await problemOf({ device_limit: limit })).toBe("device_limit must be a whole number from 1 to 100.");
    }
  });

  test("there are at most as many devices as the limit, each once", async () => {
    expect((await keyOf({ devices: "  d1  d1 d2 ", device_limit: 2 })).devices).toEqual(["d1", "d2"]);
    expect(await problemOf({ devices: "d1 d2" })).toBe("There are 2 devices, but device_limit is 1.");
    expect(await problemOf({ devices: "d".repeat(129) })).toStartWith("Each device must be");
    expect(await problemOf({ devices: "a\u200Bb" })).toStartWith("Each device must be");
  });

  test("devices are a JSON list, or are divided by spaces, commas or semicolons", async () => {
    const devicesOf = async (cell: string) =>
      (await read(`${head}device_limit,devices\nK1,G,2027-01-01,9,"${cell.replaceAll('"', '""')}"\n`)).map((line) =>
        "problem" in line ? line.problem : line.devices,
      )[0];
    expect(await devicesOf("d1, d2;d3  d4,")).toEqual(["d1", "d2", "d3", "d4"]);
    expect(await devicesOf('["d1", "d,2", 3, null, "d1"]')).toEqual(["d1", "d,2", "3"]);
    expect(await devicesOf("[]")).toEqual([]);
    expect(await devicesOf("[d1],d2")).toEqual(["[d1]", "d2"]);
    for (const cell of ['["a b"]', '[{"id":1}]']) expect(await devicesOf(cell)).toStartWith("Each device must be");
    expect((await keyOf({ devices: ["d,1", "d;2"], device_limit: 2 })).devices).toEqual(["d,1", "d;2"]);
    expect((await keyOf({ devices: "d1,d2", device_limit: 2 })).devices).toEqual(["d1", "d2"]);
  });

  test("in a file with the head of our own export, only spaces divide devices", async () => {
    const columns =
      "key,game,created,expires,duration_hours,starts,started,paused_at,revoked,device_limit,status,owner,note,devices";
    const row = `K1,G,,2027-01-01,,,,,,9,,,,"d,1 [""d;2""]"\n`;
    expect(await read(`${columns}\n${row}`)).toMatchObject([{ devices: ["d,1", '["d;2"]'] }]);
    expect(await read(`${columns.replace("note", "Note")}\n${row}`)).toMatchObject([
      { devices: ["d", "1", '["d', '2"]'] },
    ]);
  });

  test("a note is one line of at most 200 characters", async () => {
    expect((await keyOf({ note: " one\r\n\ttwo  three " })).note).toBe("one two  three");
    expect((await keyOf({ note: "n".repeat(200) })).note).toHaveLength(200);
    expect((await keyOf({ note: "paid ❤️ می‌خواهم" })).note).toBe("paid ❤️ می‌خواهم");
    expect(await problemOf({ note: "a\u200bb" })).toEndWith("without invisible ones; it contains U+200B.");
    expect(await problemOf({ note: "n".repeat(201) })).toStartWith("The note must be at most 200 characters");
    expect(await problemOf({ note: "a\u202Eb" })).toStartWith("The note must be at most 200 characters");
  });
});

describe("other panels", () => {
  test("KeyAuth's licences are recognised: their expiry is days from the first use", async () => {
    const file = '[{"key":"KEYAUTH-aB3","level":"1","expiry":30},{"key":"K2","level":"2","expiry":0.041666666666667}]';
    expect(await read(file, { game: "PUBG MOBILE" })).toMatchObject([
      { line: 1, text: "KEYAUTH-aB3", durationHours: 720, startsAtFirstUse: true, expiresAt: null, deviceLimit: 1 },
      { line: 2, text: "K2", durationHours: 1, startsAtFirstUse: true },
    ]);
    expect(await read('[{"key":"K1","level":"1","expiry":"x"}]', { game: "G" })).toMatchObject([
      { problem: "duration_hours must be a whole number from 1 to 876600." },
    ]);
  });

  const licence = { key: "K1", note: "a", expiry: 86_400, status: "Not Used", level: "1", genby: "me", gendate: 1 };

  test("KeyAuth's newer licences are in a list of one object, and last seconds", async () => {
    const used = { ...licence, key: "K2", status: "Used", usedon: 1_700_000_000, banned: null };
    const file = { keys: [licence, used], tokens: [{ token: "t", status: "Used" }] };
    const expected = [
      { line: 1, text: "K1", durationHours: 24, startsAtFirstUse: true, note: "a" },
      { line: 2, key: "K2", problem: expect.stringContaining("has neither its devices nor its expiry") },
    ];
    for (const text of [JSON.stringify(file), JSON.stringify(file, null, 2), JSON.stringify(file.keys)]) {
      expect(await read(text, { game: "G" })).toMatchObject(expected);
    }
    for (const keys of [{ keys: [] }, { keys: [], tokens: [{ token: "t" }] }]) {
      expect(await refusalOf(JSON.stringify(keys))).toBe("The file has no keys.");
    }
  });

  test("KeyAuth's users are no keys, unless their names are mapped as keys", async () => {
    const user = { username: "K1", email: null, password: "x", hwid: "d1", banned: null, ip: null };
    const file = { users: [user, user], subscription: [{ user: "K1", expiry: "1800000000" }] };
    const problem = "This is a user of KeyAuth and not a key. KeyAuth's keys are in KeyAuthKeys.json.";
    for (const text of [JSON.stringify(file), JSON.stringify(file.users)]) {
      expect(await read(text, { game: "G" })).toMatchObject([{ line: 1, problem }, { problem }]);
    }
    const mapped = await read(JSON.stringify({ ...user, expires: "2027-01-01" }), {
      map: { key: "username" },
      game: "G",
    });
    expect(mapped).toMatchObject([{ text: "K1", devices: ["d1"] }]);
  });

  test("License Manager for WooCommerce is recognised: keys that were not sold start at first use", async () => {
    const names =
      "id,order_id,product_id,user_id,license_key,expires_at,valid_for,status,times_activated,times_activated_max,created_at,created_by,updated_at,updated_by";
    const file = [
      names,
      '1,12,40,3,AAAA-1,"2027-05-01 10:00:00",365,DELIVERED,1,3,"2026-05-01 10:00:00",1,"2026-05-01 10:00:00",1',
      '2,,40,,AAAA-2,,365,ACTIVE,,,"2026-05-01 10:00:00",1,"2026-05-01 10:00:00",1',
      '3,13,40,3,AAAA-3,"2027-05-01 10:00:00",,INACTIVE,0,1,"2026-05-01 10:00:00",1,"2026-05-01 10:00:00",1',
      '4,13,40,3,AAAA-4,,,SOLD,0,1,"2026-05-01 10:00:00",1,"2026-05-01 10:00:00",1',
    ].join("\n");
    const createdAt = Date.UTC(2026, 4, 1, 10);
    const lines = await read(file, { map: { game: "product_id" } });
    expect(lines).toMatchObject([
      { text: "AAAA-1", game: "40", createdAt, expiresAt: createdAt + 365 * msPerDay, deviceLimit: 3, revokedAt: null },
      { text: "AAAA-2", startsAtFirstUse: true, expiresAt: null, durationHours: 8_760, deviceLimit: 100 },
      { text: "AAAA-3", pausedAt: now, deviceLimit: 1 },
      { line: 5, key: "AAAA-4", problem: "Both expires and duration_hours are missing." },
    ]);
  });
});
