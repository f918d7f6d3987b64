import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gameColors, measuresFor } from "./screens/figures/day-measures.ts";

type Color = [red: number, green: number, blue: number];

const styles = readFileSync(join(import.meta.dir, "styles.css"), "utf8");
const surfaces = ["page", "card", "raised", "overlay"];

/** A translucent colour is blended with the one behind it. */
function colorOf(name: string, behind: Color = [0, 0, 0]): Color {
  const value = styles.match(new RegExp(`--color-${name}: ([^;]+);`))?.[1] ?? "";
  const [, hex] = value.match(/^#([0-9a-f]{6})$/) ?? [];
  if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Color;
  const [red, green, blue, alpha] = (value.match(/[\d.]+/g) ?? []).map(Number) as [number, number, number, number];
  return [red, green, blue].map((channel, at) => channel * alpha + (behind[at] ?? 0) * (1 - alpha)) as Color;
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

test("each surface stands out from the one behind it", () => {
  for (const [at, surface] of surfaces.slice(1).entries()) {
    const behind = surfaces[at] ?? "";
    expect([surface, contrast(colorOf(surface), colorOf(behind)) >= 1.08]).toEqual([surface, true]);
  }
});

test("the parts of a chart's bars contrast with the card and with their neighbours", () => {
  const verdicts = measuresFor("admin", []).verdicts.parts.map(({ color }) => color);
  for (const colors of [verdicts, [...gameColors, gameColors[0] as string]]) {
    for (const [at, color] of colors.entries()) {
      const behind = [color, colors[at + 1] ?? "text-card"].map((name) => colorOf(name.slice("text-".length)));
      expect([color, contrast(behind[0] as Color, behind[1] as Color) >= 3]).toEqual([color, true]);
      expect([color, contrast(behind[0] as Color, colorOf("card")) >= 3]).toEqual([color, true]);
    }
  }
});

test("text is readable on every surface, and fields and the focus are visible", () => {
  const words = ["text", "muted", "faint", "brass-bright", "danger-text", "active", "expired", "revoked", "other"];
  for (const name of surfaces) {
    const surface = colorOf(name);
    for (const word of words) expect([word, name, contrast(colorOf(word), surface) >= 4.5]).toEqual([word, name, true]);
    for (const mark of ["field", "brass"])
      expect([mark, name, contrast(colorOf(mark, surface), surface) >= 3]).toEqual([mark, name, true]);
    expect([name, contrast(colorOf("muted"), colorOf("hover", surface)) >= 4.5]).toEqual([name, true]);
  }
  expect(contrast(colorOf("on-brass"), colorOf("brass"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colorOf("on-danger"), colorOf("danger"))).toBeGreaterThanOrEqual(4.5);
});
