import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { askLine } from '../prompt.ts';

/** Asks before documents are paid for. Throws `usage` without a terminal, where nobody can be asked. */
export async function confirmCost(cli: Cli, question: string): Promise<void> {
  if (cli.stdin.isTTY !== true || cli.stderr.isTTY !== true) {
    const hint = 'Add --yes to pay for them, or --dry-run to see only what they cost.';
    throw new CliError(exitCodes.usage, 'Documents are paid for, and without a terminal nobody can be asked.', hint);
  }
  const answer = await askLine(cli, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new CliError(exitCodes.interrupted, 'Nothing was sent.');
}
