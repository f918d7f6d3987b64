import { clsx } from "clsx";
import * as Radix from "radix-ui/alert-dialog";
import { type FormEvent, type ReactNode, useState } from "react";
import { useOnce } from "../../runtime/once.ts";
import { Button } from "../button.tsx";
import { TextField } from "../field/field.tsx";
import { Verbatim } from "../table/card-text.tsx";
import { DialogFooter, SheetHandle } from "./dialog.tsx";
import type { Openable } from "./lazy-dialog.tsx";
import { headLook, OverDialogs, scrimLook, surfaceLook, useSurface } from "./surface.ts";

interface ConfirmProps extends Openable {
  title: string;
  /** What will happen, and how much it affects. */
  text: ReactNode;
  /** The label of the button; by default the title. */
  confirmLabel?: string;
  busyLabel: string;
  /** `primary` for what can be taken back. */
  variant?: "danger" | "primary";
  /** A word that has to be typed before the button works, such as RESET. */
  typedWord?: string;
  /** The dialog closes when this succeeds, and stays open when it fails; the caller reports why. */
  onConfirm: () => unknown;
  /** Further fields, below the text. They are reset when the dialog closes. */
  children?: ReactNode;
  /** Called when the dialog is gone and has given the focus back: the next one may open. */
  onClosed?: () => void;
}

/**
 * Asks before an action that affects others or cannot be undone. A press outside does not close it; Esc and the cancel button do, unless
 * it is at work.
 */
export function Confirm(props: ConfirmProps) {
  const { open, onOpenChange } = props;
  const [busy, setBusy] = useState(false);
  const { start } = useOnce(async () => {
    setBusy(true);
    try {
      await props.onConfirm();
      onOpenChange(false);
    } finally {
      setBusy(false);
    }
  });
  // A failure leaves the dialog open for another try.
  const confirm = () => void start().catch(() => {});
  const { sheet, drag, content } = useSurface(open, busy ? null : () => onOpenChange(false), props.onClosed);

  return (
    <Radix.Root open={open} onOpenChange={(next) => busy || onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content {...content} className={clsx(surfaceLook, "w-full md:max-w-md")}>
          {/* A separate component, so that the typed word is dropped when the dialog closes. */}
          <ConfirmForm {...props} busy={busy} confirm={confirm} drag={drag} />
          <OverDialogs dialog={sheet} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmFormProps extends ConfirmProps {
  busy: boolean;
  confirm: () => void;
  drag: ReturnType<typeof useSurface>["drag"];
}

function ConfirmForm(props: ConfirmFormProps) {
  const { title, text, confirmLabel, busyLabel, variant = "danger", typedWord, children, busy, confirm, drag } = props;
  const [typed, setTyped] = useState("");
  const wordIsMissing = typedWord !== undefined && typed.trim() !== typedWord;

  function submit(event: FormEvent) {
    event.preventDefault();
    // The dialog may be inside another form of the React tree, which must not be submitted with it.
    event.stopPropagation();
    if (!busy && !wordIsMissing) confirm();
  }

  return (
    <form onSubmit={submit} className="contents">
      {/* On a low screen this part scrolls, so that the buttons stay in view. */}
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">
        <div {...drag} className={headLook}>
          <SheetHandle />
          <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
        </div>
        <div className="px-4 pb-4 md:px-5">
          <Radix.Description className="text-muted">{text}</Radix.Description>
          {typedWord !== undefined && (
            <TextField
              className="mt-4 pb-1"
              label={
                <>
                  Type <Verbatim className="text-danger-text">{typedWord}</Verbatim> to confirm
                </>
              }
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoCapitalize="characters"
              spellCheck={false}
            />
          )}
          {children && <div className="mt-4 pb-1">{children}</div>}
        </div>
      </div>
      <DialogFooter>
        <Radix.Cancel asChild>
          <Button disabled={busy}>Cancel</Button>
        </Radix.Cancel>
        <Button type="submit" variant={variant} busy={busy} busyText={busyLabel} disabled={wordIsMissing}>
          {confirmLabel ?? title}
        </Button>
      </DialogFooter>
    </form>
  );
}
