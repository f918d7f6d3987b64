import type { Reseller } from "../../../src/resellers/schema.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { statsQuery } from "../../server/overview.ts";
import { putRow } from "../../server/paged-rows.ts";
import { refresh } from "../../server/query.ts";
import { grantCredits, resellerList, setActive } from "../../server/resellers.ts";
import { useWork } from "../../server/work.ts";
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
