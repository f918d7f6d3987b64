import { expect, test } from "bun:test";
import { nicenessOfThreads } from "../../../tests/own-threads.ts";
import { type Hashing, hashingInPool } from "./hashing.ts";
import { createHashingThread } from "./hashing-apart.ts";

const kinds: [string, Hashing][] = [
  ["in Bun's own threads", hashingInPool],
  ["in a thread of its own", createHashingThread()],
  ["where that thread does not start", createHashingThread(new URL("./no-such-program.ts", import.meta.url))],
];

for (const [where, hashing] of kinds) {
  test(`a password is hashed as argon2id, and it alone fits, ${where}`, async () => {
    const hash = await hashing.hash("a password");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    // Asked at once: each is told its own.
    const fits = ["another", "a password", "a third"].map((password) => hashing.matches(password, hash));
    expect(await Promise.all(fits)).toEqual([false, true, false]);
  });

  test(`what is no hash is an error, ${where}`, async () => {
    expect(hashing.matches("a password", "no hash")).rejects.toThrow("UnsupportedAlgorithm");
  });
}

// Elsewhere a priority is the whole process's, and stays as it is.
test.if(process.platform === "linux")("whoever hashes gives way to whoever answers", async () => {
  const before = nicenessOfThreads();
  await createHashingThread().hash("a password");
  const begun = [...nicenessOfThreads()].filter(([id]) => !before.has(id));
  expect(begun.map(([, niceness]) => niceness)).toContain(10);
  expect(nicenessOfThreads().get(process.pid)).toBe(before.get(process.pid) as number);
});
