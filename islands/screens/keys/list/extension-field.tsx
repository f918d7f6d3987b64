import { type ExtensionForm, hoursIn } from "../../../../src/keys/life/length-form.ts";
import { adminDaysMax, hoursAtOnceMax } from "../../../../src/keys/limits.ts";
import { type Offer, offerChoice } from "../../../api/calls/catalogue.ts";
import { countText, creditsWithUnit, pluralText } from "../../../format.ts";
import { LengthField } from "../../../forms/length-field.tsx";
import type { Form } from "../../../forms/use-form.ts";
import type { Values } from "../../../forms/values.ts";
import { NativeSelectField } from "../../../ui/field/field.tsx";

type ExtensionValues = Values<typeof ExtensionForm>;

/** The offer that a reseller's form has selected first: 30 days, if that is sold. */
const hoursDefault = 720;

export function firstExtension(offers: readonly Offer[] | null): ExtensionValues {
  if (offers === null) return { length: hoursDefault / 24, unit: "days" };
  return { durationId: (offers.find(({ hours }) => hours === hoursDefault) ?? offers[0])?.id };
}

/** The label of the button that extends so many keys for these credits: what it does, and what that costs. */
export function extendText(count: number, cost = 0): string {
  const keys = count > 1 ? ` ${pluralText(count, "key")}` : "";
  return `Extend${keys}${cost > 0 ? ` for ${creditsWithUnit(cost)}` : ""}`;
}

/** How much time keys get: one of the offers, or for admins, who have none, any number of days or hours. */
export function ExtensionField({
  form,
  offers,
}: {
  form: Form<typeof ExtensionForm>;
  offers: readonly Offer[] | null;
}) {
  if (offers !== null) {
    return <NativeSelectField {...form.field("durationId")} label="Duration" choices={offers.map(offerChoice)} />;
  }
  const { unit = "days" } = form.values;
  return (
    <LengthField
      {...form.field("length")}
      label="Duration"
      unit={form.field("unit")}
      hint={`1 to ${countText(unit === "days" ? adminDaysMax : hoursAtOnceMax)}`}
      data-autofocus
    />
  );
}

/** Null while nothing valid is chosen. */
export function hoursOf(values: ExtensionValues, offers: readonly Offer[] | null): number | null {
  return offers === null ? hoursIn(values) : (offers.find(({ id }) => id === values.durationId)?.hours ?? null);
}
