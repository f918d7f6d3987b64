const chunkBytes = 256 * 1024;

/** Stands between texts. None has it: so a text that is searched for never reaches from one into the next. */
const boundary = 10;

interface Chunk {
  bytes: Buffer;
  /** The same with look-alikes told apart no more, byte by byte; `bytes` itself where nothing looks alike. */
  alike: Buffer;
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

/** So many of an owner's texts in a chunk are looked at one by one. Whoever has more there has the whole chunk passed over at once. */
const textsAloneMax = 400;

/** Ids of texts, the latest first. */
export interface FoundTexts {
  /** Those with this very part in them. */
  ids: number[];
  /** Others that have what looks like it. */
  alike: number[];
}

/**
 * Many short texts one behind the other, in which any part is found by one pass over them: a million keys take 5 to 10 ms. An owner's texts
 * are a chain, so that whoever owns few of them passes over few.
 */
export interface TextPile {
  /** How many texts it holds. */
  readonly size: number;
  /** Ids have to grow. */
  add(id: number, owner: number, text: string): void;
  /** Up to so many of each; `owner` is `null` for everybody's. The part may not be empty. */
  find(part: string, owner: number | null, idsMax: number): FoundTexts;
  /** How many texts have this part in them; with `close` also those that have what looks like it. */
  count(part: string, owner: number | null, close: boolean): number;
}

/** `sameBytes` says which byte each looks like. */
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
      chunk.bytes[chunk.used] = boundary;
      chunk.used += 1;
      fold(chunk.alike, chunk.bytes, start, chunk.used);
      size += 1;
    },

    find(part, owner, idsMax) {
      const wanted = wantedOf(part);
      const found: FoundTexts = { ids: [], alike: [] };
      // Once there are enough look-alikes, the very part is looked for alone: it may stand behind very many of them.
      const isClose = () => found.alike.length < idsMax;
      walk(wanted, owner, isClose, (chunk, index) => {
        const isExact = holds(chunk, index, wanted.exact);
        if (isExact || isClose()) found[isExact ? "ids" : "alike"].push(chunk.ids[index] as number);
        return found.ids.length < idsMax;
      });
      return found;
    },

    count(part, owner, close) {
      let count = 0;
      walk(
        wantedOf(part),
        owner,
        () => close,
        () => {
          count += 1;
          return true;
        },
      );
      return count;
    },
  };

  /** Goes through the texts that have the part in them, or while `isClose` what looks like it, the latest first, until `met` says no. */
  function walk(wanted: Wanted, owner: number | null, isClose: () => boolean, met: Met): void {
    if (owner === null) walkAll(wanted, isClose, met);
    else walkOwners(wanted, lastOf.get(owner) ?? nowhere, isClose, met);
  }

  function walkAll(wanted: Wanted, isClose: () => boolean, met: Met): void {
    for (const chunk of chunks.toReversed()) {
      for (let end = chunk.used; ; ) {
        const hit = isClose() ? lastHit(chunk.alike, wanted.close, end) : lastHit(chunk.bytes, wanted.exact, end);
        if (hit === nowhere) break;
        const index = indexAt(chunk.starts, hit);
        if (!met(chunk, index)) return;
        end = chunk.starts[index] as number;
      }
    }
  }

  /** Along the owner's chain, from its latest text. One look for the part passes over all texts of a chunk that do not have it. */
  function walkOwners(wanted: Wanted, latest: number, isClose: () => boolean, met: Met): void {
    for (let place = latest; place !== nowhere; ) {
      const number = Math.floor(place / placesPerChunk);
      const chunk = chunks[number] as Chunk;
      const first = number * placesPerChunk;
      let looked = 0;
      let hit = chunk.used;
      for (; place >= first; place = chunk.befores[place - first] as number) {
        const index = place - first;
        const [start, end] = [chunk.starts[index] as number, endOf(chunk, index)];
        const [bytes, part] = isClose() ? [chunk.alike, wanted.close] : [chunk.bytes, wanted.exact];
        looked += 1;
        if (looked > textsAloneMax && hit >= end) hit = lastHit(bytes, part, end);
        const isMet = looked > textsAloneMax ? hit >= start : isWithin(bytes, part, start, end);
        if (isMet && !met(chunk, index)) return;
      }
    }
  }

  function wantedOf(part: string): Wanted {
    const exact = Buffer.from(part);
    const close = Buffer.from(part);
    fold(close, exact, 0, exact.length);
    return { exact, close };
  }

  function chunkFor(bytes: number): Chunk {
    const last = chunks.at(-1);
    if (last && last.used + bytes <= chunkBytes) return last;
    const room = Buffer.alloc(Math.max(chunkBytes, bytes));
    const alike = sameBytes === null ? room : Buffer.alloc(room.length);
    const chunk = { bytes: room, alike, used: 0, starts: [], ids: [], befores: [] };
    chunks.push(chunk);
    return chunk;
  }

  /** Writes what the bytes look like into `alike`. */
  function fold(alike: Buffer, bytes: Buffer, start: number, end: number): void {
    if (sameBytes === null) return;
    for (let at = start; at < end; at += 1) alike[at] = sameBytes[bytes[at] as number] as number;
  }
}

interface Wanted {
  exact: Buffer;
  close: Buffer;
}

/** Told of a text by its chunk and its number there. Answers whether to go on. */
type Met = (chunk: Chunk, index: number) => boolean;

function holds(chunk: Chunk, index: number, part: Buffer): boolean {
  return isWithin(chunk.bytes, part, chunk.starts[index] as number, endOf(chunk, index));
}

function endOf({ starts, used }: Chunk, index: number): number {
  return starts[index + 1] ?? used;
}

/** For a few bytes a call of `indexOf` takes longer. */
function isWithin(bytes: Buffer, part: Buffer, start: number, end: number): boolean {
  for (let at = start; at <= end - part.length; at += 1) {
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
