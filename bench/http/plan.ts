import type { ExampleName } from '../harness/documents.ts';
import type { BenchOptions } from '../harness/options.ts';
import type { Turn } from '../harness/side-process.ts';

export type Format = 'docx' | 'pdf';

export interface HttpPlan {
  readonly formats: readonly Format[];
  readonly example: ExampleName;
  readonly rows: readonly number[];
  readonly concurrency: readonly number[];
  readonly rounds: number;
  readonly turnMs: number;
  readonly warmUpMs: number;
}

/** What the options ask for; the defaults take about two minutes for docx and four for pdf, quick ones one in all. */
export function planOf({ own, quick, rounds }: BenchOptions): HttpPlan {
  const { format = 'docx,pdf', example = 'invoice', rows, concurrency, turn } = own;
  return {
    formats: format.split(',').map((name) => oneOf(['docx', 'pdf'] as const, name)),
    example: oneOf(['invoice', 'letter'] as const, example),
    rows: numbers(rows ?? (quick ? '10' : '10,100,1000')),
    concurrency: numbers(concurrency ?? (quick ? '1,32' : '1,8,32')),
    rounds,
    turnMs: Number(turn ?? (quick ? 1_000 : 1_500)),
    warmUpMs: quick ? 3_000 : 6_000,
  };
}

/** A turn has a few documents for each lane, so that the emptying of the lanes at its end weighs little. */
export function turnOf(plan: HttpPlan, lanes: number): Turn {
  return { forMs: plan.turnMs, atLeast: lanes === 1 ? 3 : lanes, lanes };
}

function numbers(list: string): number[] {
  const values = list.split(',').map(Number);
  if (values.some((value) => !Number.isInteger(value) || value < 1)) throw new Error(`not a list of numbers: ${list}`);
  return values;
}

function oneOf<const T extends string>(known: readonly T[], name: string): T {
  const found = known.find((each) => each === name);
  if (found === undefined) throw new Error(`${name} is none of ${known.join(', ')}`);
  return found;
}
