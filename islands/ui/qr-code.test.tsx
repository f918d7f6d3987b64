import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { encode } from "uqr";
import { QrCode } from "./qr-code.tsx";

test("the drawing has a dark square for each dark module, and a light border", () => {
  const uri = "otpauth://totp/Latchkey:night.owl?issuer=Latchkey&secret=OULUTRT7I2OUS7X6DIWBAD5OCHICYRQI";
  render(<QrCode text={uri} label="QR code" />);
  const drawing = screen.getByRole("img", { name: "QR code" });
  const { data } = encode(uri, { border: 0 });
  const size = data.length + 8;
  expect(drawing.getAttribute("viewBox")).toBe(`0 0 ${size} ${size}`);
  const dark = new Set<string>();
  const path = drawing.querySelector("path")?.getAttribute("d") ?? "";
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let step = 0; step < Number(run); step += 1) dark.add(`${Number(x) + step - 4} ${Number(y) - 4}`);
  }
  const expected = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
  expect([...dark].sort()).toEqual(expected.sort());
});
