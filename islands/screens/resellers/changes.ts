import type { Reseller } from "../../../src/resellers/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { grantCredits, resellerList, setActive } from "../../api/calls/resellers.ts";
import { putRow } from "../../api/paged-rows.ts";
import { refresh, useWork } from "../../api/query.ts";

/** Suspends an active reseller and activates a suspended one (rules.md: Suspension). */
export function useStatusChange() {
  return useWork({
    mutationFn: ({ id, isActive, reason }: Pick<Reseller, "id" | "isActive"> & { reason?: string }) =>
      setActive(id, { isActive: !isActive, reason }),
    done: "Reseller status updated successfully",
    onSuccess: show,
    failed: "Failed to update reseller status",
  });
}

export function useCreditGrant() {
  return useWork({
    mutationFn: grantCredits,
    done: "Credits added successfully",
    onSuccess: show,
    failed: "Failed to add credits",
  });
}

function show({ reseller }: { reseller: Reseller }): void {
  putRow(resellerList, reseller);
  void refresh(resellerList, statsQuery);
}
