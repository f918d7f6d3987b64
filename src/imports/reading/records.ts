/** A longer record is skipped, so a file of any size is read in bounded memory. */
export const recordBytesMax = 64 * 1024;

/** A line of text, or an object of a JSON array. Its number counts from 1. */
export type TextRecord = { number: number } & ({ text: string } | { problem: string });

const [lineFeed, carriageReturn] = [10, 13];

/** The lines of a file, without their line breaks: LF, CR, or both. */
export function linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<TextRecord> {
  return recordsOf(content, (byte) => byte === lineFeed || byte === carriageReturn);
}

const [doubleQuote, backslash, opening, closing] = [34, 92, 123, 125];

/**
 * The objects of a JSON array, each with what precedes it: a bracket, a comma, white space. `arrayDepth` is in how many
 * objects the array is.
 */
export function objectsOf(content: AsyncIterable<Uint8Array>, arrayDepth: number): AsyncGenerator<TextRecord> {
  let depth = -arrayDepth;
  let isInText = false;
  let isEscaped = false;
  return recordsOf(content, (byte) => {
    if (isEscaped) isEscaped = false;
    else if (isInText && byte === backslash) isEscaped = true;
    else if (byte === doubleQuote) isInText = !isInText;
    else if (!isInText && byte === opening) depth += 1;
    else if (!isInText && byte === closing && depth > 0) {
      depth -= 1;
      return depth === 0;
    }
    return false;
  });
}

/** After this time the reader lets other work of the process run, which a file in one piece would keep waiting. */
const turnMs = 5;

async function* recordsOf(
  content: AsyncIterable<Uint8Array>,
  isEnd: (byte: number) => boolean,
): AsyncGenerator<TextRecord> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  let endedBy = 0;
  let turnAtMs = performance.now() + turnMs;
  for await (const piece of content) {
    let from = 0;
    for (let at = endIn(piece, 0, isEnd); at !== -1; at = endIn(piece, from, isEnd)) {
      const byte = piece[at] as number;
      // CR and LF together end one line.
      if (byte !== lineFeed || endedBy !== carriageReturn || length > 0 || at > from) {
        keep(piece.subarray(from, byte === closing ? at + 1 : at));
        yield taken();
      }
      endedBy = byte;
      from = at + 1;
      if (performance.now() < turnAtMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turnAtMs = performance.now() + turnMs;
    }
    keep(piece.subarray(from));
  }
  if (length > 0) yield taken();

  function keep(part: Uint8Array): void {
    length += part.length;
    if (length > recordBytesMax) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function taken(): TextRecord {
    const record = { number, ...(length > recordBytesMax ? { problem: tooLong } : decoded(joined(parts, length))) };
    number += 1;
    parts = [];
    length = 0;
    return record;
  }
}

/** Outside the generator, where a loop over bytes takes a quarter of the time. */
function endIn(piece: Uint8Array, from: number, isEnd: (byte: number) => boolean): number {
  for (let at = from; at < piece.length; at += 1) if (isEnd(piece[at] as number)) return at;
  return -1;
}

const tooLong = `This is longer than ${recordBytesMax / 1024} KiB. Is a quote or a line break missing?`;

function joined(parts: Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): { text: string } | { problem: string } {
  if (bytes.includes(0)) return { problem: "This contains a NUL character." };
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { problem: "This is not UTF-8. Save the file as UTF-8." };
  }
}
