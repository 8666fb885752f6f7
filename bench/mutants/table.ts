/** The outcome of a mutant, as Stryker reports it. */
export interface Mutant {
  readonly fileName: string;
  readonly status: string;
}

interface Counts {
  killed: number;
  /** Mutants whose tests timed out; they count as killed. */
  timeout: number;
  survived: number;
  noCoverage: number;
}

const countOf = { Killed: 'killed', Timeout: 'timeout', Survived: 'survived', NoCoverage: 'noCoverage' } as const;

function count(mutants: readonly Mutant[]): Counts {
  const counts = { killed: 0, timeout: 0, survived: 0, noCoverage: 0 };
  for (const { status } of mutants) {
    if (status in countOf) counts[countOf[status as keyof typeof countOf]] += 1;
  }
  return counts;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : ((part / whole) * 100).toFixed(1);
}

function row(name: string, mutants: readonly Mutant[]): string {
  const { killed, timeout, survived, noCoverage } = count(mutants);
  const found = killed + timeout;
  const covered = found + survived;
  const all = covered + noCoverage;
  const scores = [percent(found, covered), percent(found, all)];
  return `| ${[name, all, killed, timeout, survived, noCoverage, ...scores].join(' | ')} |`;
}

/**
 * Rows by folder. The covered score is the percentage of killed and timed-out mutants among those that a unit test
 * reaches. The total score is their percentage among all mutants. Mutants that were not run, because they are outside
 * the sample or in code that runs once at import, do not count in either score.
 */
export function tableOf(mutants: readonly Mutant[], folders: readonly string[]): readonly string[] {
  return [
    '| folder | mutants | killed | timeout | survived | no coverage | score of covered, % | score in total, % |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...folders.map((folder) =>
      row(
        `\`${folder}\``,
        mutants.filter(({ fileName }) => fileName.startsWith(`${folder}/`)),
      ),
    ),
    row('all', mutants),
  ];
}
