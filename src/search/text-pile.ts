const chunkBytes = 256 * 1024;

/** Stands between texts. None has it: so a text that is searched for never reaches from one into the next. */
const boundary = 10;

interface Chunk {
  bytes: Buffer;
  used: number;
  /** Where each of its texts begins, and whose they are. */
  starts: number[];
  ids: number[];
  owners: number[];
}

/** Many short texts one behind the other, in which any part is found by one pass over them: a million keys take 5 to 10 ms. */
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
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(id, owner, text) {
      const chunk = chunkFor(Buffer.byteLength(text) + 1);
      const start = chunk.used;
      chunk.starts.push(start);
      chunk.ids.push(id);
      chunk.owners.push(owner);
      chunk.used += chunk.bytes.write(text, start);
      fold(chunk.bytes, start, chunk.used);
      chunk.bytes[chunk.used] = boundary;
      chunk.used += 1;
      size += 1;
    },

    withPart(part, owner, idsMax) {
      const wanted = Buffer.from(part);
      fold(wanted, 0, wanted.length);
      const found: number[] = [];
      for (let last = chunks.length - 1; last >= 0 && found.length < idsMax; last -= 1) {
        found.push(...idsIn(chunks[last] as Chunk, wanted, owner).reverse());
      }
      return found.slice(0, idsMax);
    },
  };

  function chunkFor(bytes: number): Chunk {
    const last = chunks.at(-1);
    if (last && last.used + bytes <= chunkBytes) return last;
    const chunk = { bytes: Buffer.alloc(Math.max(chunkBytes, bytes)), used: 0, starts: [], ids: [], owners: [] };
    chunks.push(chunk);
    return chunk;
  }

  function fold(bytes: Buffer, start: number, end: number): void {
    if (sameBytes === null) return;
    for (let at = start; at < end; at += 1) bytes[at] = sameBytes[bytes[at] as number] as number;
  }
}

function idsIn({ bytes, used, starts, ids, owners }: Chunk, wanted: Buffer, owner: number | null): number[] {
  const found: number[] = [];
  let at = bytes.indexOf(wanted);
  while (at !== -1 && at < used) {
    const index = indexAt(starts, at);
    if (owner === null || owners[index] === owner) found.push(ids[index] as number);
    at = bytes.indexOf(wanted, starts[index + 1] ?? used);
  }
  return found;
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
