/** Median and quartiles of repeated measurements of one figure. */
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

/** Interpolates between the two nearest samples; NaN if there are none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Compares the results of two contenders round by round. */
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
