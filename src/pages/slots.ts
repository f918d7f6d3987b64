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

/** A page as it goes over the wire but for what its slots are filled with, which stands at those places, in their order. */
export interface CutPage {
  bytes: Uint8Array<ArrayBuffer>;
  places: { at: number; slot: keyof Slots }[];
}

const encoder = new TextEncoder();

/** Cuts the slots out of a page. It takes longer than `filled`, and is done where pages are rendered. */
export function cut(html: string, slots: Slots): CutPage {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const places: CutPage["places"] = [];
  let at = 0;
  for (const [nonces, between] of html.split(slots.nonce).entries()) {
    if (nonces > 0) places.push({ at, slot: "nonce" });
    for (const [instants, text] of between.split(slots.renderedAt).entries()) {
      if (instants > 0) places.push({ at, slot: "renderedAt" });
      const piece = encoder.encode(text);
      pieces.push(piece);
      at += piece.byteLength;
    }
  }
  return { bytes: new Uint8Array(Bun.concatArrayBuffers(pieces)), places };
}

export function filled({ bytes, places }: CutPage, perAnswer: PerAnswer): Uint8Array<ArrayBuffer> {
  const filling = { nonce: encoder.encode(perAnswer.nonce), renderedAt: encoder.encode(perAnswer.renderedAt) };
  const ends = [...places.map(({ at }) => at), bytes.byteLength];
  const pieces = ends.flatMap((end, index) => {
    const before = places[index - 1];
    return [...(before ? [filling[before.slot]] : []), bytes.subarray(before?.at ?? 0, end)];
  });
  return new Uint8Array(Bun.concatArrayBuffers(pieces));
}
