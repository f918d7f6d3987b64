import type { ReactNode } from "react";

/** A call that is sent from the page which documents it. `promise` says what that does, and what it does not. */
export function Trial({ promise, children }: { promise: string; children: ReactNode }) {
  return (
    <div className="needs-script min-w-0">
      <h3 className="mb-1 font-medium">Try it</h3>
      <p className="mb-3 text-muted">{promise}</p>
      {children}
    </div>
  );
}
