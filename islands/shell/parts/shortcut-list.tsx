import { useState } from "react";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { SwitchField } from "../../ui/field/field.tsx";
import { areLoneKeysOn, isApple, turnLoneKeys } from "../../ui/shortcuts.ts";

/** The keyboard shortcuts, and the switch for single keys, which are easily pressed by mistake. */
export default function ShortcutList(dialog: Openable) {
  const [on, setOn] = useState(areLoneKeysOn);
  function turn(next: boolean) {
    turnLoneKeys(next);
    setOn(next);
  }
  return (
    <Dialog {...dialog} title="Keyboard Shortcuts" width="narrow">
      <dl className="divide-y divide-line">
        {shortcuts().map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2.5">
            <dt className="text-muted">{what}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd key={key} className="h-5 rounded-sm border border-line px-1.5 font-mono text-xs leading-4.5">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <SwitchField
        label="Single-key shortcuts"
        hint="Turn off / and ? if you press them by accident."
        checked={on}
        onChange={({ target }) => turn(target.checked)}
        className="mt-3 border-t border-line pt-3"
      />
    </Dialog>
  );
}

function shortcuts(): { keys: string[]; what: string }[] {
  return [
    { keys: [isApple() ? "⌘" : "Ctrl", "K"], what: "Search pages, actions and keys" },
    { keys: ["/"], what: "Search the list on the page" },
    { keys: ["?"], what: "List the shortcuts" },
    { keys: ["Space"], what: "Select the row" },
    { keys: ["Shift", "↑ ↓"], what: "Select several rows" },
    { keys: ["Tab"], what: "From a selected row to its actions" },
    { keys: ["F8"], what: "Go to the notification" },
    { keys: ["Esc"], what: "Close a dialog, or clear a search or selection" },
  ];
}
