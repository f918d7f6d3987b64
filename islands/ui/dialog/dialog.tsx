import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useRef } from "react";
import { useBackCloses } from "../../runtime/back-closes.ts";
import { IconButton } from "../button.tsx";
import { KeptFocus } from "../focus/kept-focus.ts";
import { escapeCloses } from "./escape.ts";
import { useFocusReturn } from "./focus-return.ts";
import { OverDialogs, spareOverDialogs } from "./over-dialogs.ts";
import { useSheetDrag } from "./sheet-drag.ts";
import { bodyLook, headLook, scrimLook, surfaceLook } from "./surface.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Said after the title when the dialog opens. */
  description?: ReactNode;
  /** Stays in view under the scrolling body: the buttons. A form's submit button reaches it through the `form` attribute. */
  footer?: ReactNode;
  width?: "narrow" | "medium" | "wide";
  /** At work: until that is done nothing closes it, because what is typed and what comes back belong to this dialog. */
  busy?: boolean;
  /** What it shows is shown this once: only a button inside closes it, no key, no drag and no press beside it. */
  stays?: boolean;
  children: ReactNode;
}

const widths = { narrow: "md:max-w-sm", medium: "md:max-w-lg", wide: "md:max-w-2xl" };

/**
 * Traps the focus, closes on Esc and on a press outside, and gives the focus back to what opened it. Below 768 px it is a sheet
 * that rises from the bottom and that a downward drag closes.
 */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, footer, width = "medium", busy = false, stays = false } = props;
  const sheet = useRef<HTMLDivElement>(null);
  const focusReturn = useFocusReturn();
  const held = busy || stays;
  const close = () => held || onOpenChange(false);
  const drag = useSheetDrag(sheet, held ? null : close);
  useBackCloses(open, held ? null : close);
  return (
    <Radix.Root open={open} onOpenChange={(next) => held || onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          ref={sheet}
          // While it leaves, the second press of a double click must not begin again what closed it.
          inert={!open}
          {...focusReturn}
          {...escapeCloses(sheet, close)}
          onInteractOutside={spareOverDialogs}
          className={clsx(surfaceLook, "w-full", widths[width])}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div {...drag} className={headLook}>
            {!stays && <SheetHandle />}
            <div className="flex items-start justify-between gap-4">
              {/* A title of one line stands in the middle of the button's height, whatever that is. */}
              <div className="min-w-0 pt-[calc((var(--hit)-1.5rem)/2)]">
                <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
                {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
              </div>
              {!stays && (
                <Radix.Close asChild>
                  <IconButton
                    label="Close"
                    icon={<X aria-hidden size={18} />}
                    disabled={busy}
                    className="-mr-2 after:hidden!"
                  />
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

/** Shows that the sheet can be dragged. */
export function SheetHandle() {
  return <span aria-hidden className="mx-auto mb-2 block h-1 w-9 rounded-full bg-edge md:hidden" />;
}

/** On phones the buttons stand one above the other, the important one on top, and fill the width. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-col-reverse gap-2 border-t border-line px-4 py-3 md:flex-row md:justify-end md:px-5">
      {children}
    </div>
  );
}
