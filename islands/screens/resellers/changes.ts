import type { Reseller } from "../../../src/resellers/schema.ts";
import { ledgerOf } from "../../api/calls/ledger.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { grantCredits, resellerList, resellerQuery, setActive } from "../../api/calls/resellers.ts";
import { putRow } from "../../api/paged-rows.ts";
import { queryClient, refresh, useWork } from "../../api/query.ts";

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
  const id = String(reseller.id);
  putRow(resellerList, reseller);
  queryClient.setQueryData(resellerQuery(id).queryKey, reseller);
  refreshReseller(id);
}

/** Everything that shows this reseller's credits or status. */
export function refreshReseller(id: string): void {
  void refresh(resellerList, resellerQuery(id), ledgerOf(id).list, statsQuery);
}
