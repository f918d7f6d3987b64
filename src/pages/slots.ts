import { freshNonce } from "./policy.ts";

/** What differs between two responses with the same page. */
export interface PerAnswer {
  /** For the scripts and styles of this response only. */
  nonce: string;
  /** In ISO form. Islands tell from it how old their props are. */
  renderedAt: string;
}

/** Random placeholders for these values in a rendered page. They never leave the server, so no user's text can contain one. */
export type Slots = PerAnswer;

export function freshSlots(): Slots {
  return { nonce: freshNonce(), renderedAt: freshNonce() };
}

/** A page without its placeholders, and where the values go, in order. */
export interface CutPage {
  bytes: Uint8Array<ArrayBuffer>;
  places: { at: number; slot: keyof Slots }[];
}

const encoder = new TextEncoder();

/** Cuts the placeholders out of a page. It takes longer than `filled`, and happens once per rendered page. */
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
