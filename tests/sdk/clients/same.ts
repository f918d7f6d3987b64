/** Throws unless two values are equal. Does not compile if the type of the first one is `any` or `unknown`. */
export function same<Actual>(actual: Actual, expected: unknown extends Actual ? never : Actual): void {
  if (!Bun.deepEquals(actual, expected)) throw new Error(`${Bun.inspect(actual)} is not ${Bun.inspect(expected)}`);
}
