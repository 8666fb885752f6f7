import fc from 'fast-check';

type ValuesOf<A extends readonly unknown[]> = {
  [K in keyof A]: A[K] extends fc.Arbitrary<infer Value> ? Value : never;
};

/** Expects a property to hold for this number of generated values. */
export function always<A extends [fc.Arbitrary<unknown>, ...fc.Arbitrary<unknown>[]]>(
  runs: number,
  arbitraries: A,
  check: (...values: ValuesOf<A>) => void,
): void {
  const generated = fc.tuple(...(arbitraries as fc.Arbitrary<unknown>[]));
  const checkAll = check as unknown as (...values: unknown[]) => void;
  fc.assert(
    fc.property(generated, (values) => checkAll(...values)),
    { numRuns: runs },
  );
}
