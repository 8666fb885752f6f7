import type { PrintedWord } from './read-printed-pages.ts';
import type { Row } from './rows.ts';

export interface Candidate {
  readonly isNamed: boolean;
  readonly rows: readonly Row[];
  readonly words: readonly PrintedWord[];
  readonly order: number;
  readonly score: number;
}

/** Chooses one candidate for each line, so that their order is that of the invoice and the sum of scores is greatest. */
export function inOrder(candidates: readonly (readonly Candidate[])[]): readonly (Candidate | undefined)[] {
  interface Chain {
    readonly score: number;
    readonly order: number;
    readonly line: number;
    readonly candidate: Candidate;
    readonly before: Chain | undefined;
  }
  // The best chains by their last row: later rows only with higher scores.
  let best: Chain[] = [];
  for (const [line, own] of candidates.entries()) {
    const added: Chain[] = own.map((candidate) => {
      const before = lastBefore(best, candidate.order);
      return { score: (before?.score ?? 0) + candidate.score, order: candidate.order, line, candidate, before };
    });
    if (added.length > 0) best = frontier(best, added);
  }
  const chosen: (Candidate | undefined)[] = candidates.map(() => undefined);
  for (let chain = best.at(-1); chain !== undefined; chain = chain.before) chosen[chain.line] = chain.candidate;
  return chosen;
}

interface Scored {
  readonly score: number;
  readonly order: number;
}

/** The last entry before a row, by binary search. */
function lastBefore<Entry extends Scored>(entries: readonly Entry[], order: number): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.order ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

function frontier<Entry extends Scored>(entries: readonly Entry[], added: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  const sorted = [...entries, ...added].sort((a, b) => a.order - b.order || b.score - a.score);
  for (const entry of sorted) if (entry.score > (kept.at(-1)?.score ?? 0)) kept.push(entry);
  return kept;
}
