import { freshNonce } from "./policy.ts";

/** What differs each time that the same page is answered. */
export interface PerAnswer {
  /** For the scripts and styles of this answer alone. */
  nonce: string;
  /** The instant in ISO form: by it the islands judge how old their props are. */
  renderedAt: string;
}

/**
 * What stands in a rendered page in the place of that. It is drawn once, never leaves the server and nobody guesses it, so that nothing that
 * somebody called himself is taken for it.
 */
export type Slots = PerAnswer;

export function freshSlots(): Slots {
  return { nonce: freshNonce(), renderedAt: freshNonce() };
}

export function filled(html: string, slots: Slots, { nonce, renderedAt }: PerAnswer): string {
  return html.replaceAll(slots.nonce, nonce).replaceAll(slots.renderedAt, renderedAt);
}
