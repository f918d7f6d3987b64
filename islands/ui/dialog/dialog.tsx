import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useEffect, useRef } from "react";
import { doublePressMs } from "../../runtime/once.ts";
import { Button, IconButton } from "../button.tsx";
import { KeptFocus } from "../focus.ts";
import type { Openable } from "./lazy-dialog.tsx";
import { headLook, OverDialogs, scrimLook, spareOverDialogs, surfaceLook, useSurface } from "./surface.ts";

export interface DialogProps extends Openable {
  title: ReactNode;
  /** Read out after the title when the dialog opens. */
  description?: ReactNode;
  /**
   * The buttons, which stay in view under the scrolling body. A form's submit button reaches it through the `form`
   * attribute.
   */
  footer?: ReactNode;
  width?: "narrow" | "medium" | "wide";
  /** While busy nothing closes the dialog, because the typed text and the response belong to it. */
  busy?: boolean;
  /**
   * It shows something that is not shown again: only a button inside closes it, no key, no drag and no press outside.
   */
  stays?: boolean;
  /** Called when it has gone and has given back the focus. */
  onClosed?: () => void;
  children: ReactNode;
}

const widths = { narrow: "md:max-w-sm", medium: "md:max-w-lg", wide: "md:max-w-2xl" };

/**
 * Traps the focus, closes on Esc and on a press outside, and gives the focus back to what opened it. Below 768 px it is
 * a sheet that rises from the bottom and that a downward drag closes.
 */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, footer, width = "medium", busy = false, stays = false } = props;
  const held = busy || stays;
  const { sheet, drag, content } = useSurface(open, held ? null : () => onOpenChange(false), props.onClosed);
  return (
    <Radix.Root open={open} onOpenChange={(next) => held || onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          {...content}
          onInteractOutside={spareOverDialogs}
          className={clsx(surfaceLook, "w-full", widths[width])}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div {...drag} className={headLook}>
            {!stays && <SheetHandle />}
            <div className="flex items-start justify-between gap-4">
              {/* Centres a title of one line on the button's height, whatever that is. */}
              <div className="min-w-0 pt-[calc((var(--hit)-1.5rem)/2)]">
                <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
                {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
              </div>
              {!stays && (
                <Radix.Close asChild>
                  <IconButton label="Close" icon={<X size={18} />} disabled={busy} className="-mr-2 after:hidden!" />
                </Radix.Close>
              )}
            </div>
          </div>
          <div className={bodyLook}>{props.children}</div>
          {footer && <DialogFooter>{footer}</DialogFooter>}
          <KeptFocus />
          <OverDialogs dialog={sheet} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const bodyLook =
  "min-h-0 grow overflow-y-auto overscroll-contain px-4 pb-4 md:px-5 md:pb-5 [@media(max-height:30rem)]:shrink-0 [@media(max-height:30rem)]:overflow-visible";

/** Shows that the sheet can be dragged. */
export function SheetHandle() {
  return <span aria-hidden className="mx-auto mb-2 block h-1 w-9 rounded-full bg-edge md:hidden" />;
}

/** On phones the buttons are stacked at full width, the important one on top. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-col-reverse gap-2 border-t border-line px-4 py-3 md:flex-row md:justify-end md:px-5">
      {children}
    </div>
  );
}

/**
 * The one way out of a dialog that `stays`. A press right after the dialog appeared may be the second one of a double
 * click meant for what was there before. While it is there, the browser asks before it leaves the page.
 */
export function KeptButton({ label, onKept }: { label: string; onKept: () => void }) {
  const shownMs = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    shownMs.current = performance.now();
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Button
      variant="primary"
      // An Enter that has been held since then repeats for as long as it is held.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => performance.now() < shownMs.current + doublePressMs || onKept()}
    >
      {label}
    </Button>
  );
}
