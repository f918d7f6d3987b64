import { Button, type ButtonProps } from "./button.tsx";

interface CardActionProps extends Pick<ButtonProps, "icon" | "onClick"> {
  label: string;
  /** Which card it is on, for screen readers. */
  about: string;
  danger?: boolean;
}

/** An action of one card of many. */
export function CardAction({ label, about, danger, ...button }: CardActionProps) {
  return (
    <Button {...button} size="small" variant={danger ? "row-danger" : "row"} aria-label={`${label} ${about}`}>
      {label}
    </Button>
  );
}
