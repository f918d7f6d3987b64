import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton, type IconButtonProps } from "../button.tsx";
import { lazyDialog } from "../dialog/lazy-dialog.tsx";
import type { MenuItem } from "../menu.tsx";

/** Its 8 kB are loaded at the first sign of a user, or when the menu is opened. */
export const loadMenu = () => import("../menu.tsx");
const Menu = lazyDialog(loadMenu);

/** Further actions of a row. `about` is the name of the row. */
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

/** Also keeps its space in a row that is loading. */
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
