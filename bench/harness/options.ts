import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly json: boolean;
  /** True to write the report to `bench/results/`. */
  readonly save: boolean;
  /**
   * True for a run of less than a minute, for development: fewer rounds, shorter runs, only the most informative cases.
   */
  readonly quick: boolean;
  readonly rounds: number;
  /** Options with a value that are specific to this bench. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** The flags specific to this bench that were given. */
  readonly flags: ReadonlySet<string>;
}

/** Parses the options after the bench's name; exits with 2 if one is unknown. */
export function readOptions(plan: {
  readonly rounds: number;
  readonly quickRounds: number;
  readonly values?: readonly string[];
  readonly flags?: readonly string[];
}): BenchOptions {
  const typed = (names: readonly string[] = [], type: 'string' | 'boolean') =>
    Object.fromEntries(names.map((name) => [name, { type }] as const));
  try {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: {
        json: { type: 'boolean' },
        save: { type: 'boolean' },
        quick: { type: 'boolean' },
        rounds: { type: 'string' },
        ...typed(plan.values, 'string'),
        ...typed(plan.flags, 'boolean'),
      },
    });
    const { json, save, quick, rounds, ...others } = values as Readonly<Record<string, string | boolean | undefined>>;
    const count = Number(rounds ?? (quick === true ? plan.quickRounds : plan.rounds));
    if (!Number.isInteger(count) || count < 1) throw new Error('--rounds must be a whole number of at least 1');
    return {
      json: json === true,
      save: save === true,
      quick: quick === true,
      rounds: count,
      values: Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string
      >,
      flags: new Set(Object.keys(others).filter((name) => others[name] === true)),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
