import type { Reseller } from "../../../src/resellers/schema.ts";
import { postJson } from "../../server/api.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { putRow } from "../../server/paged-rows.ts";
import { refresh } from "../../server/query.ts";
import { useWork } from "../../server/work.ts";
import { showToast } from "../../ui/toast/store.ts";

export const resellersPath = "/api/admin/resellers";
const statsPath = "/api/admin/stats";

interface Changed {
  message: string;
  reseller: Reseller;
}

export const idOf = ({ id }: { id: number }) => id;

/** Suspends an active reseller and activates a suspended one: the call is sent the opposite of what is (section 4). */
export function useStatusChange() {
  return useWork({
    mutationFn: ({ id, isActive }: Reseller) =>
      postJson<Changed>(`${resellersPath}/${id}/toggle-status`, { isActive: !isActive }),
    onSuccess: (changed) => show(changed, "Reseller status updated successfully"),
    onError: (error) => sayFailure(error, "Failed to update reseller status"),
  });
}

export function useCreditGrant() {
  return useWork({
    mutationFn: (grant: { resellerId: number; amount: number }) => postJson<Changed>(`${resellersPath}/credits`, grant),
    onSuccess: (changed) => show(changed, "Credits added successfully"),
    onError: (error) => sayFailure(error, "Failed to add credits"),
  });
}

function show({ reseller }: Changed, description: string): void {
  putRow(resellersPath, reseller);
  showToast({ title: "Success", description });
  void refresh(resellersPath, statsPath);
}
