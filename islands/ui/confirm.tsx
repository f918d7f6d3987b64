import { clsx } from "clsx";
import * as Radix from "radix-ui/alert-dialog";
import { type FormEvent, type ReactNode, useState } from "react";
import { useOnce } from "../once.ts";
import { Button } from "./button.tsx";
import { DialogFooter } from "./dialog.tsx";
import { scrimLook, surfaceLook } from "./dialog-surface.ts";
import { closeOnEscape } from "./escape.ts";
import { TextField } from "./field.tsx";
import { useFocusReturn } from "./focus-return.ts";

export interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and to how many. */
  text: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  cancelLabel?: string;
  destructive?: boolean;
  /** A word that has to be typed before the button answers, such as RESET. */
  typedWord?: string;
  /** The dialog closes when this is done, and stays open when it fails; saying why is the caller's part. */
  onConfirm: () => unknown;
}

/** Asks before what cannot be undone. A press outside does not close it; Esc and the cancel button do, unless it is at work. */
export function Confirm(props: ConfirmProps) {
  const { open, onOpenChange } = props;
  const [busy, setBusy] = useState(false);
  const focusReturn = useFocusReturn();
  const { start } = useOnce(async () => {
    setBusy(true);
    try {
      await props.onConfirm();
      onOpenChange(false);
    } finally {
      setBusy(false);
    }
  });
  // What fails leaves the dialog open, so that one can try again.
  const confirm = () => void start().catch(() => {});

  return (
    <Radix.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          {...focusReturn}
          onKeyDown={closeOnEscape(() => !busy && onOpenChange(false))}
          className={clsx(surfaceLook, "w-full md:max-w-md")}
        >
          {/* Its own component, so that the typed word is forgotten each time the dialog closes. */}
          <ConfirmForm {...props} busy={busy} confirm={confirm} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function ConfirmForm(props: ConfirmProps & { busy: boolean; confirm: () => void }) {
  const {
    title,
    text,
    confirmLabel,
    busyLabel,
    cancelLabel = "Cancel",
    destructive = false,
    typedWord,
    busy,
    confirm,
  } = props;
  const [typed, setTyped] = useState("");
  const wordIsMissing = typedWord !== undefined && typed.trim() !== typedWord;

  function submit(event: FormEvent) {
    event.preventDefault();
    // The dialog may stand inside another form of the React tree, which must not be submitted with it.
    event.stopPropagation();
    if (!busy && !wordIsMissing) confirm();
  }

  return (
    <form onSubmit={submit} className="contents">
      {/* On a low screen this part scrolls, so that the buttons stay in view. */}
      <div className="min-h-0 grow overflow-y-auto overscroll-contain px-4 pt-5 pb-4 md:px-5">
        <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
        <Radix.Description className="mt-2 text-muted">{text}</Radix.Description>
        {typedWord !== undefined && (
          <TextField
            className="mt-4 pb-1"
            label={
              <>
                Type <span className="key-text text-danger-text">{typedWord}</span> to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        )}
      </div>
      <DialogFooter>
        <Radix.Cancel asChild>
          <Button disabled={busy}>{cancelLabel}</Button>
        </Radix.Cancel>
        <Button
          type="submit"
          variant={destructive ? "danger" : "primary"}
          busy={busy}
          busyText={busyLabel}
          disabled={wordIsMissing}
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
