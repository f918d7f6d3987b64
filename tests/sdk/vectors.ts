import { join } from "node:path";
import { deviceCases, type ProofCase, proofCases } from "./proof-cases.ts";
import type { Run } from "./run-script.ts";
import { failures } from "./runs/failures.ts";
import { clocks, leases } from "./runs/leases.ts";
import { addresses, waits } from "./runs/network.ts";
import { stores } from "./runs/stores.ts";
import { online, releases } from "./runs/verdicts.ts";
import { active, next, pinOf } from "./signing.ts";

export interface Vectors {
  pins: { kid: string; publicKey: string }[];
  proofs: ProofCase[];
  /** `deviceId` is null for a source that the SDK refuses. */
  deviceIds: { game: string; source: string; deviceId: string | null }[];
  runs: Run[];
}

export const vectors: Vectors = {
  pins: [active, next].map(pinOf),
  proofs: proofCases,
  deviceIds: deviceCases,
  runs: [...online, ...releases, ...failures, ...leases, ...clocks, ...waits, ...addresses, ...stores],
};

export const vectorsPath = join(import.meta.dir, "../../public/sdk/vectors.json");

/** A line for each case. */
export function writtenVectors(): string {
  const sections = Object.entries(vectors).map(([name, cases]: [string, object[]]) => {
    const lines = cases.map((each) => `  ${JSON.stringify(each)}`);
    return `"${name}": [\n${lines.join(",\n")}\n]`;
  });
  return `{${sections.join(",\n")}}\n`;
}

if (import.meta.main) await Bun.write(vectorsPath, writtenVectors());
