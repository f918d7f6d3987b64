import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useRights } from "../runtime/rights.ts";
import { IconButton, type IconButtonProps } from "./button.tsx";
import { lazyDialog } from "./dialog/lazy-dialog.tsx";
import type { MenuItem } from "./menu.tsx";

/** Its 8 kB are loaded at the first sign of a user, or when the menu is opened. */
export const loadMenu = () => import("./menu.tsx");
const Menu = lazyDialog(loadMenu);

interface MenuButtonProps extends Pick<IconButtonProps, "variant" | "className"> {
  /** The subject of the menu, for screen readers. */
  about: string;
  items: readonly MenuItem[];
}

/** Further actions. */
export function MenuButton({ about, items: all, ...look }: MenuButtonProps) {
  const { may } = useRights();
  const items = all.filter(({ need }) => may(need));
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  function openByKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    setOpen(true);
  }
  if (items.length === 0) return null;
  return (
    <>
      <MoreButton
        {...look}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={openByKey}
      />
      <Menu open={open} onOpenChange={setOpen} button={button} label={about} items={items} />
    </>
  );
}

function MoreButton({ variant = "secondary", className, ...button }: Omit<IconButtonProps, "label" | "icon">) {
  return (
    <IconButton
      {...button}
      label="More"
      icon={<Ellipsis size={16} />}
      variant={variant}
      size="small"
      className={clsx("[--tip-end:-4px] [--tip-shift:0] aria-expanded:after:hidden", className)}
    />
  );
}
