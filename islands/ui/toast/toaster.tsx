import { useSignals } from "@preact/signals-react/runtime";
import { useEffect } from "react";
import { useLazy } from "../../runtime/lazy.ts";
import { usePreload } from "../../runtime/preload.ts";
import { Button } from "../button.tsx";
import { currentToast, dismissToast, durationMsOf, showCarriedToast, type Toast } from "./store.ts";

/** Its 12 kB are loaded at the first sign of a user, so that a toast about a lost network does not need one. */
const loadToastView = () => import("./view.tsx");

/**
 * The place of toasts: from 768 px on at the bottom right. Below that above the bottom bar, but over an open sheet, whose
 * buttons are there, at the top under the header and its notice.
 */
const placeLook = [
  "pointer-events-none fixed right-0 bottom-0 z-60 w-full p-4 outline-none empty:p-0 sm:max-w-100",
  "max-md:bottom-[var(--bottom-bar,0px)] max-md:in-[body:has(>[role$=dialog][data-state=open])]:bottom-auto",
  "max-md:in-[body:has(>[role$=dialog][data-state=open])]:top-(--sticky-top)",
  "max-md:in-[body:has(>[role$=dialog][data-state=open])]:[--slide-from:calc(-100%-1rem)]",
].join(" ");

/** The `ref` of that place. A sheet leaves room for the toast, so that its title and its close button stay in view. */
const followToast = (place: HTMLElement | null) => followHeight(place, "--toast");

/** Rendered once on every page. */
export function Toaster() {
  useSignals();
  useEffect(showCarriedToast, []);
  usePreload(loadToastView);
  const toast = currentToast.value;
  const { Part: ToastView, lost } = useLazy(loadToastView, toast?.id);
  if (!toast) return null;
  if (ToastView) return <ToastView toast={toast} place={{ ref: followToast, className: placeLook }} />;
  return lost && toast.open && <PlainToast toast={toast} />;
}

/** Without script, for a network lost before it was loaded: the message is shown all the same. */
function PlainToast({ toast }: { toast: Toast }) {
  const { id, title, description, action } = toast;
  const durationMs = durationMsOf(toast);
  useEffect(() => {
    if (!Number.isFinite(durationMs)) return;
    const end = setTimeout(() => dismissToast(id), durationMs);
    return () => clearTimeout(end);
  }, [id, durationMs]);
  return (
    <div ref={followToast} className={placeLook}>
      <div role="alert" className="pointer-events-auto rounded-lg border border-edge bg-overlay p-4 lifted">
        <p className="font-medium">{title}</p>
        <p className="mt-0.5 mb-2.5 text-muted">{description}</p>
        <div className="flex gap-2">
          {action && (
            <Button size="small" onClick={action.onPress}>
              {action.label}
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={() => dismissToast(id)}>
            Dismiss
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Keeps the height of an element in a CSS variable of the page, for the parts that leave room for it. */
export function followHeight(element: HTMLElement | null, variable: `--${string}`): (() => void) | undefined {
  if (!element || typeof ResizeObserver === "undefined") return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
}
