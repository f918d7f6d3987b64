import type { ReactNode } from "react";
import { Button, type ButtonProps, LinkButton, type LinkButtonProps } from "../button.tsx";
import { RowMenuButton } from "./row-menu.tsx";

interface RowAct {
  label: string;
  icon: ReactNode;
  /** What the same button says in other rows: it is as wide as the longer of the two, so that a column of buttons is straight. */
  otherLabel?: string;
}

export interface RowActionProps extends RowAct, Omit<ButtonProps, "children" | "size" | "variant" | "icon"> {
  /** It turns red once it is pointed at itself. */
  danger?: boolean;
}

const tipLook = "list-narrow:tip list-narrow:px-2 list-narrow:last:[--tip-end:-4px] list-narrow:last:[--tip-shift:0]";

/** The icon, and its name in at most two lines. */
export const namedLook =
  "list-named:max-w-14 list-named:min-w-9 list-named:flex-col list-named:gap-0.5 list-named:px-px list-named:text-[0.6875rem] list-named:leading-3";

/** A phone's card has room for the word alone, and its rows for a finger. */
const phoneLook = "max-md:min-w-(--hit-small) max-md:px-1.5 max-md:not-aria-busy:[&_svg]:hidden";

const lookOf = (className = "") => `${tipLook} ${namedLook} ${phoneLook} ${className}`;

/** What can be done with a row of a list. Where the table is narrow only the icon is seen, and the label is its name and its tip; or stands under it, for a finger. */
export function RowAction({ label, otherLabel, danger = false, className, ...rest }: RowActionProps) {
  const variant = danger ? "row-danger" : "row";
  return (
    <Button {...rest} variant={variant} size="small" data-tip={label} className={lookOf(className)}>
      <Label text={label} other={otherLabel} />
    </Button>
  );
}

export interface RowLinkProps extends RowAct, Omit<LinkButtonProps, "children" | "size" | "variant" | "icon"> {}

/** Where a row leads to. */
export function RowLink({ label, otherLabel, className, ...rest }: RowLinkProps) {
  return (
    <LinkButton {...rest} variant="row" size="small" data-tip={label} className={lookOf(className)}>
      <Label text={label} other={otherLabel} />
    </LinkButton>
  );
}

function Label({ text, other }: { text: string; other?: string }) {
  return (
    <span className="grid grid-cols-1 text-left *:[grid-area:1/1] list-narrow:sr-only list-named:not-sr-only list-named:text-center">
      <span>{text}</span>
      {other && (
        <span aria-hidden className="invisible max-md:hidden">
          {other}
        </span>
      )}
    </span>
  );
}

/** Keeps the place of an action that this row does not have, so that the others stand under those of the rows above. */
export function RowActionPlace(act: RowAct) {
  return (
    <span aria-hidden className="invisible max-md:hidden">
      <RowAction {...act} disabled />
    </span>
  );
}

/** Takes the room of a row's actions until the row comes. */
export function RowActionsSkeleton({ actions, withMenu = false }: { actions: readonly RowAct[]; withMenu?: boolean }) {
  return (
    <span aria-hidden className="invisible block">
      <RowActions>
        {actions.map((action) => (
          <RowAction key={action.label} {...action} disabled />
        ))}
        {withMenu && <RowMenuButton disabled />}
      </RowActions>
    </span>
  );
}

/** The actions of one row, side by side at its right. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className="flex justify-end gap-1 list-named:gap-0 max-md:-mr-1.5 max-md:flex-wrap">{children}</span>;
}
