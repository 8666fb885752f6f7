import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { isRecord } from '../json-value.ts';
import { writeWholeFile } from '../write-file.ts';

type JobRequest = components['schemas']['JobRequest'];

/** The page limit of a preview. */
const pages = 20;

export function reproduceCommand(cli: Cli): CommandUnknownOpts {
  return new Command('reproduce')
    .description('write template, data and options of a job into a folder and render them by a preview; costs nothing')
    .argument('<id>', 'id of the job')
    .option('-d, --data <file>', 'JSON file with the data, where the service does not keep it')
    .option('-o, --output <folder>', 'where to write the files (default: the id, in this folder)')
    .option('--force', 'replace files that exist')
    .addHelpText(
      'after',
      `
Writes template.docx, data.json and options.json, and preview.pdf when the document has no error. An error is printed with
its place; the exit code is then 1.

Examples:
  docmill reproduce doc_01hx5s3k2v9m8q7r6t5w4y3z2a
  docmill reproduce doc_01hx5s3k2v9m8q7r6t5w4y3z2a --data order.json --output order-4711`,
    )
    .action(async (id, flags, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      const call = { signal: cli.signal };
      const job = await docmill.jobs.get(checkId('doc', id), call);
      const request = await docmill.jobs.request(id, call);
      const template = await docmill.templates.downloadVersion(request.templateId, request.templateVersion, call);
      const given = flags.data === undefined ? undefined : await readFile(flags.data, 'utf8');
      const data = given ?? request.data;
      const folder = flags.output ?? id;
      const files = {
        'template.docx': template,
        'options.json': `${JSON.stringify(request.output, null, 2)}\n`,
        ...(data !== undefined && { 'data.json': data }),
      };
      for (const [name, content] of Object.entries(files))
        await writeWholeFile(join(folder, name), content, flags.force === true);
      output.note(`${id} ${job.status}: ${Object.keys(files).join(', ')} written to ${folder}.`);
      if (data === undefined) throw missingData(id, request);
      if (given !== undefined && sha256(given) !== request.dataSha256) {
        output.warn(`${flags.data} is not byte by byte the data of the job.`);
      }
      const preview = `{"data":${data},"output":${JSON.stringify(forPreview(request.output))},"preview":{"pages":${pages}}}`;
      const { bytes, pageCount } = await docmill.templates.previewFile(template, preview, call);
      const path = join(folder, 'preview.pdf');
      await writeWholeFile(path, bytes, flags.force === true);
      output.result({ id, folder, status: job.status, preview: path, pages: pageCount }, () => output.line(path));
      if (job.status === 'failed') output.note('The document has no error now.');
    });
}

function missingData(id: string, { dataSha256 }: JobRequest): CliError {
  const message = `The service does not keep the data of ${id}.`;
  const hint = `Repeat the command with --data <file> --force. The SHA-256 of the data is ${dataSha256}.`;
  return new CliError(exitCodes.failed, message, hint);
}

/** Removes the options that previews do not support: permissions, and files that are attached or joined. */
function forPreview({ pdf, ...output }: JobRequest['output']): Readonly<Record<string, unknown>> {
  if (!isRecord(pdf)) return output;
  const omitted = ['permissions', 'attachments', 'append', 'prepend'];
  return { ...output, pdf: Object.fromEntries(Object.entries(pdf).filter(([name]) => !omitted.includes(name))) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
