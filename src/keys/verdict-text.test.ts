import { expect, test } from "bun:test";
import { type Verdict, verdictCodes } from "./schema.ts";
import { verdictText } from "./verdict-text.ts";

test("a verdict is written as JSON.stringify writes it, whatever its code, also the second time", () => {
  for (const code of [...verdictCodes, ...verdictCodes]) {
    const verdict: Verdict = {
      valid: code === "VALID",
      code,
      message: `What "${code}" means.`,
      expiry: code === "NOT_FOUND" ? null : "2025-03-05T14:30:00.000Z",
      deviceLimit: code === "NOT_FOUND" ? null : 2,
      currentDevices: code === "NOT_FOUND" ? null : 0,
    };
    const preview = { ...verdict, canRegister: code === "VALID" };
    expect([verdictText(verdict), verdictText(preview)]).toEqual([JSON.stringify(verdict), JSON.stringify(preview)]);
  }
});
