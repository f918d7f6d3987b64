import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { fetchedAhead } from "../../runtime/preload.ts";
import { IconButton } from "../../ui/button.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { isBarKey, isInDialog, isLoneKey } from "../../ui/shortcuts.ts";

/** Every page has only this button and its keys of the command bar; the rest is loaded when it is opened. */
const CommandBar = lazyDialog(() => import("./command-bar.tsx"));
const ShortcutList = lazyDialog(() => import("./shortcut-list.tsx"));

/** Opens the command bar on Ctrl or ⌘ K, and the list of shortcuts on `?` (rules.md: Command bar). */
export function CommandButton({ role }: { role: Role }) {
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
      <IconButton
        label="Search"
        icon={<Search size={18} />}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="[--tip-inset:calc(100%+6px)_50%_auto_auto]"
        onClick={() => setBar(true)}
        {...fetchedAhead(CommandBar.load)}
      />
      <CommandBar role={role} open={bar} onOpenChange={setBar} onShortcuts={() => setList(true)} />
      <ShortcutList open={list} onOpenChange={setList} />
    </>
  );
}
