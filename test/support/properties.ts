import fc from 'fast-check';

/** Expects a property of so many generated values. */
export function always<T extends unknown[]>(
  runs: number,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  const all = fc.tuple<T>(...values);
  fc.assert(
    fc.property(all, (generated) => check(...generated)),
    { numRuns: runs },
  );
}
