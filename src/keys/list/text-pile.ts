/** What an owner's texts stand in grows from the one to the other; what is more goes into another. */
const chunkBytesMin = 128;
const chunkBytesMax = 256 * 1024;

/** Stands between texts. None has it: so a text that is searched for never reaches from one into the next. */
const boundary = 10;

/** Texts of one owner, in the order in which they were added. */
interface Chunk {
  bytes: Buffer;
  /** The same with what looks alike written alike, byte by byte; `bytes` itself where nothing does. */
  alike: Buffer;
  used: number;
  /** Where each of its texts begins. */
  starts: number[];
  ids: number[];
}

const nowhere = -1;

/** Ids of texts, the latest first. */
export interface FoundTexts {
  /** Those with this very part in them. */
  ids: number[];
  /** Others that have what looks like it: the latest, unless there were as many of the first as were wanted. */
  alike: number[];
}

/** Many short texts, each owner's one behind the other, in which any part is found by one pass over them: a million keys take 5 to 10 ms. */
export interface TextPile {
  /** How many texts it holds. */
  readonly size: number;
  /** Ids of an owner have to grow. */
  add(id: number, owner: number, text: string): void;
  /** The latest of each, up to so many; `owner` is `null` for everybody's. The part may not be empty. */
  find(part: string, owner: number | null, idsMax: number): FoundTexts;
  /** How many of an owner's texts have this part in them; with `close` also those that have what looks like it. */
  count(part: string, owner: number, close: boolean): number;
}

/** `sameBytes` says which byte each looks like. */
export function createTextPile(sameBytes: Uint8Array | null = null): TextPile {
  const chunks: Chunk[] = [];
  const chunksOf = new Map<number, Chunk[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(id, owner, text) {
      const chunk = chunkFor(owner, Buffer.byteLength(text) + 1);
      const start = chunk.used;
      chunk.starts.push(start);
      chunk.ids.push(id);
      chunk.used += chunk.bytes.write(text, start);
      chunk.bytes[chunk.used] = boundary;
      chunk.used += 1;
      writeAlike(chunk.alike, chunk.bytes, start, chunk.used);
      size += 1;
    },

    find(part, owner, idsMax) {
      const wanted = wantedOf(part);
      const [ids, alike] = [createLatest(idsMax), createLatest(idsMax)];
      for (const chunk of (owner === null ? chunks : (chunksOf.get(owner) ?? [])).toReversed()) {
        for (let index = chunk.ids.length; index > 0 && (chunk.ids[index - 1] as number) > ids.floor(); ) {
          // Where only older look-alikes can follow, the very part is looked for alone: it may stand behind very many of them.
          const isClose = (chunk.ids[index - 1] as number) > alike.floor();
          index = lastWith(chunk, wanted, isClose, index);
          if (index === nowhere) break;
          const isExact = !isClose || has(chunk, wanted.exact, index);
          (isExact ? ids : alike).add(chunk.ids[index] as number);
        }
      }
      return { ids: ids.all(), alike: alike.all() };
    },

    count(part, owner, close) {
      const wanted = wantedOf(part);
      let count = 0;
      for (const chunk of chunksOf.get(owner) ?? []) {
        for (let index = chunk.ids.length; ; count += 1) {
          index = lastWith(chunk, wanted, close, index);
          if (index === nowhere) break;
        }
      }
      return count;
    },
  };

  function wantedOf(part: string): Wanted {
    const exact = Buffer.from(part);
    const close = Buffer.from(part);
    writeAlike(close, exact, 0, exact.length);
    return { exact, close };
  }

  function chunkFor(owner: number, bytes: number): Chunk {
    const own = chunksOf.get(owner) ?? [];
    chunksOf.set(owner, own);
    const last = own.at(-1);
    const used = last?.used ?? 0;
    if (last && used + bytes <= last.bytes.length) return last;
    if (last && used + bytes <= chunkBytesMax) return grow(last, Math.min(chunkBytesMax, 2 * (used + bytes)));
    const chunk = grow({ bytes: none, alike: none, used: 0, starts: [], ids: [] }, Math.max(chunkBytesMin, bytes));
    own.push(chunk);
    chunks.push(chunk);
    return chunk;
  }

  function grow(chunk: Chunk, length: number): Chunk {
    const larger = (bytes: Buffer) => {
      const room = Buffer.allocUnsafe(length);
      bytes.copy(room, 0, 0, chunk.used);
      return room;
    };
    chunk.bytes = larger(chunk.bytes);
    chunk.alike = sameBytes === null ? chunk.bytes : larger(chunk.alike);
    return chunk;
  }

  function writeAlike(alike: Buffer, bytes: Buffer, start: number, end: number): void {
    if (sameBytes === null) return;
    for (let at = start; at < end; at += 1) alike[at] = sameBytes[bytes[at] as number] as number;
  }
}

const none = Buffer.alloc(0);

/** What is searched for: the part itself, and what it looks like. */
interface Wanted {
  exact: Buffer;
  close: Buffer;
}

/** The last text before a place of the chunk that has the part in it, or with `isClose` what looks like it; `nowhere` where none has. */
function lastWith({ bytes, alike, used, starts }: Chunk, { exact, close }: Wanted, isClose: boolean, before: number) {
  const end = starts[before] ?? used;
  const hit = isClose ? lastHit(alike, close, end) : lastHit(bytes, exact, end);
  if (hit === nowhere) return nowhere;
  // Where many have it, it is most often the next.
  return (starts[before - 1] as number) <= hit ? before - 1 : indexAt(starts, hit);
}

/** For so few bytes `indexOf` takes longer. */
function has({ bytes, used, starts }: Chunk, part: Buffer, index: number): boolean {
  const last = (starts[index + 1] ?? used) - part.length;
  for (let at = starts[index] as number; at <= last; at += 1) {
    let same = 0;
    while (same < part.length && bytes[at + same] === part[same]) same += 1;
    if (same === part.length) return true;
  }
  return false;
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

/** The greatest of ids that come in any order. What is not above the floor is none of them. */
function createLatest(idsMax: number) {
  let ids: number[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  return {
    floor: () => floor,
    add(id: number) {
      if (id <= floor) return;
      ids.push(id);
      if (ids.length % idsMax > 0) return;
      ids = all();
      floor = ids.at(-1) as number;
    },
    all,
  };

  function all(): number[] {
    return ids.toSorted((a, b) => b - a).slice(0, idsMax);
  }
}
