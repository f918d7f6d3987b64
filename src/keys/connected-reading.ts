import type { Reading } from "../db/contract.ts";
import { createFingerprint } from "../http/fingerprint.ts";
import { type ConnectedRow, connectedDevices } from "./devices/device-store.ts";
import { type Entries, isRemembered, wordsPerEntry, writeEntry } from "./standing-entry.ts";

/** Devices in a piece: where verifications are answered, taking them up takes a fraction of a millisecond. */
const devicesPerPiece = 500;

/** The connected devices as entries of a memory that was made with the same factors, those that connected last first. */
export const connectedReading: Reading<{ factors: readonly number[]; devicesMax: number }> = {
  name: "connected devices",
  async *pieces(sql, { factors, devicesMax }) {
    const entriesOf = createWriter(factors);
    let before: number | null = null;
    for (let devices = 0; devices < devicesMax; devices += devicesPerPiece) {
      const rows: ConnectedRow[] = await connectedDevices(sql, before, devicesPerPiece);
      const last = rows.at(-1);
      if (!last) break;
      yield entriesOf(rows);
      before = last.deviceRowId;
    }
  },
};

function createWriter(factors: readonly number[]): (rows: ConnectedRow[]) => Uint8Array {
  const fingerprint = createFingerprint(Int32Array.from(factors));
  const entries: Entries = new Int32Array(devicesPerPiece * wordsPerEntry);

  return (rows) => {
    let at = 0;
    for (const row of rows) {
      if (!isRemembered(row) || !fingerprint.take(row.keyText, row.deviceId)) continue;
      writeEntry(entries, at, fingerprint, row);
      at += wordsPerEntry;
    }
    return new Uint8Array(entries.buffer, 0, at * Int32Array.BYTES_PER_ELEMENT);
  };
}
