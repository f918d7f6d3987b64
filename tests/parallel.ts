/** Starts all at once and returns the results in order. */
export function parallel<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
