import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import fc from "fast-check";
import { games } from "../keys/games.ts";
import { PreviewRequest, VerifyRequest } from "../keys/schema.ts";
import { checkTexts, textCheckOf } from "./text-check.ts";

const given = { key: "KEY-1", game: "FREE FIRE", deviceId: "phone" };

test("who asks first is judged as everybody behind them, whatever they sent", () => {
  const anything = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      "",
      "phone",
      7,
      true,
      ["phone"],
      {},
      "a b",
      "\u200b",
      "é",
      "x".repeat(129),
      ...games,
    ),
    fc.string({ unit: "binary" }),
    fc.anything(),
  );
  const fields = fc.record(
    { key: anything, game: fc.oneof(fc.constantFrom(...games), anything), deviceId: anything, more: anything },
    { requiredKeys: [] },
  );
  for (const schema of [VerifyRequest, PreviewRequest]) {
    const compiled = TypeCompiler.Compile(schema);
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: fields }, { weight: 1, arbitrary: fc.anything() }), (value) => {
        expect(checkTexts(schema, value)).toBe(compiled.Check(value));
      }),
      { numRuns: 1_000 },
    );
    expect(checkTexts(schema, given)).toBe(true);
  }
});

test("a field that is missing is refused, the first time and later", async () => {
  const isVerifyRequest = textCheckOf(VerifyRequest);
  const { deviceId: _, ...withoutDevice } = given;
  for (let time = 0; time < 3; time += 1) {
    expect([isVerifyRequest(given), isVerifyRequest(withoutDevice)]).toEqual([true, false]);
    await setImmediate();
  }
});
