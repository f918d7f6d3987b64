import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { tenthsOf } from "../../../../src/core/credits.ts";
import { creditsShort, creditsShortSentence } from "../../../../src/resellers/cost.ts";
import { profileQuery } from "../../../api/calls/session.ts";
import { creditsText, creditsWithUnit } from "../../../format.ts";
import { Effects } from "../../../ui/effects.tsx";

interface PaidEffectsProps {
  /** Credits: for admins always 0; null while unknown. */
  cost: number | null;
  /** The end of the sentence that says how many credits are missing. */
  purpose: string;
  lines: ComponentProps<typeof Effects>["lines"];
}

/** The effects of something that a reseller may have to pay for. */
export function PaidEffects({ cost, purpose, lines }: PaidEffectsProps) {
  const balance = useQuery({ ...profileQuery, enabled: cost !== null && cost > 0 }).data?.credits;
  const known = cost !== null && balance !== undefined;
  const missing = known ? creditsShort({ costTenths: tenthsOf(cost) ?? 0, balanceTenths: tenthsOf(balance) ?? 0 }) : 0;
  return (
    <Effects
      lines={{
        Cost: cost === null ? "–" : cost === 0 ? "Free" : creditsWithUnit(cost),
        "Credits left": known && cost > 0 && missing === 0 ? creditsText(balance - cost) : undefined,
        ...lines,
      }}
      warning={missing > 0 && creditsShortSentence(missing, purpose)}
    />
  );
}
