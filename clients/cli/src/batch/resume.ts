import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { BatchProgress } from '@docmill/client';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type BatchRecord, findRecordOfBatch, updateRecord } from './batch-record.ts';
import { confirmCost } from './confirm-cost.ts';
import { followBatch } from './follow-batch.ts';
import { bundleOf } from './save-result.ts';

const outputText = 'where the result goes (default: where the batch was to write it, or its id in this folder)';

export function resumeBatchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('resume')
    .description('follow a batch until it ends and write its result')
    .argument('<id>', 'id of the batch')
    .option('-o, --output <path>', outputText)
    .option('--force', 'replace files that exist')
    .action(async (id, flags, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      const batch = await docmill.batches.get(checkId('bat', id), { signal: cli.signal });
      const record = findRecordOfBatch(cli.env, id);
      await followBatch(cli, output, docmill, id, {
        output: targetOf(batch, flags.output, record),
        isForced: flags.force === true,
        onSaved: () => noteSaved(cli, record),
      });
    });
}

export function retryBatchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('retry')
    .description('make the failed rows of a batch again, and write the result; rows that succeed are paid for')
    .argument('<id>', 'id of the batch')
    .option('-o, --output <path>', outputText)
    .option('-y, --yes', 'do not ask before the rows are paid for; required without a terminal')
    .option('--no-wait', 'return when the service has accepted the retry')
    .option('--force', 'replace files that exist')
    .option('--dry-run', 'print the batch and do not retry it')
    .action(async (id, flags, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      const batch = await docmill.batches.get(checkId('bat', id), { signal: cli.signal });
      if (flags.dryRun === true) {
        output.result({ ...batch, dryRun: true }, () => output.line(`${id} ${batch.counts.failed} rows to retry`));
        return;
      }
      if (flags.yes !== true && batch.counts.failed > 0)
        await confirmCost(cli, `Make ${batch.counts.failed} failed rows again?`);
      await docmill.batches.retry(id, { signal: cli.signal });
      if (!flags.wait) {
        output.result({ id }, () => output.line(id));
        return;
      }
      const record = findRecordOfBatch(cli.env, id);
      await followBatch(cli, output, docmill, id, {
        output: targetOf(batch, flags.output, record),
        isForced: flags.force === true,
        onSaved: () => noteSaved(cli, record),
      });
    });
}

/** The bundle was chosen when the batch was created; a zip cannot become a folder. */
function targetOf(batch: BatchProgress, named: string | undefined, record: BatchRecord | undefined): string {
  const standard = batch.bundle === 'none' ? batch.id : `${batch.id}.${batch.bundle}`;
  if (named === undefined) return record?.output ?? resolve(standard);
  if (bundleOf(named) === batch.bundle) return resolve(named);
  const kinds = { zip: 'a .zip', pdf: 'a .pdf', none: 'a folder' };
  throw new CliError(
    exitCodes.usage,
    `The result of this batch is ${kinds[batch.bundle]}: ${JSON.stringify(named)} is another kind.`,
    `Use --output ${standard}.`,
  );
}

function noteSaved(cli: Cli, record: BatchRecord | undefined): void {
  if (record !== undefined) updateRecord(cli.env, { ...record, savedAt: new Date().toISOString() });
}
