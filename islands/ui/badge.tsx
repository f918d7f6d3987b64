import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

const look = cva(
  "inline-flex h-5.5 items-center gap-1.5 rounded-full border px-2 text-xs font-medium whitespace-nowrap",
  {
    variants: {
      tone: {
        active: "border-active/25 bg-active/10 text-active",
        expired: "border-expired/25 bg-expired/10 text-expired",
        revoked: "border-revoked/25 bg-revoked/10 text-revoked",
        other: "border-other/25 bg-other/10 text-other",
        plain: "border-line bg-raised text-muted",
      },
    },
  },
);

export type Tone = "active" | "expired" | "revoked" | "other" | "plain";

/** A coloured word. The dot is decoration; the word alone says it too. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={look({ tone })}>
      {dot && <span aria-hidden className="size-1.5 rounded-full bg-current list-narrow:hidden" />}
      {children}
    </span>
  );
}
