import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { useHydrated } from "../../runtime/hydration.ts";
import { fetchedAhead } from "../../runtime/preload.ts";
import { Button } from "../../ui/button.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { isApple, isBarKey, isInDialog, isLoneKey } from "../../ui/shortcuts.ts";

/** Every page has only this button and its keys of the command bar; the rest is loaded when it is opened. */
const CommandBar = lazyDialog(() => import("./command-bar.tsx"));
const ShortcutList = lazyDialog(() => import("./shortcut-list.tsx"));

/** Opens the command bar on Ctrl or ⌘ K, and the list of shortcuts on `?` (rules.md: Command bar). */
export function CommandButton({ role }: { role: Role }) {
  const hydrated = useHydrated();
  const [bar, setBar] = useState(false);
  const [list, setList] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (isBarKey(event) && !isInDialog(event)) setBar(true);
      else if (isLoneKey(event, "?")) setList(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", open);
    return () => document.removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <Button
        data-tip="Search"
        icon={<Search size={18} />}
        variant="ghost"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className={buttonLook}
        onClick={() => setBar(true)}
        {...fetchedAhead(CommandBar.load)}
      >
        <span className="grow text-left font-normal max-md:sr-only">Search…</span>
        <kbd aria-hidden className="rounded-sm border border-line px-1.5 font-mono text-xs leading-4.5 max-md:hidden">
          {hydrated && isApple() ? "⌘ K" : "Ctrl K"}
        </kbd>
      </Button>
      <CommandBar role={role} open={bar} onOpenChange={setBar} onShortcuts={() => setList(true)} />
      <ShortcutList open={list} onOpenChange={setList} />
    </>
  );
}

/** On a desktop it looks like a field, on a phone it is an icon. */
const buttonLook = clsx(
  "tip [--tip-inset:calc(100%+6px)_50%_auto_auto] max-md:w-(--hit) max-md:px-0",
  "md:w-44 md:border-line md:bg-card md:px-2.5 md:after:hidden lg:w-60",
);
