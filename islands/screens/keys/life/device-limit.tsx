import type { Static } from "@sinclair/typebox";
import { useQuery } from "@tanstack/react-query";
import { adminDeviceLimits, pricedLimit, resellerDeviceLimits } from "../../../../src/catalogue/limits.ts";
import type { Catalogue } from "../../../../src/catalogue/schema.ts";
import { msPerHour } from "../../../../src/core/clock.ts";
import { AdminDeviceLimit, ResellerDeviceLimit } from "../../../../src/keys/life/schema.ts";
import { toRaiseLimit } from "../../../../src/resellers/cost.ts";
import { catalogueQuery, offersIn } from "../../../api/calls/catalogue.ts";
import { limitAnyKey, limitOwnKey } from "../../../api/calls/key-time.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { useWork } from "../../../api/query.ts";
import { deviceLimitText, deviceUsageText } from "../../../format.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import type { Form } from "../../../forms/use-form.ts";
import { Effects } from "../../../ui/effects.tsx";
import type { KeyChangeProps } from "../list/extension.tsx";
import { NativeSelectField } from "../../../ui/field/field.tsx";
import { PaidEffects } from "../list/paid-effects.tsx";

type LimitForm = Static<typeof AdminDeviceLimit>;

/** How many devices may use a key. Resellers pay the difference of the prices for a higher limit. */
export default function DeviceLimit({ area, of: key, onChanged, ...dialog }: KeyChangeProps) {
  const catalogue = useQuery({ ...catalogueQuery, enabled: dialog.open && area === "reseller" }).data;
  const work = useWork({
    mutationFn: async (form: LimitForm) => {
      if (area === "admin") await limitAnyKey(key.id, form);
      else await limitOwnKey(key.id, form as Static<typeof ResellerDeviceLimit>);
    },
    done: "Device limit changed successfully",
    failed: "Failed to change the device limit",
    onSettled: onChanged,
  });
  const limits: readonly number[] = area === "reseller" ? resellerDeviceLimits : adminDeviceLimits;
  const form = {
    schema: area === "reseller" ? ResellerDeviceLimit : AdminDeviceLimit,
    rule: ({ deviceLimit }: LimitForm) =>
      isTooLow(deviceLimit, key) ? [{ path: "deviceLimit", message: tooLow(key) }] : [],
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
      form={area === "reseller" && !catalogue ? null : form}
    >
      {(form) => (
        <LimitFields form={form} limits={limits} of={key} catalogue={area === "reseller" ? catalogue : undefined} />
      )}
    </FormDialog>
  );
}

interface LimitFieldsProps {
  form: Form<typeof AdminDeviceLimit>;
  limits: readonly number[];
  of: KeyDetail;
  /** Undefined for admins, who pay nothing. */
  catalogue: Catalogue | undefined;
}

function LimitFields({ form, limits, of: key, catalogue }: LimitFieldsProps) {
  const { deviceLimit = key.deviceLimit } = form.values;
  const lines = {
    "Devices now": deviceUsageText(key.deviceCount, key.deviceLimit),
    "Limit then": deviceLimitText(deviceLimit),
  };
  const cost = catalogue ? limitCost(catalogue, key, deviceLimit, Date.now()) : 0;
  return (
    <>
      <NativeSelectField
        {...form.field("deviceLimit")}
        label="Device Limit"
        placeholder="Select a limit"
        choices={limits.map((limit) => ({ value: String(limit), label: deviceLimitText(limit) }))}
      />
      {isTooLow(deviceLimit, key) ? (
        <Effects lines={lines} warning={tooLow(key)} />
      ) : cost === undefined ? (
        <Effects lines={lines} warning="Keys like this are not sold on so many devices." />
      ) : (
        <PaidEffects cost={cost} purpose={toRaiseLimit} lines={lines} />
      )}
      {catalogue && deviceLimit < key.deviceLimit && (
        <p className="text-sm text-muted">A lower limit gives no credits back.</p>
      )}
    </>
  );
}

function isTooLow(deviceLimit: number, { deviceCount }: KeyDetail): boolean {
  return deviceLimit < deviceCount;
}

function tooLow({ deviceCount }: KeyDetail): string {
  return `${deviceCount} devices are connected. Remove devices first.`;
}

/**
 * What a reseller pays, as the server calculates it: for a higher limit the difference of the prices for the shortest
 * duration on sale that covers the time that is left, else for the longest. Undefined if there is none.
 */
export function limitCost(
  catalogue: Catalogue,
  key: Pick<KeyDetail, "game" | "deviceLimit" | "expiryDate" | "pausedAt" | "durationHours">,
  deviceLimit: number,
  now: number,
): number | undefined {
  if (deviceLimit <= key.deviceLimit) return 0;
  const offersFor = (limit: number) => offersIn(catalogue, { game: key.game, deviceLimit: pricedLimit(limit) });
  const higher = offersFor(deviceLimit);
  const both = offersFor(key.deviceLimit).flatMap(({ id, hours, price }) => {
    const other = higher.find((offer) => offer.id === id);
    return other ? { hours, cost: Math.max(0, Math.round(((other.price ?? 0) - (price ?? 0)) * 10) / 10) } : [];
  });
  const left = hoursLeft(key, now);
  return (both.find(({ hours }) => hours >= left) ?? both.at(-1))?.cost;
}

function hoursLeft(
  { expiryDate, pausedAt, durationHours }: Pick<KeyDetail, "expiryDate" | "pausedAt" | "durationHours">,
  now: number,
) {
  if (expiryDate === null) return durationHours ?? 0;
  return (Date.parse(expiryDate) - (pausedAt === null ? now : Date.parse(pausedAt))) / msPerHour;
}
