import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { CallOptions, Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../format-amounts.ts';
import { collect, wholeNumber } from '../option-values.ts';
import type { Output } from '../output.ts';
import { readJsonObject } from '../read-input.ts';
import { applyAssignments } from '../set-value.ts';
import { findTemplate } from '../template-metadata.ts';
import { rejectExisting, toLocalName, writeWholeFile } from '../write-file.ts';

const formats = ['docx', 'pdf'] as const;

export function generateCommand(cli: Cli): CommandUnknownOpts {
  return new Command('generate')
    .description('fill a template with data and write the document to a file')
    .argument('<template>', 'name or id of the template')
    .option('-d, --data <file>', 'JSON file with the data; - reads standard input')
    .option(
      '-s, --set <path=value>',
      'set a value of the data, such as items[0].price=9.5; JSON values have their type',
      collect,
    )
    .option('--set-text <path=value>', 'like --set; the value is always a text', collect)
    .option(
      '-o, --output <file>',
      'where to write the document; - is standard output (default: its name, in this folder)',
    )
    .addOption(new Option('-f, --format <format>', 'format of the document').choices(formats).default('docx' as const))
    .option('--filename <name>', 'name of the document in e-mails and in the job')
    .option('--locale <tag>', 'language of dates and numbers, such as de-CH')
    .option('--timezone <zone>', 'time zone of dates, such as Europe/Zurich')
    .addOption(
      new Option('--on-missing <action>', 'what a missing value does').choices([
        'empty',
        'error',
        'highlight',
      ] as const),
    )
    .option(
      '--template-version <number>',
      'version of the template (default: the current one)',
      wholeNumber(1, 2_000_000_000),
    )
    .option('--email-to <address>', 'also send the document by e-mail; may be repeated', collect)
    .option('--email-subject <text>', 'subject of the e-mail')
    .option('--idempotency-key <key>', 'repeat a request without a second document or charge')
    .option('--force', 'replace the file if it exists')
    .option('--dry-run', 'print the request; nothing is generated and nothing is charged')
    .addHelpText(
      'after',
      `
Examples:
  docmill generate invoice --data invoice.json --format pdf
  jq .customer crm.json | docmill generate letter --data - --output - --format pdf | lpr
  docmill generate letter --set name=Ada --set 'items=[{"price": 9.5}]' --output letter.docx`,
    )
    .action(async (named, options, command) => {
      const { output, connect } = cli.start(command);
      const isPiped = options.output === '-';
      if (isPiped && output.isJson) {
        throw new CliError(exitCodes.usage, '--json and --output - both write to standard output.', 'Use one of them.');
      }
      if (isPiped && cli.stdout.isTTY === true) {
        throw new CliError(
          exitCodes.usage,
          'The document is not written to a terminal.',
          'Use --output <file>, or a pipe.',
        );
      }
      // Found before the document is charged; the file is written exclusively all the same.
      if (options.output !== undefined && !isPiped && options.force !== true) rejectExisting(options.output);
      const data = applyAssignments(options.data === undefined ? {} : await readJsonObject(options.data, cli.stdin), [
        ...(options.set ?? []).map((text) => ({ text, isText: false })),
        ...(options.setText ?? []).map((text) => ({ text, isText: true })),
      ]);
      const { docmill } = connect();
      const template = await findTemplate(docmill, named, cli.signal);
      const { format, filename, locale, timezone, onMissing } = options;
      const email = options.emailTo && { to: options.emailTo, subject: options.emailSubject };
      const request = { data, output: { format, filename, locale, timezone, onMissing, email } };
      if (options.dryRun === true) {
        const planned = { dryRun: true, templateId: template.id, templateName: template.name, ...request };
        output.result(planned, () => output.line(JSON.stringify(planned, null, 2)));
        return;
      }
      const call = { idempotencyKey: options.idempotencyKey, signal: cli.signal };
      const document = await generate(docmill, template.id, options.templateVersion, request, call);
      if (!output.isJson) for (const { message } of document.warnings) output.warn(message);
      if (isPiped) return await writeAll(cli.stdout, document.bytes);
      const path = options.output ?? document.filename;
      await writeWholeFile(path, document.bytes, options.force === true);
      report(output, document, path);
    });
}

interface GeneratedDocument {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly warnings: readonly { readonly message: string }[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly emailDeliveryId: string | undefined;
}

async function generate(
  docmill: Docmill,
  templateId: string,
  version: number | undefined,
  request: unknown,
  call: CallOptions,
): Promise<GeneratedDocument> {
  const sending = {
    ...call,
    ...(version !== undefined && { query: { version } }),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  };
  const { headers, bytes } = await docmill.send(
    'POST',
    `/v1/templates/${templateId}/generate`,
    sending,
    async (response) => ({ headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }),
  );
  const id = headers.get('Document-Id') ?? '';
  const hasWarnings = Number(headers.get('Warnings') ?? 0) > 0;
  const job = hasWarnings ? await docmill.request('GET', `/v1/jobs/${id}`, { signal: call.signal }) : undefined;
  return {
    id,
    bytes,
    filename: toLocalName(readFilename(headers.get('Content-Disposition') ?? '')),
    warnings: (job as Pick<GeneratedDocument, 'warnings'> | undefined)?.warnings ?? [],
    timings: readTimings(headers.get('Server-Timing') ?? ''),
    emailDeliveryId: headers.get('Email-Delivery-Id') ?? undefined,
  };
}

/** The name of an attachment (RFC 6266); the extended one (RFC 8187) has all characters. */
function readFilename(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? '') : decodeURIComponent(encoded);
}

function readTimings(header: string): Readonly<Record<string, number>> {
  const entries = header.matchAll(/([\w-]+);dur=([\d.]+)/g);
  return Object.fromEntries([...entries].map(([, name = '', duration]) => [name, Number(duration)]));
}

/** Waits for a slow reader. */
async function writeAll(stdout: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function report(output: Output, document: GeneratedDocument, path: string): void {
  const { id, bytes, warnings, timings, emailDeliveryId = null } = document;
  const result = { id, file: path, size: bytes.length, warnings, timings, emailDeliveryId };
  output.result(result, () => output.line(path));
  const duration = timings.total === undefined ? '' : ` in ${Math.round(timings.total)} ms`;
  output.note(`${id}: ${formatBytes(bytes.length)}${duration}`);
}
