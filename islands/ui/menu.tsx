import { clsx } from "clsx";
import { Menu as Radix } from "radix-ui/internal";
import type { ReactNode, RefObject } from "react";
import type { Guarded } from "../runtime/rights.ts";
import type { Openable } from "./dialog/lazy-dialog.tsx";
import { focusOnArrival } from "./focus.ts";

export interface MenuItem extends Guarded {
  label: string;
  icon: ReactNode;
  danger?: boolean;
  /** A page; without one, `onSelect` is called. */
  href?: string;
  onSelect?: () => void;
}

interface MenuProps extends Openable {
  /** Its button, which stays in place while the menu is loaded. */
  button: RefObject<HTMLElement | null>;
  /** The subject of the menu, for screen readers. */
  label: string;
  items: readonly MenuItem[];
}

/**
 * Radix's menu without its trigger, which would have to be there from the start and weighs 33 kB. Its items are actions or links.
 */
export default function Menu({ open, onOpenChange, button, label, items }: MenuProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Anchor virtualRef={button as RefObject<HTMLElement>} />
      {/* Inside the landmark of its button: unlike a dialog, a menu outside of it would belong to none. */}
      <Radix.Portal container={button.current?.closest<HTMLElement>("main, header")}>
        <Radix.Content
          aria-label={label}
          loop
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // By then a dialog or another control may have the focus.
            if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
          }}
          // The button closes its menu itself.
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
          className="z-30 grid min-w-44 rounded-lg border border-line bg-overlay p-1 lifted outline-none data-[state=open]:animate-settle"
        >
          {items.map(({ label: words, icon, danger, href, onSelect }, index) => {
            const Element = href === undefined ? "div" : "a";
            return (
              <Radix.Item
                key={words}
                ref={index === 0 ? focusOnArrival : undefined}
                asChild
                onSelect={() => {
                  // A dialog returns the focus to the element that had it.
                  button.current?.focus({ preventScroll: true });
                  onSelect?.();
                }}
                className={clsx(
                  "flex min-h-(--hit) cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 font-medium text-muted outline-none data-highlighted:bg-hover",
                  danger ? "data-highlighted:text-danger-text" : "data-highlighted:text-text",
                )}
              >
                <Element href={href}>
                  {icon}
                  {words}
                </Element>
              </Radix.Item>
            );
          })}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
