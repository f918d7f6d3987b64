import { Menu as Radix } from "radix-ui/internal";
import type { ReactNode, RefObject } from "react";
import type { Openable } from "./dialog/lazy-dialog.tsx";
import { focusOnArrival } from "./focus.ts";

export interface MenuItem {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

interface MenuProps extends Openable {
  /** The button that it belongs to, which keeps standing where it is while this comes late. */
  button: RefObject<HTMLElement | null>;
  /** What the menu is for, to those who do not see where it stands. */
  label: string;
  items: readonly MenuItem[];
}

/** Radix's menu without its trigger, which would have to be there from the start and brings 33 kB along. By `RowMenu`. */
export default function Menu({ open, onOpenChange, button, label, items }: MenuProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Anchor virtualRef={button as RefObject<HTMLElement>} />
      {/* In the page's landmark: unlike a dialog, a menu that stands beside all of them belongs to none. */}
      <Radix.Portal container={button.current?.closest("main")}>
        <Radix.Content
          aria-label={label}
          loop
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A dialog that was chosen, or another control that was pressed, has it by now.
            if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
          }}
          // The button closes its menu itself.
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
          className="z-30 grid min-w-44 rounded-lg border border-line bg-overlay p-1 lifted outline-none data-[state=open]:animate-settle"
        >
          {items.map(({ label: words, icon, onSelect }, index) => (
            <Radix.Item
              key={words}
              ref={index === 0 ? focusOnArrival : undefined}
              onSelect={() => {
                // What is opened gives the focus back to what had it.
                button.current?.focus({ preventScroll: true });
                onSelect();
              }}
              className="flex min-h-(--hit) cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 font-medium text-muted outline-none data-highlighted:bg-hover data-highlighted:text-text"
            >
              {icon}
              {words}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
