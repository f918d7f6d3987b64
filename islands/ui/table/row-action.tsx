import type { ReactNode } from "react";
import { Button, type ButtonProps, LinkButton, type LinkButtonProps } from "../button.tsx";
import type { DataColumn } from "./column.ts";

interface ActionLabel {
  label: string;
  icon: ReactNode;
  /**
   * The label in other rows: the button is as wide as the longer of the two, so that a column of buttons is aligned.
   */
  otherLabel?: string;
  className?: string;
}

interface RowActionProps extends ActionLabel, Omit<ButtonProps, "children" | "size" | "variant" | "icon"> {
  /** It turns red while pointed at. */
  danger?: boolean;
  /** This row lacks it: it only keeps its place, so that the others align with the rows above. */
  isLacking?: boolean;
}

const tipLook = "list-narrow:tip list-narrow:px-2 list-narrow:last:[--tip-end:-4px] list-narrow:last:[--tip-shift:0]";

/** The icon, and its label in at most two lines. */
const namedLook =
  "list-named:max-w-14 list-named:min-w-9 list-named:flex-col list-named:gap-0.5 list-named:px-px list-named:text-[0.6875rem] list-named:leading-3";

/** The card on a phone shows the label only. */
const phoneLook = "max-md:min-w-(--hit-small) max-md:px-2 max-md:not-aria-busy:[&_svg]:hidden";

/** Of a button that has its label everywhere, next to those that have not. */
export const labelledLook = `${namedLook} ${phoneLook}`;

const lookOf = (className = "") => `${tipLook} ${labelledLook} ${className}`;

/**
 * An action of a row. In a narrow table only the icon is visible, with the label as its name and tip; on touch screens
 * the label is below it.
 */
export function RowAction({ label, otherLabel, danger, isLacking, className, ...rest }: RowActionProps) {
  const variant = danger ? "row-danger" : "row";
  if (isLacking) {
    return (
      <span aria-hidden className="invisible max-md:hidden">
        <RowAction {...{ label, otherLabel, className }} icon={rest.icon} need={rest.need} disabled />
      </span>
    );
  }
  return (
    <Button {...rest} variant={variant} size="small" data-tip={label} className={lookOf(className)}>
      <Label text={label} other={otherLabel} />
    </Button>
  );
}

interface RowLinkProps extends ActionLabel, Omit<LinkButtonProps, "children" | "size" | "variant" | "icon"> {}

/** The link of a row. */
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

/**
 * The last column of a list: the actions of each row. Until it is loaded their labels keep the space of the actions,
 * which a card on a phone has no width for.
 */
export function actionsColumn<Row>(
  width: string,
  labels: readonly ActionLabel[],
  actionsOf: (row: Row) => ReactNode,
  { withMenu = false } = {},
): DataColumn<Row> {
  const skeleton = (
    <span aria-hidden className="invisible block">
      <span className={actionsLook}>
        {labels.map(({ label }) => (
          <span key={label} className="list-action-place">
            <span className="md:hidden">{label}</span>
          </span>
        ))}
        {withMenu && <span className="w-(--hit-small) md:w-6.5" />}
      </span>
    </span>
  );
  return {
    id: "actions",
    header: "Actions",
    ...{ width, skeleton, align: "right", card: "actions" },
    cell: (row) => {
      const actions = actionsOf(row);
      return actions && <span className={actionsLook}>{actions}</span>;
    },
  };
}

/** Side by side at the right of the row. */
const actionsLook = "flex justify-end gap-1 list-named:gap-0 max-md:gap-1.5";
