/** Repeated measurements of one figure: what it usually is, and between which quarters it lies. */
export interface Spread {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  readonly samples: readonly number[];
}

export function spreadOf(samples: readonly number[]): Spread {
  return {
    median: quantile(samples, 0.5),
    lowerQuartile: quantile(samples, 0.25),
    upperQuartile: quantile(samples, 0.75),
    samples,
  };
}

/** Between the two nearest samples where it falls between; NaN for none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** One figure for each round, made of what two sides came to in that same round. */
export function byRound<T>(
  ours: readonly T[],
  theirs: readonly T[],
  compare: (ours: T, theirs: T) => number,
): readonly number[] {
  return ours.flatMap((our, round) => {
    const their = theirs[round];
    return their === undefined ? [] : [compare(our, their)];
  });
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
