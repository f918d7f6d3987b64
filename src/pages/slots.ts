/** What differs between two responses with the same rendered page. */
export interface PageValues {
  /** For the scripts and styles of this response only. */
  nonce: string;
  /** In ISO form. Islands tell from it how old their props are. */
  renderedAt: string;
  /** The `:id` of the page's address, a positive whole number; or "". */
  id: string;
}

/** Random placeholders for these values. They never leave the server, so no user's text can contain one. */
export type Slots = PageValues;

export function freshSlots(): Slots {
  return { nonce: crypto.randomUUID(), renderedAt: crypto.randomUUID(), id: crypto.randomUUID() };
}

/** A rendered page: its text in pieces, and the slots between them. */
export type CutPage = { piece: Uint8Array<ArrayBuffer>; slot?: keyof PageValues }[];

const encoder = new TextEncoder();

/** Cuts the placeholders out of a page. */
export function cut(html: string, slots: Slots): CutPage {
  const slotOf = new Map(Object.entries(slots).map(([slot, placeholder]) => [placeholder, slot as keyof Slots]));
  // A pattern with a group keeps the placeholders, so every second part is one.
  const parts = html.split(new RegExp(`(${[...slotOf.keys()].join("|")})`));
  const page: CutPage = [];
  for (let at = 0; at < parts.length; at += 2) {
    page.push({ piece: encoder.encode(parts[at]), slot: slotOf.get(parts[at + 1] ?? "") });
  }
  return page;
}

export function filled(page: CutPage, values: PageValues): Uint8Array<ArrayBuffer> {
  const pieces = page.flatMap(({ piece, slot }) => (slot ? [piece, encoder.encode(values[slot])] : [piece]));
  return new Uint8Array(Bun.concatArrayBuffers(pieces));
}
