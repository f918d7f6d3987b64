import type { ReactNode } from "react";
import { Button, type ButtonProps, LinkButton, type LinkButtonProps } from "../button.tsx";

export interface RowActionProps extends Omit<ButtonProps, "children" | "size"> {
  label: string;
  icon: ReactNode;
}

const tipLook = "list-narrow:tip list-narrow:px-2 list-narrow:last:[--tip-end:-4px] list-narrow:last:[--tip-shift:0]";
const labelLook = "list-narrow:sr-only";

/** What can be done with a row of a list. Where the table is narrow only the icon is seen, and the label is its name and its tip. */
export function RowAction({ label, icon, className = "", ...rest }: RowActionProps) {
  return (
    <Button {...rest} size="small" icon={icon} data-tip={label} className={`${tipLook} ${className}`}>
      <span className={labelLook}>{label}</span>
    </Button>
  );
}

export interface RowLinkProps extends Omit<LinkButtonProps, "children" | "size"> {
  label: string;
  icon: ReactNode;
}

/** Where a row leads to. */
export function RowLink({ label, icon, className = "", ...rest }: RowLinkProps) {
  return (
    <LinkButton {...rest} size="small" icon={icon} data-tip={label} className={`${tipLook} ${className}`}>
      <span className={labelLook}>{label}</span>
    </LinkButton>
  );
}

/** Takes the room of a row's actions until the row comes. */
export function RowActionsSkeleton({ actions }: { actions: readonly Pick<RowActionProps, "label" | "icon">[] }) {
  return (
    <span aria-hidden className="invisible block">
      <RowActions>
        {actions.map((action) => (
          <RowAction key={action.label} {...action} disabled />
        ))}
      </RowActions>
    </span>
  );
}

/** The actions of one row: at the right of a table, side by side across a phone's card. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className="flex justify-end gap-2 max-md:flex-wrap max-md:*:grow list-narrow:gap-1">{children}</span>;
}
