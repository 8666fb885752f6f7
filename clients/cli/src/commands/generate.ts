import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { Document } from '@docmill/client';
import { applyAssignments } from '../apply-assignments.ts';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { formats, invoiceOption, syntaxOption, toInvoice } from '../electronic-invoice.ts';
import { exitCodes } from '../exit-codes.ts';
import { findTemplate } from '../find-template.ts';
import { formatBytes } from '../format-amounts.ts';
import { toLocalName } from '../local-name.ts';
import { collect, wholeNumber } from '../option-values.ts';
import { readJsonObject } from '../read-json-object.ts';
import { rejectExisting, writeFreeFile, writeWholeFile } from '../write-file.ts';

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
    .option('--set-text <path=value>', 'like --set; the value is always a string', collect)
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
    .addOption(invoiceOption)
    .addOption(syntaxOption)
    .option('--email-to <address>', 'also send the document by e-mail; may be repeated', collect)
    .option('--email-subject <text>', 'subject of the e-mail')
    .option('--idempotency-key <key>', 'repeat a request without a second document or charge')
    .option('--no-wait', 'return when the service has accepted the document; see `docmill jobs download`')
    .option('--force', 'replace the file if it exists')
    .option('--dry-run', 'print the request; nothing is generated and nothing is charged')
    .addHelpText(
      'after',
      `
Examples:
  docmill generate invoice --data invoice.json --format pdf
  jq .customer crm.json | docmill generate letter --data - --output - --format pdf | lpr
  docmill generate invoice --data invoice.json --format pdf --invoice en16931
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
      if (!options.wait && options.output !== undefined) {
        const hint = 'Give it to docmill jobs download.';
        throw new CliError(exitCodes.usage, '--no-wait writes no file, so --output cannot be used with it.', hint);
      }
      // Checked before the document is charged; the file is still written exclusively.
      if (options.output !== undefined && !isPiped && options.force !== true) rejectExisting(options.output);
      const data = applyAssignments(options.data === undefined ? {} : await readJsonObject(options.data, cli.stdin), [
        ...(options.set ?? []).map((text) => ({ text, isText: false })),
        ...(options.setText ?? []).map((text) => ({ text, isText: true })),
      ]);
      const { docmill } = connect();
      const template = await findTemplate(docmill, named, cli.signal);
      const { format, filename, locale, timezone, onMissing } = options;
      const { emailTo: to, emailSubject: subject } = options;
      const email = to && { to, ...(subject !== undefined && { subject }) };
      const request = {
        data,
        output: { format, filename, locale, timezone, onMissing, email, ...toInvoice(options) },
      };
      if (options.dryRun === true) {
        const planned = { dryRun: true, templateId: template.id, templateName: template.name, ...request };
        output.result(planned, () => output.line(JSON.stringify(planned, null, 2)));
        return;
      }
      const { templateVersion: version, idempotencyKey } = options;
      const call = { ...request.output, version, idempotencyKey, signal: cli.signal };
      if (!options.wait) {
        const job = await docmill.templates.start(template.id, data, call);
        output.result(job, () => output.line(job.id));
        output.note(`To get its file: docmill jobs download ${job.id}`);
        return;
      }
      const document = await docmill.templates.generate(template.id, data, call);
      const bytes = await document.bytes();
      const warnings = await document.warnings();
      if (!output.isJson) for (const { message } of warnings) output.warn(message);
      if (isPiped) return await writeAll(cli.stdout, bytes);
      const wanted = options.output ?? toLocalName(document.filename);
      // The document is already charged, so a file that appeared under its default name must not cause a second charge.
      const isOwnName = options.output === undefined && options.force !== true;
      const path = isOwnName ? await writeFreeFile(wanted, bytes) : wanted;
      if (!isOwnName) await writeWholeFile(path, bytes, options.force === true);
      if (path !== wanted) output.warn(`${wanted} exists; the document is in ${path}.`);
      const { id, timings, emailDeliveryId = null } = document;
      const result = { id, file: path, size: bytes.length, warnings, timings, emailDeliveryId };
      output.result(result, () => output.line(path));
      output.note(`${id}: ${formatBytes(bytes.length)}${formatDuration(document)}`);
    });
}

function formatDuration({ timings: { total } }: Document): string {
  return total === undefined ? '' : ` in ${Math.round(total)} ms`;
}

/** Waits for slow readers. */
async function writeAll(stdout: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
