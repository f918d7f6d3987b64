import { readFileSync, statSync } from "node:fs";
import { butContains, nameOf } from "../core/field.ts";
import { isWebAddress } from "../core/text.ts";
import { unreadableFile, wrongSetting } from "./environment.ts";

export interface LogoFile {
  type: "image/png" | "image/svg+xml";
  content: Uint8Array<ArrayBuffer>;
}

const visibleName = nameOf(40);
const logoKbMax = 200;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads the settings that name the panel. Throws `OperatorError`. */
export function readBrand({ PANEL_NAME, PANEL_LOGO, SUPPORT_LINK }: Record<string, string>) {
  const name = PANEL_NAME?.trim() || "Latchkey";
  if (!visibleName.test(name)) throw wrongSetting(`PANEL_NAME must be 1 to 40 visible characters${butContains(name)}.`);
  if (SUPPORT_LINK && !isWebAddress(SUPPORT_LINK)) {
    throw wrongSetting("SUPPORT_LINK must be an http or https address.");
  }
  return { name, logoFile: PANEL_LOGO ? readLogo(PANEL_LOGO) : null, supportLink: SUPPORT_LINK || null };
}

function readLogo(file: string): LogoFile {
  const content = contentOf(file);
  if (pngSignature.every((byte, index) => content[index] === byte)) return { type: "image/png", content };
  const text = new TextDecoder().decode(content);
  if (/^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(text)) {
    return { type: "image/svg+xml", content };
  }
  throw wrongLogo();
}

function contentOf(file: string): Uint8Array<ArrayBuffer> {
  try {
    if (statSync(file).size <= logoKbMax * 1_000) return new Uint8Array(readFileSync(file));
  } catch (error) {
    throw unreadableFile("PANEL_LOGO", file, error as NodeJS.ErrnoException);
  }
  throw wrongLogo();
}

function wrongLogo() {
  return wrongSetting(`PANEL_LOGO must be a PNG or SVG file of at most ${logoKbMax} KB.`);
}
