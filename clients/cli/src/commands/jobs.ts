import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { toLocalName } from '../local-name.ts';
import { wholeNumber } from '../option-values.ts';
import { take } from '../take.ts';
import { rejectExisting, writeFreeFile, writeWholeFile } from '../write-file.ts';

type Job = components['schemas']['Job'];

const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const satisfies readonly Job['status'][];

export function jobsCommand(cli: Cli): CommandUnknownOpts {
  return new Command('jobs')
    .description('list, show, download and cancel documents that were requested')
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(downloadCommand(cli))
    .addCommand(cancelCommand(cli));
}

function listCommand(cli: Cli): CommandUnknownOpts {
  return new Command('list')
    .description('list jobs, newest first')
    .addOption(new Option('--status <status>', 'only jobs with this status').choices(statuses))
    .option('--template <id>', 'only jobs of this template')
    .option('--limit <number>', 'at most this many (default: 20)', wholeNumber(1, 1_000_000))
    .action(async ({ status, template, limit = 20 }, command) => {
      const { output, connect } = cli.start(command);
      const query = { limit: Math.min(limit, 1_000), status, templateId: template };
      const jobs = await take(connect().docmill.jobs.list(query, { signal: cli.signal }), limit);
      output.result(jobs, () =>
        output.table(
          ['ID', 'STATUS', 'FORMAT', 'FILE', 'CREATED'],
          jobs.map((job) => [job.id, job.status, job.format, job.filename, job.createdAt]),
        ),
      );
    });
}

function showCommand(cli: Cli): CommandUnknownOpts {
  return new Command('show')
    .description('show one job, with its warnings and its error')
    .argument('<id>', 'id of the job')
    .action(async (id, _options, command) => {
      const { output, connect } = cli.start(command);
      const job = await connect().docmill.jobs.get(checkId('doc', id), { signal: cli.signal });
      output.result(job, () => {
        const rows = Object.entries(job).flatMap(([field, value]) =>
          typeof value === 'string' || typeof value === 'number' ? [[field, value]] : [],
        );
        output.table(['FIELD', 'VALUE'], rows);
        for (const { message } of job.warnings) output.warn(message);
        if (job.error !== undefined) output.warn(job.error.message);
      });
    });
}

function downloadCommand(cli: Cli): CommandUnknownOpts {
  return new Command('download')
    .description('wait for the document of a job and write it to a file')
    .argument('<id>', 'id of the job')
    .option('-o, --output <file>', 'where to write it (default: its name, in this folder)')
    .option('--force', 'replace the file if it exists')
    .action(async (id, flags, command) => {
      const { output, connect } = cli.start(command);
      if (flags.output !== undefined && flags.force !== true) rejectExisting(flags.output);
      const { jobs } = connect().docmill;
      const call = { signal: cli.signal };
      const job = await jobs.wait(checkId('doc', id), call);
      if (job.status !== 'succeeded') {
        const reason = job.error === undefined ? '' : `: ${job.error.message}`;
        throw new CliError(exitCodes.failed, `The job ${id} ${job.status}${reason}`);
      }
      const bytes = await jobs.download(id, call);
      const named = flags.output ?? (flags.force === true ? toLocalName(job.filename) : undefined);
      if (named !== undefined) await writeWholeFile(named, bytes, flags.force === true);
      const path = named ?? (await writeFreeFile(toLocalName(job.filename), bytes));
      output.result({ id, file: path, size: bytes.length }, () => output.line(path));
    });
}

function cancelCommand(cli: Cli): CommandUnknownOpts {
  return new Command('cancel')
    .description('cancel a job that waits; it costs nothing')
    .argument('<id>', 'id of the job')
    .option('--dry-run', 'print the job and do not cancel it')
    .action(async (id, { dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const { jobs } = connect().docmill;
      const call = { signal: cli.signal };
      if (dryRun !== true) await jobs.cancel(checkId('doc', id), call);
      const job = await jobs.get(checkId('doc', id), call);
      output.result({ ...job, dryRun: dryRun === true }, () => output.line(`${job.id} ${job.status}`));
    });
}
