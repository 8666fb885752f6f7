import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { wholeNumber } from '../option-values.ts';
import { take } from '../take.ts';

const statuses = ['accepted', 'running', 'completed', 'cancelled', 'failed'] as const;

export function listBatchesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('list')
    .description('list batches, newest first')
    .addOption(new Option('--status <status>', 'only batches with this status').choices(statuses))
    .option('--template <id>', 'only batches of this template')
    .option('--limit <number>', 'at most this many (default: 20)', wholeNumber(1, 1_000_000))
    .action(async ({ status, template, limit = 20 }, command) => {
      const { output, connect } = cli.start(command);
      const query = {
        limit: Math.min(limit, 1_000),
        ...(status !== undefined && { status }),
        ...(template !== undefined && { templateId: template }),
      };
      const batches = await take(connect().docmill.batches.list(query, { signal: cli.signal }), limit);
      output.result(batches, () =>
        output.table(
          ['ID', 'STATUS', 'ROWS', 'FORMAT', 'BUNDLE', 'TEMPLATE', 'CREATED'],
          batches.map((one) => [one.id, one.status, one.rows, one.format, one.bundle, one.templateId, one.createdAt]),
        ),
      );
    });
}

export function showBatchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('show')
    .description('show a batch, with its counts and its warnings')
    .argument('<id>', 'id of the batch')
    .option('--failed', 'list the rows that failed, with their reasons')
    .action(async (id, { failed }, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      if (failed === true) {
        const rows = await docmill.batches
          .rows(checkId('bat', id), { status: 'failed', limit: 1_000 }, { signal: cli.signal })
          .all();
        output.result(rows, () =>
          output.table(
            ['ROW', 'JOB', 'REASON'],
            rows.map(({ row, jobId, error }) => [row, jobId, error?.message]),
          ),
        );
        return;
      }
      const batch = await docmill.batches.get(checkId('bat', id), { signal: cli.signal });
      output.result(batch, () => {
        const { counts, files, error, ...fields } = batch;
        const rows = Object.entries({ ...fields, ...counts }).flatMap(([field, value]) =>
          typeof value === 'string' || typeof value === 'number' ? [[field, value]] : [],
        );
        output.table(
          ['FIELD', 'VALUE'],
          [...rows, ...files.map(({ name, size }) => ['file', `${name}, ${size} bytes`])],
        );
        if (error !== undefined) output.warn(error.message);
      });
    });
}

export function cancelBatchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('cancel')
    .description('cancel a batch: rows that have not started cost nothing')
    .argument('<id>', 'id of the batch')
    .option('--dry-run', 'print the batch and do not cancel it')
    .action(async (id, { dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      const call = { signal: cli.signal };
      const isDry = dryRun === true;
      const batch = isDry
        ? await docmill.batches.get(checkId('bat', id), call)
        : await docmill.batches.cancel(checkId('bat', id), call);
      output.result({ ...batch, dryRun: isDry }, () => output.line(`${batch.id} ${batch.status}`));
    });
}
