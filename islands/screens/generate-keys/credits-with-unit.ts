import { creditsText } from "../../format.ts";

/** `0.5 credits`, `1 credit`, `3 credits`. */
export function creditsWithUnit(credits: number): string {
  return `${creditsText(credits)} ${credits === 1 ? "credit" : "credits"}`;
}
