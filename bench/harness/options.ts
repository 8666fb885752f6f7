import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly json: boolean;
  /** Under a minute, for people at work: fewer rounds, shorter turns, the most telling cases alone. */
  readonly quick: boolean;
  readonly rounds: number;
  /** Options of this bench alone, by name. */
  readonly own: Readonly<Record<string, string | undefined>>;
}

/** Reads what stands behind the bench's name on the command line; ends the process with 2 for what it does not know. */
export function readOptions(plan: {
  readonly rounds: number;
  readonly quickRounds: number;
  readonly own?: readonly string[];
}): BenchOptions {
  const own = Object.fromEntries((plan.own ?? []).map((name) => [name, { type: 'string' }] as const));
  try {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, rounds: { type: 'string' }, ...own },
    });
    const { json, quick, rounds, ...others } = values as Readonly<Record<string, string | boolean | undefined>>;
    const count = Number(rounds ?? (quick === true ? plan.quickRounds : plan.rounds));
    if (!Number.isInteger(count) || count < 1) throw new Error('--rounds must be a whole number from 1');
    return {
      json: json === true,
      quick: quick === true,
      rounds: count,
      own: others as Readonly<Record<string, string | undefined>>,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
