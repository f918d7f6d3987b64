import { useQuery } from "@tanstack/react-query";
import { KeyRound, Infinity as Unlimited } from "lucide-react";
import { adminDeviceLimits } from "../../../src/catalogue/limits.ts";
import { nonBlank } from "../../../src/core/field.ts";
import { hoursIn, lengthProblems } from "../../../src/keys/life/length-form.ts";
import { adminDaysDefault, adminDaysMax, hoursAtOnceMax } from "../../../src/keys/limits.ts";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { AdminKeyForm, expiryDateAfter } from "../../../src/orders/admin-key-form.ts";
import type { AdminKeyOrder } from "../../../src/orders/schema.ts";
import { catalogueQuery } from "../../api/calls/catalogue.ts";
import { adminKeyList, generateKeys } from "../../api/calls/keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { refresh, useWork } from "../../api/query.ts";
import { useSubmission } from "../../api/submission.ts";
import { countText, dateText } from "../../format.ts";
import { LengthField } from "../../forms/length-field.tsx";
import { useForm } from "../../forms/use-form.ts";
import { useHydrated } from "../../runtime/hydration.ts";
import { SubmitButton } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import {
  CountField,
  CustomKeyField,
  forgetBatch,
  fromFirstUse,
  OrderFields,
  orderDefaults,
} from "../keys/order/order-fields.tsx";
import type { GenerateProps } from "./key-management.tsx";

type Draft = GenerateProps["generation"]["draft"];

interface GenerationFormProps {
  draft: Draft;
  onLeave: (draft: Draft) => void;
  onGenerated: (keys: AdminKey[]) => void;
}

export function GenerationForm({ draft, onLeave, onGenerated }: GenerationFormProps) {
  const generate = useGenerate();
  const { data: catalogue } = useQuery(catalogueQuery);
  const form = useForm({
    schema: AdminKeyForm,
    rule: lengthProblems,
    initial: draft ?? { ...orderDefaults, length: adminDaysDefault },
    onLeave,
    send: async (order) => {
      const { keys } = await generate.mutateAsync(order);
      forgetBatch(form);
      onGenerated(keys);
    },
    // The form asks for a length where the call takes a date or hours.
    fieldOf: { KEY_TAKEN: "keyString", expiryDate: "length", durationHours: "length" },
  });
  const { starts, length, unit = "days", count = 0 } = form.values;
  const isFirstUse = starts === "first_use";

  return (
    <Card className="@container">
      <CardHeading title="Admin Key Generation" description={<UnlimitedNote />} />
      <CardBody>
        <form {...form.props} method="post" className="grid gap-5 @md:grid-cols-2">
          <OrderFields
            form={form}
            catalogue={catalogue}
            deviceLimits={adminDeviceLimits}
            duration={
              <LengthField
                {...form.field("length")}
                label={isFirstUse ? "Duration" : "Days Valid"}
                max={lengthMax[unit]}
                unit={isFirstUse ? form.field("unit") : undefined}
                hint={
                  isFirstUse ? (
                    <span>{`1 to ${countText(lengthMax[unit])}, ${fromFirstUse}`}</span>
                  ) : (
                    <Expiry days={length} />
                  )
                }
              />
            }
          />
          <CountField form={form} />
          <CustomKeyField form={form} games={catalogue?.games} />
          <SubmitButton
            size="large"
            className="@md:col-span-2 @md:justify-self-start @md:px-8"
            icon={<KeyRound size={16} />}
            busy={form.busy}
            busyText="Generating..."
          >
            {count > 1 ? "Generate Keys" : "Generate Key"}
          </SubmitButton>
        </form>
      </CardBody>
    </Card>
  );
}

const lengthMax = { days: adminDaysMax, hours: hoursAtOnceMax };

function UnlimitedNote() {
  return (
    <span className="flex items-center gap-2">
      <Unlimited size={16} className="shrink-0" />
      As an admin, you can generate unlimited keys.
    </span>
  );
}

/** The date is shown after hydration, because the server's clock may differ from the reader's. It has its space before. */
function Expiry({ days = 0 }: { days: number | undefined }) {
  const hydrated = useHydrated();
  const range = `1 to ${adminDaysMax}`;
  const until = (day: string) => `; until the end of ${day} (UTC)`;
  if (!hydrated) {
    return (
      <>
        {range}
        <span aria-hidden className="invisible">
          {until("Mar 00, 2000")}
        </span>
      </>
    );
  }
  if (!Number.isInteger(days) || days < 1 || days > adminDaysMax) return <span>{range}</span>;
  return <span>{`${range}${until(dateText(expiryDateAfter(days, Date.now()), "dateInWords", "UTC"))}`}</span>;
}

/** Generates admin keys, all of them or none. */
function useGenerate() {
  const submission = useSubmission();
  return useWork({
    mutationFn: ({ length, unit, starts, keyString, ...form }: AdminKeyForm) => {
      const keys = { ...form, keyString: nonBlank(keyString) };
      const order: AdminKeyOrder =
        starts === "first_use"
          ? { ...keys, starts, durationHours: hoursIn({ length, unit }) ?? 0 }
          : { ...keys, expiryDate: expiryDateAfter(length ?? 0, Date.now()) };
      return generateKeys(order, submission.headersFor(order));
    },
    done: ({ keys }) => `Generated ${keys.length} admin key(s) successfully`,
    failed: (_, { count }) => (count === 1 ? "Failed to generate key" : "Failed to generate keys"),
    onSuccess: () => {
      submission.succeed();
      void refresh(adminKeyList, statsQuery);
    },
  });
}
