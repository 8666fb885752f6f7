import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { cancelBatchCommand, listBatchesCommand, showBatchCommand } from '../batch/manage.ts';
import { resumeBatchCommand, retryBatchCommand } from '../batch/resume.ts';
import { runBatchCommand } from '../batch/run.ts';
import type { Cli } from '../cli.ts';

export function batchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('batch')
    .description('make a document for each row of a file, and manage batches')
    .addCommand(runBatchCommand(cli), { isDefault: true })
    .addCommand(resumeBatchCommand(cli))
    .addCommand(listBatchesCommand(cli))
    .addCommand(showBatchCommand(cli))
    .addCommand(cancelBatchCommand(cli))
    .addCommand(retryBatchCommand(cli));
}
