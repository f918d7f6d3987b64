import type { ReactNode } from "react";

/** A part of what there is to know about a key. A link on the same page may lead to it. */
export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-6 min-w-0 scroll-mt-20">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
