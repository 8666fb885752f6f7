import type { RunPlan } from '../harness/contender-process.ts';
import type { ExampleName } from '../harness/documents.ts';
import type { BenchOptions } from '../harness/options.ts';

export type Format = 'docx' | 'pdf';

export interface HttpPlan {
  readonly formats: readonly Format[];
  readonly example: ExampleName;
  readonly rows: readonly number[];
  readonly concurrency: readonly number[];
  readonly rounds: number;
  readonly runMs: number;
  readonly warmUpMs: number;
}

/**
 * The plan selected by the options. The defaults take about two minutes for docx and four for PDF; with `--quick`,
 * both together take one minute.
 */
export function planOf({ values, quick, rounds }: BenchOptions): HttpPlan {
  const { format = 'docx,pdf', example = 'invoice', rows, concurrency, 'run-ms': runMs } = values;
  return {
    formats: format.split(',').map((name) => oneOf(['docx', 'pdf'] as const, name)),
    example: oneOf(['invoice', 'letter'] as const, example),
    rows: numbers(rows ?? (quick ? '10' : '10,100,1000')),
    concurrency: numbers(concurrency ?? (quick ? '1,32' : '1,8,32')),
    rounds,
    runMs: Number(runMs ?? (quick ? 1_000 : 1_500)),
    warmUpMs: quick ? 3_000 : 6_000,
  };
}

/** A run has at least one document per caller, so that callers who finish early at its end have little influence. */
export function runOf(plan: HttpPlan, concurrency: number): RunPlan {
  return { forMs: plan.runMs, minDocuments: concurrency === 1 ? 3 : concurrency, concurrency };
}

function numbers(list: string): number[] {
  const values = list.split(',').map(Number);
  if (values.some((value) => !Number.isInteger(value) || value < 1)) throw new Error(`not a list of numbers: ${list}`);
  return values;
}

function oneOf<const T extends string>(known: readonly T[], name: string): T {
  const found = known.find((each) => each === name);
  if (found === undefined) throw new Error(`${name} is not one of ${known.join(', ')}`);
  return found;
}
