import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

const kinds = {
  doc: 'job',
  bat: 'batch',
  dlv: 'delivery',
  whk: 'webhook',
  whd: 'delivery of a webhook',
} as const;

/** Returns the id if it has the prefix of its kind. Otherwise throws `notFound` before anything is sent. */
export function checkId(prefix: keyof typeof kinds, id: string): string {
  if (new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) return id;
  const kind = kinds[prefix];
  throw new CliError(
    exitCodes.notFound,
    `There is no ${kind} ${JSON.stringify(id)}.`,
    `The id of a ${kind} begins with ${prefix}_.`,
  );
}
