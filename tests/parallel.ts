/** Begins all at once, and answers in the order in which they were begun. */
export function parallel<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
