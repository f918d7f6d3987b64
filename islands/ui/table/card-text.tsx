import type { ReactNode } from "react";
import { countText, creditsText } from "../../format.ts";

/** What a phone's card has to say in words, because it has no headings. */
export function OnCard({ children }: { children: ReactNode }) {
  return <span className="md:hidden">{children}</span>;
}

/** Between two facts on a card. It follows the first, so that no line begins with it. */
export function Dot() {
  return (
    <span aria-hidden className="md:hidden">
      {" ·"}
    </span>
  );
}

/** A count, whose unit a card has to say. */
export function Count({ of: count, unit }: { of: number; unit: string }) {
  return (
    <>
      {countText(count)}
      <OnCard> {count === 1 ? unit : `${unit}s`}</OnCard>
    </>
  );
}

/** Credits, which are the figure of a card. */
export function Amount({ credits }: { credits: number }) {
  return (
    <span className="max-md:font-semibold">
      {creditsText(credits)}
      <OnCard> {credits === 1 ? "credit" : "credits"}</OnCard>
    </span>
  );
}

/** A username, of which a narrow column has room for a part. */
export function Name({ of: username }: { of: string }) {
  return (
    <span translate="no" title={username} className="whitespace-normal wrap-anywhere md:line-clamp-2">
      {username}
    </span>
  );
}

/** A username in a sentence. */
export function StrongName({ of: username }: { of: string }) {
  return (
    <strong translate="no" className="font-medium text-text">
      {username}
    </strong>
  );
}

/** A key, a code or an address: in their font, and never translated. */
export function Verbatim({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <code translate="no" className={`key-text ${className}`}>
      {children}
    </code>
  );
}
