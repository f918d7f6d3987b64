import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton, type IconButtonProps } from "../button.tsx";
import { lazyDialog } from "../dialog/lazy-dialog.tsx";
import type { MenuItem } from "../menu.tsx";

/** Its 8 kB come with the first sign of somebody, or when the menu is opened. */
export const loadMenu = () => import("../menu.tsx");
const Menu = lazyDialog(loadMenu);

/** What can be done with a row beside its buttons. `about` is the row's name. */
export function RowMenu({ about, items }: { about: string; items: readonly MenuItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean | null>(null);
  function openByKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    setOpen(true);
  }
  return (
    <>
      <RowMenuButton
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open === true}
        onClick={() => setOpen(!open)}
        onKeyDown={openByKey}
      />
      {open !== null && <Menu open={open} onOpenChange={setOpen} button={button} label={about} items={items} />}
    </>
  );
}

/** Alone it takes the menu's room in a row that is on its way. */
export function RowMenuButton(props: Omit<IconButtonProps, "label" | "icon">) {
  return (
    <IconButton
      {...props}
      label="More"
      icon={<Ellipsis aria-hidden size={16} />}
      variant="row"
      size="small"
      className="[--tip-end:-4px] [--tip-shift:0] aria-expanded:after:hidden md:w-6.5!"
    />
  );
}
