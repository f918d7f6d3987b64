import type { ReactNode } from "react";

/** A link in text. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="rounded-sm underline decoration-edge underline-offset-3 hover:decoration-current">
      {children}
    </a>
  );
}
