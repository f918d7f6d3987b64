import { invisible } from "../core/field.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import type { Terms } from "./schema.ts";

const depthMax = 32;
/** In UTF-8 these bytes are never part of another character. */
const [quote, backslash, openingBracket, closingBracket, openingBrace, closingBrace] = Buffer.from('"\\[]{}');
const saleIdPattern = new RegExp(`^[^\\p{Z}${invisible}]{1,100}$`, "u");

/** Throws on anything that is not UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Whether a header holds the HMAC of a body's bytes. How long this takes tells nothing of the right one. */
export function isSigned(given: string | null, bytes: Uint8Array, secret: string, algorithm: string): boolean {
  const { createHmac, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const digest = createHmac(algorithm, secret).update(bytes).digest();
  const text = (given ?? "").replace(/^sha(256|512)=/, "");
  const base64 = digest.toString("base64");
  const spellings = [
    [text.toLowerCase(), digest.toString("hex")],
    [text, base64],
    [text, base64.replace(/=+$/, "")],
  ] as const;
  const same = spellings.map(([sent, right]) => {
    const [a, b] = [Buffer.from(sent), Buffer.from(right)];
    return a.length === b.length && timingSafeEqual(a, b);
  });
  return same.includes(true);
}

/** What is read of a body. Both are null until they are read. */
export interface SaleRead {
  saleId: string | null;
  quantity: number | null;
}

/** Reads a body whose signature fits into `sale`. Throws `INVALID_JSON`, or `INVALID` with the path. */
export function readSale(bytes: Uint8Array, { saleId: paths, quantity: quantityPath }: Terms, sale: SaleRead): void {
  const { text, body } = parsed(bytes);
  const parts = paths.map((path) => {
    const part = String(at(body, path, text) ?? "");
    if (part === "" || (paths.length > 1 && part.includes(":"))) throw unfit(path, "sale id");
    return part;
  });
  const saleId = parts.join(":");
  if (!saleIdPattern.test(saleId)) throw unfit(paths.join(", "), "sale id of 1 to 100 visible characters");
  sale.saleId = saleId;
  const found = quantityPath === null ? 1 : at(body, quantityPath, text);
  const quantity = typeof found === "string" && /^\d{1,3}$/.test(found) ? Number(found) : found;
  if (typeof quantity !== "number" || quantity < 1) throw unfit(quantityPath ?? "", "quantity of at least 1");
  sale.quantity = quantity;
}

function parsed(bytes: Uint8Array): { text: string; body: unknown } {
  try {
    const text = utf8.decode(bytes);
    const body: unknown = JSON.parse(text);
    if (isDeeper(bytes, depthMax)) throw new RangeError();
    return { text, body };
  } catch (error) {
    // What is nested thousands deep exhausts the stack.
    if (error instanceof RangeError) throw invalid("", `The body must be nested at most ${depthMax} deep.`);
    throw new Refusal("INVALID_JSON", "The body is not valid JSON.");
  }
}

/** Of valid JSON. Bytes take 0.05 ms, and the values of a body with thousands of objects 3 ms. */
function isDeeper(json: Uint8Array, levels: number): boolean {
  let level = 0;
  let isInText = false;
  for (let index = 0; index < json.length && level <= levels; index += 1) {
    const byte = json[index];
    if (byte === backslash) index += 1;
    else if (byte === quote) isInText = !isInText;
    else if (isInText) continue;
    else if (byte === openingBracket || byte === openingBrace) level += 1;
    else if (byte === closingBracket || byte === closingBrace) level -= 1;
  }
  return level > levels;
}

/**
 * The text or whole number to which a path leads through objects, by the names that the body itself has, or null. So is
 * a number that `text` spells otherwise, which JavaScript only rounds to this one.
 */
function at(body: unknown, path: string, text: string): string | number | null {
  let value = body;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return null;
  const name = path.slice(path.lastIndexOf(".") + 1);
  return new RegExp(`"${name}"\\s*:\\s*${value}(\\.0+)?\\s*[,}]`).test(text) ? value : null;
}

function unfit(path: string, what: string): Refusal {
  return invalid(path, `The body has no ${what} at ${path}.`);
}
