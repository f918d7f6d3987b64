import { useSignals } from "@preact/signals-react/runtime";
import { lazy, Suspense, useEffect } from "react";
import { usePreload } from "../preload.ts";
import { currentToast, showCarriedToast } from "./toast-store.ts";

/** Its 12 kB come once somebody is at the page, so that a toast which tells of a lost network does not need one. */
const loadToastView = () => import("./toast-view.tsx");
const ToastView = lazy(loadToastView);

/** Stands once on every page. */
export function Toaster() {
  useSignals();
  useEffect(showCarriedToast, []);
  usePreload(loadToastView);
  const toast = currentToast.value;
  if (toast === null) return null;
  return (
    <Suspense fallback={null}>
      <ToastView toast={toast} />
    </Suspense>
  );
}
