/** A timer takes no more, and begins at once where it is given more. */
const timerMsMax = 2 ** 31 - 1;

/** Waits for work until it is done, or for so long: then the work goes on by itself. Throws what it throws meanwhile. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.max(0, ms), timerMsMax));
  });
  // What fails when nobody waits for it any more is nobody's.
  work.catch(() => {});
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
