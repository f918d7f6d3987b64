import { cva } from "class-variance-authority";
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import * as Radix from "radix-ui/toast";
import type { ComponentProps } from "react";
import { Button, IconButton } from "../button.tsx";
import { dismissToast, durationMsOf, type Toast } from "./store.ts";

/** A swipe of this length dismisses, and F8 moves the focus to the toast. */
const swipePixelsMin = 50;
const hotkey = ["F8"];

/** F8 focuses the list of toasts, and the ring is around the toast. */
const look = cva(
  "pointer-events-auto flex items-start gap-3 rounded-lg border bg-overlay in-focus-visible:outline-2 in-focus-visible:outline-offset-2 in-focus-visible:outline-brass py-3 pr-2 pl-4 lifted data-[state=open]:animate-slide data-[state=closed]:animate-unslide data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-full",
  {
    variants: {
      style: { default: "border-line", destructive: "border-danger-line" },
      brief: { true: "max-md:items-center max-md:py-0" },
    },
  },
);

export default function ToastView({ toast, place }: { toast: Toast; place: ComponentProps<"ol"> }) {
  const { style = "default", brief } = toast;
  return (
    <Radix.Provider label="Notification" swipeThreshold={swipePixelsMin}>
      <Radix.Root
        key={toast.id}
        open={toast.open}
        onOpenChange={(open) => !open && dismissToast(toast.id)}
        duration={durationMsOf(toast)}
        className={look({ style, brief })}
      >
        {style === "destructive" ? (
          <CircleAlert size={18} className="mt-2 shrink-0 text-danger-text" />
        ) : (
          <CircleCheck
            size={18}
            className={clsx("shrink-0 text-muted", brief ? "max-[22.5rem]:hidden md:mt-2" : "mt-2")}
          />
        )}
        <div className="min-w-0 grow py-1.5">
          <Radix.Title className={clsx("font-medium", brief && "max-md:sr-only")}>{toast.title}</Radix.Title>
          {toast.description && (
            <Radix.Description className={clsx("mt-0.5 text-muted", brief && "max-md:truncate")}>
              {toast.description}
            </Radix.Description>
          )}
          {toast.action && (
            <Radix.Action altText={toast.action.label} asChild onClick={toast.action.onPress}>
              <Button size="small" className="mt-2.5">
                {toast.action.label}
              </Button>
            </Radix.Action>
          )}
        </div>
        <Radix.Close asChild>
          <IconButton size="small" label="Dismiss" icon={<X size={16} />} className="after:hidden!" />
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport hotkey={hotkey} label="Notifications ({hotkey})" {...place} />
    </Radix.Provider>
  );
}
