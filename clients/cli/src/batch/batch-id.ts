import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

/** Throws `notFound` for a text that is no id of a batch. */
export function parseBatchId(id: string): string {
  if (/^bat_[0-9a-z]{26}$/.test(id)) return id;
  const hint = 'The id of a batch begins with bat_. See what there is: docmill batch list.';
  throw new CliError(exitCodes.notFound, `There is no batch ${JSON.stringify(id)}.`, hint);
}
