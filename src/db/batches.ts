/** The least pause after a batch, and how many times as long as the batch it is: maintenance takes a fifth of the time at most. */
const pauseMsMin = 10;
const pauseTimes = 4;

/**
 * Long maintenance as a row of short transactions: verifications and other writes go on in the pauses between them. No lock is held across
 * batches.
 */
export async function inBatches<Batch>(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  work: (batch: Batch) => Promise<unknown>,
): Promise<void> {
  let pauseMs = 0;
  for await (const batch of batches) {
    if (pauseMs > 0) await Bun.sleep(pauseMs);
    const startedMs = performance.now();
    await work(batch);
    pauseMs = Math.max(pauseMsMin, pauseTimes * (performance.now() - startedMs));
  }
}
