const chunkBytes = 256 * 1024;

/** Stands between texts. None has it: so a text that is searched for never reaches from one into the next. */
const boundary = 10;

interface Chunk {
  bytes: Buffer;
  used: number;
  /** Where each of its texts begins. */
  starts: number[];
  ids: number[];
  /** The place of its owner's text before it; `nowhere` for the first. */
  befores: number[];
}

/** A text's place is the number of its chunk times this, and its number there: a chunk cannot hold more. */
const placesPerChunk = chunkBytes;
const nowhere = -1;

/**
 * Many short texts one behind the other, in which any part is found by one pass over them: a million keys take 5 to 10 ms. An owner's texts
 * are a chain, so that whoever owns few of them passes over few.
 */
export interface TextPile {
  /** How many texts it holds. */
  readonly size: number;
  /** Ids have to grow. */
  add(id: number, owner: number, text: string): void;
  /** The ids of texts with this part in them, the latest first; `owner` is `null` for everybody's. */
  withPart(part: string, owner: number | null, idsMax: number): number[];
}

/** `sameBytes` says which byte each counts as. */
export function createTextPile(sameBytes: Uint8Array | null = null): TextPile {
  const chunks: Chunk[] = [];
  const lastOf = new Map<number, number>();
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(id, owner, text) {
      const chunk = chunkFor(Buffer.byteLength(text) + 1);
      const start = chunk.used;
      const place = (chunks.length - 1) * placesPerChunk + chunk.starts.push(start) - 1;
      chunk.ids.push(id);
      chunk.befores.push(lastOf.get(owner) ?? nowhere);
      lastOf.set(owner, place);
      chunk.used += chunk.bytes.write(text, start);
      fold(chunk.bytes, start, chunk.used);
      chunk.bytes[chunk.used] = boundary;
      chunk.used += 1;
      size += 1;
    },

    withPart(part, owner, idsMax) {
      const wanted = Buffer.from(part);
      fold(wanted, 0, wanted.length);
      return owner === null ? everybodys(wanted, idsMax) : ownersOwn(wanted, owner, idsMax);
    },
  };

  function everybodys(wanted: Buffer, idsMax: number): number[] {
    const found: number[] = [];
    for (let last = chunks.length - 1; last >= 0 && found.length < idsMax; last -= 1) {
      const { bytes, used, starts, ids } = chunks[last] as Chunk;
      for (let hit = lastHit(bytes, wanted, used); hit !== nowhere && found.length < idsMax; ) {
        const index = indexAt(starts, hit);
        found.push(ids[index] as number);
        hit = lastHit(bytes, wanted, starts[index] as number);
      }
    }
    return found;
  }

  /** Along the owner's chain. One look for the part passes over all texts of a chunk that do not have it. */
  function ownersOwn(wanted: Buffer, owner: number, idsMax: number): number[] {
    const found: number[] = [];
    for (let place = lastOf.get(owner) ?? nowhere; place !== nowhere && found.length < idsMax; ) {
      const chunk = Math.floor(place / placesPerChunk);
      const { bytes, used, starts, ids, befores } = chunks[chunk] as Chunk;
      const first = chunk * placesPerChunk;
      let hit = used;
      for (; place >= first && found.length < idsMax; place = befores[place - first] as number) {
        const index = place - first;
        const end = starts[index + 1] ?? used;
        if (hit >= end) hit = lastHit(bytes, wanted, end);
        if (hit >= (starts[index] as number)) found.push(ids[index] as number);
      }
    }
    return found;
  }

  function chunkFor(bytes: number): Chunk {
    const last = chunks.at(-1);
    if (last && last.used + bytes <= chunkBytes) return last;
    const chunk = { bytes: Buffer.alloc(Math.max(chunkBytes, bytes)), used: 0, starts: [], ids: [], befores: [] };
    chunks.push(chunk);
    return chunk;
  }

  function fold(bytes: Buffer, start: number, end: number): void {
    if (sameBytes === null) return;
    for (let at = start; at < end; at += 1) bytes[at] = sameBytes[bytes[at] as number] as number;
  }
}

/** Where the last of them begins that ends before `end`, or `nowhere`. */
function lastHit(bytes: Buffer, wanted: Buffer, end: number): number {
  return end < wanted.length ? nowhere : bytes.lastIndexOf(wanted, end - wanted.length);
}

/** Which text a byte belongs to: the last that begins at or before it. */
function indexAt(starts: number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
