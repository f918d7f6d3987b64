import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { BoughtKeys, KeyPurchase } from "../../../src/keys/schema.ts";
import { ApiFailure, failureText, postJson } from "../../api.ts";
import { queryClient, refresh, sessionQuery } from "../../query.ts";
import { errorToastDurationMs, showToast } from "../../ui/toast-store.ts";
import type { PurchaseValues } from "./purchase-form.tsx";

export type Bought = BoughtKeys["keys"];

/** Buys what the form holds; what was typed stays there when it fails. */
export function usePurchase(
  resellerId: number,
  form: UseFormReturn<PurchaseValues, unknown, KeyPurchase>,
  onBought: (keys: Bought) => void,
) {
  const idempotencyKeyFor = useIdempotencyKeys();
  const purchase = useMutation({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body = { ...order, resellerId };
      const headers = { "idempotency-key": idempotencyKeyFor.current(body) };
      return postJson<BoughtKeys>("/api/reseller/keys/generate", body, headers);
    },
    onSuccess: ({ keys }) => {
      idempotencyKeyFor.current = createIdempotencyKeys();
      form.setValue("keyString", "");
      showToast({ title: "Success", description: `Generated ${keys.length} key(s) successfully` });
      onBought(keys);
      void refresh("/api/reseller/keys", "/api/reseller/profile");
    },
    onError: (error, { count }) => {
      showToast({
        title: "Error",
        description: failureText(error, count === 1 ? "Failed to generate key" : "Failed to generate keys"),
        style: "destructive",
        durationMs: errorToastDurationMs,
      });
      for (const [index, { path, message }] of fieldProblemsOf(error).entries()) {
        form.setError(path as keyof PurchaseValues, { type: "server", message }, { shouldFocus: index === 0 });
      }
      // The balance that the form was priced with was an old one.
      if (error instanceof ApiFailure && error.code === "CREDITS_SHORT") void refresh("/api/reseller/profile");
    },
  });
  return { buy: (order: KeyPurchase) => purchase.mutate(order), busy: purchase.isPending };
}

/** Section 7: the session is asked for before keys are generated. Somebody else's session in this browser is not this page's. */
async function refuseLostSession(resellerId: number): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (!session.isAuthenticated || session.user?.id !== resellerId) {
    throw new ApiFailure(401, "User session not found. Please log in again.");
  }
}

function useIdempotencyKeys() {
  return useRef(createIdempotencyKeys());
}

/**
 * An order that is sent again unchanged carries the key of the first try, so that a lost answer is never paid twice; a changed order
 * is another submission.
 */
function createIdempotencyKeys(): (order: KeyPurchase) => string {
  let last = { order: "", key: "" };
  return (order) => {
    const text = JSON.stringify(order);
    if (text !== last.order) last = { order: text, key: randomKey() };
    return last.key;
  };
}

/** `crypto.randomUUID` is missing where the panel is reached by plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fieldProblemsOf(error: unknown): { path: string; message: string }[] {
  if (!(error instanceof ApiFailure)) return [];
  return error.code === "KEY_TAKEN" ? [{ path: "keyString", message: error.message }] : error.errors;
}
