import { useSignals } from "@preact/signals-react/runtime";
import { lazy, Suspense, useEffect } from "react";
import { currentToast, showCarriedToast } from "./toast-store.ts";

/** Its 12 kB come with the first toast, not with the page. */
const ToastView = lazy(() => import("./toast-view.tsx"));

/** Stands once on every page. */
export function Toaster() {
  useSignals();
  useEffect(showCarriedToast, []);
  const toast = currentToast.value;
  if (toast === null) return null;
  return (
    <Suspense fallback={null}>
      <ToastView toast={toast} />
    </Suspense>
  );
}
