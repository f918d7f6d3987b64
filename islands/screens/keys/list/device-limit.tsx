import type { Static } from "@sinclair/typebox";
import { useQuery } from "@tanstack/react-query";
import type { Role } from "../../../../src/accounts/schema.ts";
import { adminDeviceLimits, resellerDeviceLimits } from "../../../../src/catalogue/limits.ts";
import { AdminDeviceLimit, ResellerDeviceLimit } from "../../../../src/keys/life/schema.ts";
import { toRaiseLimit } from "../../../../src/resellers/cost.ts";
import { failureText, hasCode } from "../../../api/api.ts";
import { type LimitPrice, limitAnyKey, limitOwnKey, limitPricesQuery } from "../../../api/calls/key-time.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { deviceLimitText, deviceUsageText } from "../../../format.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import type { Form } from "../../../forms/use-form.ts";
import { Effects } from "../../../ui/effects.tsx";
import { NativeSelectField } from "../../../ui/field/field.tsx";
import { deviceCountOf } from "./columns.tsx";
import type { KeyChangeProps } from "./extension.tsx";
import { PaidEffects } from "./paid-effects.tsx";

type LimitForm = Static<typeof AdminDeviceLimit>;

/** How many devices may use a key. Resellers pay the difference of the prices for a higher limit. */
export default function DeviceLimit({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  const limits: readonly number[] = area === "reseller" ? resellerDeviceLimits : adminDeviceLimits;
  const higher = area === "reseller" ? limits.filter((limit) => limit > key.deviceLimit) : [];
  const query = limitPricesQuery(key.id, higher);
  const { data: prices } = useQuery({ ...query, enabled: dialog.open });
  /** What a limit costs, or why it cannot be chosen. */
  const lookUp = (limit: number): { cost?: number; problem?: string } => {
    if (limit < deviceCountOf(key))
      return { problem: `${deviceCountOf(key)} devices are connected. Remove devices first.` };
    const { cost, error }: LimitPrice = prices?.[higher.indexOf(limit)] ?? { cost: 0 };
    return cost === undefined ? { problem: noPriceText(error) } : { cost };
  };
  const work = useWork({
    mutationFn: async (form: LimitForm) => {
      if (area === "admin") await limitAnyKey(key.id, form);
      else {
        const { deviceLimit } = form as Static<typeof ResellerDeviceLimit>;
        await limitOwnKey(key.id, { deviceLimit, cost: lookUp(deviceLimit).cost });
      }
    },
    done: "Device limit changed successfully",
    failed: "Failed to change the device limit",
    onError: (error) => {
      if (hasCode(error, "COST_CHANGED")) void refresh(query);
    },
    onSettled: onChanged,
  });
  const form = {
    schema: area === "reseller" ? ResellerDeviceLimit : AdminDeviceLimit,
    rule: ({ deviceLimit }: LimitForm) => {
      const { problem } = lookUp(deviceLimit);
      const message = problem ?? (deviceLimit === key.deviceLimit ? "This is the limit now." : null);
      return message === null ? [] : [{ path: "deviceLimit", message }];
    },
    initial: { deviceLimit: limits.find((limit) => limit === key.deviceLimit) as LimitForm["deviceLimit"] },
    fieldOf: { DEVICES_CONNECTED: "deviceLimit", NOT_SOLD: "deviceLimit" },
  } as const;
  return (
    <FormDialog
      {...dialog}
      title="Device Limit"
      work={work}
      submit="Change Limit"
      busyText="Changing..."
      form={prices ? form : null}
    >
      {(form) => <LimitFields area={area} form={form} limits={limits} of={key} lookUp={lookUp} />}
    </FormDialog>
  );
}

interface LimitFieldsProps {
  area: Role;
  form: Form<typeof AdminDeviceLimit>;
  limits: readonly number[];
  of: KeyChangeProps["of"];
  lookUp: (limit: number) => { cost?: number; problem?: string };
}

function LimitFields({ area, form, limits, of: key, lookUp }: LimitFieldsProps) {
  const { deviceLimit = key.deviceLimit } = form.values;
  const lines = {
    "Devices now": deviceUsageText(deviceCountOf(key), key.deviceLimit),
    "New limit": deviceLimitText(deviceLimit),
  };
  const { cost, problem } = lookUp(deviceLimit);
  return (
    <>
      <NativeSelectField
        {...form.field("deviceLimit")}
        label="Device Limit"
        placeholder="Select a limit"
        choices={limits.map((limit) => ({ value: String(limit), label: deviceLimitText(limit) }))}
      />
      {cost === undefined ? (
        <Effects lines={lines} warning={problem} />
      ) : (
        <PaidEffects cost={cost} purpose={toRaiseLimit} lines={lines} />
      )}
      {area === "reseller" && deviceLimit < key.deviceLimit && (
        <p className="text-sm text-muted">Lowering the limit refunds no credits.</p>
      )}
    </>
  );
}

function noPriceText(error: unknown): string {
  if (hasCode(error, "NOT_SOLD")) return "This key can't have that many devices.";
  return failureText(error, "The price could not be loaded.");
}
