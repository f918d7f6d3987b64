import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { useHydrated } from "../runtime/hydration.ts";
import { type Guarded, useRights } from "../runtime/rights.ts";
import { SpinnerIcon } from "./skeleton.tsx";

/**
 * Actions of one row, or one card, of many: inconspicuous until the row is pointed at, and framed then. On a phone they
 * are lower than what a finger hits.
 */
const rowLook =
  "touch max-md:min-h-8 max-md:bg-raised border-transparent text-muted group-hover/row:text-text md:group-hover/row:border-edge group-has-focus-visible/row:border-edge";

const look = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-brass text-on-brass [box-shadow:inset_0_1px_0_rgb(255_255_255/0.25)] not-disabled:hover:bg-brass-bright",
        secondary: "border-edge bg-raised text-text not-disabled:hover:bg-hover",
        ghost: "border-transparent text-muted not-disabled:hover:bg-hover not-disabled:hover:text-text",
        danger: "border-transparent bg-danger text-on-danger not-disabled:hover:bg-danger-deep",
        "danger-quiet": "border-danger-line bg-transparent text-danger-text not-disabled:hover:bg-danger-soft",
        row: `${rowLook} not-disabled:hover:bg-hover not-disabled:hover:text-text focus-visible:text-text`,
        "row-danger": `${rowLook} not-disabled:hover:border-danger-line not-disabled:hover:bg-danger-soft not-disabled:hover:text-danger-text focus-visible:border-danger-line focus-visible:text-danger-text`,
      },
      size: {
        small: "min-h-(--hit-small) px-2.5 text-sm",
        medium: "min-h-(--hit) px-3.5 text-base",
        large: "min-h-11 px-4 text-base",
      },
      wide: { true: "w-full", false: "" },
      square: { true: "px-0", false: "" },
    },
    compoundVariants: [
      { square: true, size: "small", class: "w-(--hit-small)" },
      { square: true, size: "medium", class: "w-(--hit)" },
      { square: true, size: "large", class: "w-11" },
    ],
    defaultVariants: { variant: "secondary", size: "medium", wide: false, square: false },
  },
);

type Look = VariantProps<typeof look>;

export interface ButtonProps extends ComponentProps<"button">, Look, Guarded {
  /** While busy the button says so and ignores further presses, but keeps the focus. */
  busy?: boolean;
  /** The text while busy, such as 'Logging in...'; by default it does not change. */
  busyText?: string;
  icon?: ReactNode;
}

export function Button({ need, ...props }: ButtonProps) {
  const { busy = false, busyText, icon, variant, size, wide, square, className, children, onClick, ...rest } = props;
  if (!useRights().may(need)) return null;
  return (
    <button
      type="button"
      {...rest}
      className={look({ variant, size, wide, square, className })}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={busy ? refusePress : onClick}
    >
      {busy ? <SpinnerIcon /> : icon}
      {busy ? (busyText ?? children) : children}
    </button>
  );
}

/**
 * Also stops the form: Enter in a field presses the submit button. A `disabled` button would drop the keyboard's focus
 * instead.
 */
function refusePress(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * For a form that is part of the page: until hydration a press would send the form without its script. Until then it is
 * disabled, but does not look it.
 */
export function SubmitButton({ className, ...props }: ButtonProps) {
  const hydrated = useHydrated();
  return (
    <Button
      {...props}
      type="submit"
      variant="primary"
      disabled={!hydrated}
      className={clsx("disabled:cursor-default disabled:opacity-100", className)}
    />
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children" | "aria-label"> {
  /** Its accessible name, which a tip also shows. */
  label: string;
}

export function IconButton({ label, variant = "ghost", className, ...rest }: IconButtonProps) {
  return (
    <Button {...rest} aria-label={label} data-tip={label} variant={variant} square className={clsx("tip", className)} />
  );
}

export interface LinkButtonProps extends ComponentProps<"a">, Look {
  href: string;
  icon?: ReactNode;
}

/** A real navigation that looks like a button. Nothing where the viewer may not open its page. */
export function LinkButton({ variant, size, wide, icon, className, children, ...rest }: LinkButtonProps) {
  if (!useRights().mayOpen(rest.href)) return null;
  return (
    <a {...rest} className={look({ variant, size, wide, className })}>
      {icon}
      {children}
    </a>
  );
}

/** A link around what is shown in any case: it leads nowhere where the viewer may not open its page. */
export function PageLink({ href, ...rest }: ComponentProps<"a"> & { href: string }) {
  return <a {...rest} href={useRights().mayOpen(href) ? href : undefined} />;
}

/**
 * A link in text, or only its text where the viewer may not open its page. To cut a long one, `className` truncates the
 * link: its focus ring is outside what it cuts.
 */
export function TextLink({ href, className, children }: Pick<LinkButtonProps, "href" | "className" | "children">) {
  if (!useRights().mayOpen(href)) return <span className={className}>{children}</span>;
  return (
    <a
      href={href}
      className={clsx(
        "touch rounded-sm underline decoration-edge underline-offset-3 hover:decoration-current",
        className,
      )}
    >
      {children}
    </a>
  );
}
