import { strToU8, Zip, ZipPassThrough } from "fflate";
import { version } from "../../package.json";
import { isoOf } from "../clock.ts";
import { creditsOf } from "../credits.ts";
import type { Reading, Sql } from "../database/database.ts";
import { collectionNames, rowsOf } from "./store.ts";

/** Rows in a piece of a download: about 100 kB of JSON. */
const rowsPerPiece = 500;

/** At level 1 zlib takes a seventh of the time that it takes at 6, and the archive is half as large again. */
const deflateLevel = 1;

/** One collection as a JSON array, one row a line. */
export const collectionReading: Reading<{ name: string }> = {
  name: "collection",
  pieces: (sql, { name }) => linesOf(sql, name),
};

/** A zip of one JSON file per collection, and a manifest with counts and checksums. */
export const archiveReading: Reading<{ createdAt: string }> = { name: "archive", pieces: archiveOf };

async function* archiveOf(sql: Sql, { createdAt }: { createdAt: string }): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const collections: unknown[] = [];
  for (const name of collectionNames) {
    const entry = new DeflatedFile(`${name}.json`);
    zip.add(entry);
    const hash = new Bun.CryptoHasher("sha256");
    const lines = linesOf(sql, name);
    let next = await lines.next();
    for (; !next.done; next = await lines.next()) {
      const bytes = strToU8(next.value);
      hash.update(bytes);
      entry.push(bytes);
      yield* made;
      made = [];
    }
    entry.push(new Uint8Array(0), true);
    collections.push({ name, file: `${name}.json`, count: next.value, sha256: hash.digest("hex") });
  }
  const manifest = new DeflatedFile("manifest.json");
  zip.add(manifest);
  manifest.push(strToU8(JSON.stringify({ product: "latchkey", version, createdAt, collections }, null, 2)), true);
  zip.end();
  yield* made;
}

/** fflate's own compression takes three times as long as zlib's at the same level. Each piece is flushed whole, so it is known at once. */
class DeflatedFile extends ZipPassThrough {
  override compression = 8;

  protected override process(piece: Uint8Array, isLast: boolean): void {
    // Taken where there is a download: imported, it would be loaded by every start.
    const { constants, deflateRawSync } = process.getBuiltinModule("node:zlib");
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, deflateRawSync(piece, { level: deflateLevel, finishFlush }), isLast);
  }
}

/** Answers, at its end, how many rows there were. */
async function* linesOf(sql: Sql, name: string): AsyncGenerator<string, number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const rows = await rowsOf(sql, name, after, rowsPerPiece);
    const last = rows.at(-1);
    if (!last) break;
    const lines = rows.map((row) => JSON.stringify(rowView(row))).join(",\n");
    yield count === 0 ? `[\n${lines}` : `,\n${lines}`;
    count += rows.length;
    after = last.id;
  }
  yield count === 0 ? "[\n]\n" : "\n]\n";
  return count;
}

/** A row in the API's forms: times in ISO 8601, credits as numbers, flags as booleans. */
function rowView(row: object): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name.endsWith("Tenths")) view[name.slice(0, -"Tenths".length)] = creditsOf(value);
    else if (name === "at" || name.endsWith("At")) view[name] = value === null ? null : isoOf(value);
    else if (name === "details") view[name] = JSON.parse(value);
    else view[name] = name === "isActive" ? value === 1 : value;
  }
  return view;
}
