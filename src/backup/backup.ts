import { version } from "../../package.json";
import type { Acts } from "../accounts/acts.ts";
import type { Caller } from "../accounts/caller.ts";
import { isoOf, type Now } from "../clock.ts";
import { creditsOf } from "../credits.ts";
import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import { othersTurn, rowsPerPiece, streamOf, type Write } from "../stream.ts";
import type { Collection } from "./schema.ts";
import { collectionNames, rowsOf, summaryOf } from "./store.ts";

/** What admins download: every collection without its secrets. The operator's full backup is `latchkey backup`. */
export interface Backup {
  collections(): Promise<Collection[]>;
  /** The collection as JSON, piece by piece. Throws `NOT_FOUND` before the first piece, which is sent once the download is on record. */
  download(admin: Caller, name: string): Promise<ReadableStream<Uint8Array>>;
  /** A zip of one JSON file per collection, all of one instant, and a manifest with counts and checksums. */
  downloadAll(admin: Caller): Promise<{ filename: string; archive: ReadableStream<Uint8Array> }>;
}

export function createBackup({ database, acts, now }: { database: Database; acts: Acts; now: Now }): Backup {
  return {
    collections: () =>
      database.snapshot(async (sql) => {
        const views: Collection[] = [];
        for (const name of collectionNames) {
          const { count, size, modifiedAt } = await summaryOf(sql, name);
          views.push({ name, count, size, modified: modifiedAt === null ? null : isoOf(modifiedAt) });
          await othersTurn();
        }
        return views;
      }),

    async download(admin, name) {
      if (!collectionNames.includes(name)) throw new Refusal("NOT_FOUND", "There is no such collection.");
      await noteDownload(admin, `collection ${name}`);
      return streamOf((write) => database.snapshot(async (sql) => void (await writeCollection(sql, name, write))));
    },

    async downloadAll(admin) {
      await noteDownload(admin, "all collections");
      const createdAt = isoOf(now());
      return {
        filename: `latchkey-backup-${createdAt.slice(0, 19).replaceAll(":", "-")}Z.zip`,
        archive: streamOf((write) => database.snapshot((sql) => writeArchive(sql, createdAt, write))),
      };
    },
  };

  function noteDownload(admin: Caller, target: string): Promise<void> {
    return acts.carryOut(admin, async () => ({
      result: undefined,
      record: { action: "data_downloaded", target, details: {} },
    }));
  }
}

const utf8 = new TextEncoder();

async function writeArchive(sql: Sql, createdAt: string, write: Write): Promise<void> {
  // Loaded when it is needed: its tables are made while it loads.
  const { Zip, ZipDeflate } = await import("fflate");
  let unsent: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    unsent.push(piece);
  });
  const send = async () => {
    const pieces = unsent;
    unsent = [];
    for (const piece of pieces) await write(piece);
  };

  const described: unknown[] = [];
  for (const name of collectionNames) {
    const entry = new ZipDeflate(`${name}.json`);
    zip.add(entry);
    const written = await writeCollection(sql, name, (piece) => {
      entry.push(piece);
      return send();
    });
    entry.push(new Uint8Array(0), true);
    described.push({ name, file: `${name}.json`, ...written });
  }
  const manifest = new ZipDeflate("manifest.json");
  zip.add(manifest);
  manifest.push(
    utf8.encode(JSON.stringify({ product: "latchkey", version, createdAt, collections: described }, null, 2)),
    true,
  );
  zip.end();
  await send();
}

/** Writes a JSON array, one row a line, and answers how many rows it has and its checksum. */
async function writeCollection(sql: Sql, name: string, write: Write): Promise<{ count: number; sha256: string }> {
  const hash = new Bun.CryptoHasher("sha256");
  const put = (text: string) => {
    const piece = utf8.encode(text);
    hash.update(piece);
    return write(piece);
  };
  let count = 0;
  let after = 0;
  await put("[");
  for (;;) {
    const rows = await rowsOf(sql, name, after, rowsPerPiece);
    const last = rows.at(-1);
    if (!last) break;
    await put(
      rows.map((row, index) => `${count + index === 0 ? "\n" : ",\n"}${JSON.stringify(rowView(row))}`).join(""),
    );
    count += rows.length;
    after = last.id;
    await othersTurn();
  }
  await put("\n]\n");
  return { count, sha256: hash.digest("hex") };
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
