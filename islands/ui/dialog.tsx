import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useRef } from "react";
import { IconButton } from "./button.tsx";
import { scrimLook, surfaceLook } from "./dialog-surface.ts";
import { closeOnEscape } from "./escape.ts";
import { useFocusReturn } from "./focus-return.ts";
import { KeptFocus } from "./kept-focus.ts";
import { useSheetDrag } from "./sheet-drag.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Said after the title when the dialog opens. */
  description?: ReactNode;
  /** Stays in view under the scrolling body: the buttons. A form's submit button reaches it through the `form` attribute. */
  footer?: ReactNode;
  width?: "narrow" | "medium" | "wide";
  children: ReactNode;
}

const widths = { narrow: "md:max-w-sm", medium: "md:max-w-lg", wide: "md:max-w-2xl" };

/**
 * Traps the focus, closes on Esc and on a press outside, and gives the focus back to what opened it. Below 768 px it is a sheet
 * that rises from the bottom and that a downward drag closes.
 */
export function Dialog({ open, onOpenChange, title, description, footer, width = "medium", children }: DialogProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const focusReturn = useFocusReturn();
  const drag = useSheetDrag(sheet, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          ref={sheet}
          {...focusReturn}
          onKeyDown={closeOnEscape(() => onOpenChange(false))}
          className={clsx(surfaceLook, "w-full", widths[width])}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div {...drag} className="shrink-0 touch-none px-4 pt-2 pb-4 md:touch-auto md:px-5 md:pt-5">
            <span aria-hidden className="mx-auto mb-2 block h-1 w-9 rounded-full bg-edge md:hidden" />
            <div className="flex items-start justify-between gap-4">
              {/* A title of one line stands in the middle of the button's height, whatever that is. */}
              <div className="min-w-0 pt-[calc((var(--hit)-1.5rem)/2)]">
                <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
                {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
              </div>
              <Radix.Close asChild>
                <IconButton label="Close" icon={<X aria-hidden size={18} />} className="-mr-2 after:hidden" />
              </Radix.Close>
            </div>
          </div>
          <div className="min-h-0 grow overflow-y-auto overscroll-contain px-4 pb-4 md:px-5 md:pb-5">{children}</div>
          {footer && <DialogFooter>{footer}</DialogFooter>}
          <KeptFocus />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** On phones the buttons stand one above the other, the important one on top, and fill the width. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-col-reverse gap-2 border-t border-line px-4 py-3 md:flex-row md:justify-end md:px-5">
      {children}
    </div>
  );
}
