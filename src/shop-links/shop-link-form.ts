import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../core/field.ts";
import type { ShopLink } from "./schema.ts";

/** How a shop signs its calls, and where it puts what. */
type Contract = Pick<ShopLink, "signature" | "saleId" | "quantity">;
export type Preset = "sellauth" | "sellix" | "other";

const contractOf = (header: string, algorithm: "sha256" | "sha512", saleId: string[], quantity: string | null) => ({
  ...{ signature: { header, algorithm }, saleId, quantity },
});

/** What each shop sends; the seller describes that of another one. */
export const presets: Record<Preset, Contract> = {
  sellauth: contractOf("X-Signature", "sha256", ["unique_id", "item.id"], "item.quantity"),
  sellix: contractOf("X-Sellix-Unescaped-Signature", "sha512", ["data.uniqid"], "data.quantity"),
  other: contractOf("X-Signature", "sha256", [], null),
};

export const presetNames: Record<Preset, string> = { sellauth: "SellAuth", sellix: "Sellix", other: "Another shop" };
const presetKeys = Object.keys(presets) as Preset[];

/** The shop whose contract this is. */
export function presetOf(contract: Contract): Preset {
  const textOf = ({ signature: { header, algorithm }, saleId, quantity }: Contract) =>
    [header, algorithm, saleId, quantity].join();
  return presetKeys.find((key) => textOf(presets[key]) === textOf(contract)) ?? "other";
}

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Number());

/** The form on the page, also for a new secret. The server checks it. */
export const ShopLinkPageForm = Type.Object({
  ...{ preset: Type.Optional(oneOf(presetKeys)), name: text, game: text, starts: text },
  ...{ deviceLimit: number, durationId: number, maxQuantity: number, creditsPerDay: number },
  ...{ header: text, algorithm: text, saleId: text, quantity: text, secret: text, password: text, code: text },
});
export type ShopLinkPageForm = Static<typeof ShopLinkPageForm>;

/** What is sent for the form, without the proof. */
export function shopLinkIn({ preset = "other", header, algorithm, saleId = "", quantity, ...form }: ShopLinkPageForm) {
  const { secret: _, password, code, creditsPerDay = null, ...sold } = form;
  const paths = saleId.split(/[\s,;]+/).filter((path) => path !== "");
  const described = { signature: { header, algorithm }, saleId: paths, quantity: quantity || null };
  return { ...sold, creditsPerDay, ...(preset === "other" ? described : presets[preset]) };
}

export function formOf(link: ShopLink) {
  const { signature, saleId, quantity, creditsPerDay, ...sold } = link;
  const texts = { ...signature, saleId: saleId.join(", "), quantity: quantity ?? "" };
  return { ...sold, ...texts, creditsPerDay: creditsPerDay ?? undefined, preset: presetOf(link) };
}
