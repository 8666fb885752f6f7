import { type Command, type Options, optional, required, UsageError } from '../parse-command.ts';
import { readCount, readId, readOneOf } from '../read-options.ts';
import type { Format } from './open-producer.ts';

const formats = ['docx', 'pdf'] as const satisfies readonly Format[];
const defaultSeconds = 60;
const maxRate = 100_000;

/** Measures what an account's documents cost on this machine, and plans the capacity for a rate. */
export const capacityCommand: Command = {
  summary:
    "Measure an account's live templates on this machine and plan replicas, cores, memory and connections for a rate",
  options: {
    account: required('<accountId>'),
    rate: required('<documents a second>'),
    format: optional(`<${formats.join('|')}>`),
    seconds: optional('<n>'),
  },
  failureExitCode: 2,
  exitCodeOf(result) {
    const { templates, failed } = result as {
      readonly templates: readonly unknown[];
      readonly failed: readonly unknown[];
    };
    if (templates.length === 0) return 2;
    return failed.length > 0 ? 1 : 0;
  },
  async run(deps, options) {
    const accountId = readId(options, 'account', 'acc');
    const rate = readRate(options);
    const chosen: readonly Format[] = options.has('format') ? [readOneOf(options, 'format', formats)] : formats;
    const seconds = options.has('seconds') ? readCount(options, 'seconds', 5, 3_600) : defaultSeconds;
    const { measureCapacity } = await import('./measure-capacity.ts');
    return await measureCapacity(deps, { accountId, rate, formats: chosen, seconds });
  },
};

/** Reads a rate: more than 0, with up to three decimals. */
function readRate(options: Options): number {
  const value = options.get('rate') ?? '';
  const rate = /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : 0;
  if (rate <= 0 || rate > maxRate)
    throw new UsageError(`--rate must be a number of documents a second, more than 0 and at most ${maxRate}`);
  return rate;
}
