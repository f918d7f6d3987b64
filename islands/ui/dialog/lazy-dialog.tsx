import { type ComponentType, useCallback, useEffect, useState } from "react";
import { type Load, lostPartSentence, useLazy } from "../../runtime/lazy.ts";
import { FullScreenSpinner } from "../skeleton.tsx";
import { showToast } from "../toast/store.ts";

/** A dialog, menu or sheet, opened and closed from outside. */
export interface Openable {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * The state of a dialog about something. The dialog still shows that while it closes. One that starts from the
 * beginning each time has `nth` as its key.
 */
export function useDialog<About extends object>() {
  const [opened, setOpened] = useState<(About & { open: boolean; nth: number }) | null>(null);
  const show = useCallback(
    (about: About) => setOpened((last) => ({ ...about, open: true, nth: (last?.nth ?? 0) + 1 })),
    [],
  );
  /** The props of the dialog; null until it is first shown. */
  const dialog = opened && { ...opened, onOpenChange: (open: boolean) => setOpened({ ...opened, open }) };
  return { dialog, show };
}

/**
 * A dialog whose script is loaded when it is first opened, and which is not rendered before. If the script cannot be
 * loaded, a toast says so and the dialog is closed, so that the next press tries again. `load` loads it ahead of time.
 */
export function lazyDialog<Props extends Openable>(load: Load<Props>): ComponentType<Props> & { load: Load<Props> } {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, where modules are loaded.
  function LazyDialog(props: Props) {
    const { open, onOpenChange } = props;
    const [wasOpened, setWasOpened] = useState(open);
    if (open && !wasOpened) setWasOpened(true);
    const { Part, lost } = useLazy(load, open);
    // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each time that it is lost.
    useEffect(() => {
      if (!lost) return;
      onOpenChange(false);
      showLost();
    }, [lost]);
    if (Part && wasOpened) return <Part {...props} />;
    return open && <FullScreenSpinner look={slowLook} />;
  }
  return Object.assign(LazyDialog, { load });
}

/** Visible only while a script loads slowly. */
const slowLook = "pointer-events-none animate-[appear_150ms_300ms_both]";

/**
 * With a network, a script fails only when it is no longer served: the server has a newer panel, which a reload loads.
 */
function showLost() {
  showToast({
    title: "Error",
    description: lostPartSentence,
    style: "destructive",
    action: navigator.onLine ? { label: "Reload the page", onPress: () => window.location.reload() } : undefined,
  });
}
