import type { Reseller } from "../../../src/resellers/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { grantCredits, resellerList, setActive } from "../../api/calls/resellers.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { putRow } from "../../api/paged-rows.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { showToast } from "../../ui/toast/store.ts";

export const idOf = ({ id }: { id: number }) => id;

/** Suspends an active reseller and activates a suspended one: the call is sent the opposite of what is (rules.md: Suspension). */
export function useStatusChange() {
  return useWork({
    mutationFn: ({ id, isActive, reason }: Pick<Reseller, "id" | "isActive"> & { reason?: string }) =>
      setActive(id, { isActive: !isActive, reason }),
    onSuccess: ({ reseller }) => show(reseller, "Reseller status updated successfully"),
    onError: (error) => sayFailure(error, "Failed to update reseller status"),
  });
}

export function useCreditGrant() {
  return useWork({
    mutationFn: grantCredits,
    onSuccess: ({ reseller }) => show(reseller, "Credits added successfully"),
    onError: (error) => sayFailure(error, "Failed to add credits"),
  });
}

function show(reseller: Reseller, description: string): void {
  putRow(resellerList, reseller);
  showToast({ title: "Success", description });
  void refresh(resellerList, statsQuery);
}
