import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { invoiceOption, syntaxOption } from '../electronic-invoice.ts';
import { exitCodes } from '../exit-codes.ts';
import { findTemplate } from '../find-template.ts';
import { collect, wholeNumber } from '../option-values.ts';
import { rejectExisting } from '../write-file.ts';
import { externalOption, formatOption, glyphOption, missingOption, readBatchOptions } from './batch-options.ts';
import { updateRecord } from './batch-record.ts';
import { followBatch } from './follow-batch.ts';
import { openRows, rowFormats } from './rows-file.ts';
import { bundleOf } from './save-result.ts';
import { estimateMs, type PlannedBatch, quoteBatch, reportQuote, startBatch } from './start-batch.ts';

export function runBatchCommand(cli: Cli): CommandUnknownOpts {
  return new Command('run')
    .description('make a document for each row of a CSV, NDJSON or JSON file; `run` may be left out')
    .argument('<template>', 'name or id of the template')
    .argument('<rows>', 'file with the rows; - reads standard input')
    .option(
      '-o, --output <path>',
      'a .zip, a .pdf with all documents, or a folder for single files (default: the name of the template, .zip)',
    )
    .addOption(formatOption)
    .addOption(invoiceOption)
    .addOption(syntaxOption)
    .addOption(new Option('--rows-format <format>', 'format of the rows (default: by the file)').choices(rowFormats))
    .option(
      '--column-format <column:format>',
      'how a column of CSV is written, such as total:decimalComma or day:dayFirst; may be repeated',
      collect,
    )
    .option('--filename <name>', 'name of each file, with values of its row: invoice-{number}')
    .option('--locale <tag>', 'language of dates and numbers, such as de-CH')
    .option('--timezone <zone>', 'time zone of dates, such as Europe/Zurich')
    .addOption(missingOption)
    .addOption(glyphOption)
    .option('--document-date <time>', 'date of the documents, such as 2026-03-31T14:30:00+02:00')
    .addOption(externalOption)
    .option('--email-to <address>', 'also send each document, such as to {customer.email}; may be repeated', collect)
    .option('--email-subject <text>', 'subject of the e-mails; may have values of the row')
    .option('--email-body <file>', 'file with the text of the e-mails')
    .option('--output-options <file>', 'JSON file with further fields of `output` of the API, such as pdf and email')
    .option('--max-failures <number>', 'give up when more rows fail; the rest costs nothing', wholeNumber(0, 100_000))
    .option('--callback-url <address>', 'https address that is notified of the end')
    .option('--template-version <number>', 'version of the template', wholeNumber(1, 2_000_000_000))
    .option('-y, --yes', 'do not ask before the rows are paid for; required without a terminal')
    .option('--new', 'make a new batch, although these rows were sent before')
    .option('--no-wait', 'return when the service has accepted the batch')
    .option('--force', 'replace files that exist')
    .option('--dry-run', 'print the cost and the rows that would fail; nothing is charged')
    .addHelpText(
      'after',
      `
The rows are paid for once: Ctrl-C, a crash and a lost connection leave the batch at the service, and the same command
continues it.

Examples:
  docmill batch certificate people.csv --format pdf --output certificates/
  docmill batch invoice orders.ndjson --format pdf --filename 'invoice-{number}' --output invoices.zip --yes
  docmill batch resume bat_01m80pk3kqaj7fq7e0f2d712sz`,
    )
    .action(async (named, file, flags, command) => {
      const { output, connect } = cli.start(command);
      const { options, needsItems } = await readBatchOptions(flags, cli.stdin);
      const needsCsv = options.columnFormats !== undefined;
      const input = { stdin: cli.stdin, format: flags.rowsFormat, needsItems, needsCsv, signal: cli.signal };
      const rows = await openRows(file, input);
      try {
        const { docmill, profile } = connect();
        const template = await findTemplate(docmill, named, cli.signal);
        const target = flags.output ?? `${template.name.replace(/\.docx$/i, '')}.zip`;
        const bundle = bundleOf(target);
        const isForced = flags.force === true;
        const planned: PlannedBatch = {
          url: profile.url,
          template,
          version: flags.templateVersion,
          rows,
          options:
            bundle === 'pdf'
              ? { ...options, output: { format: 'pdf', ...options.output }, bundle }
              : { ...options, bundle },
          output: resolve(target),
        };
        if (flags.dryRun === true) {
          const quote = await quoteBatch(cli, docmill, planned);
          const durationMs = await estimateMs(cli, docmill, template.id, quote);
          output.result({ dryRun: true, ...quote, estimatedMs: durationMs ?? null }, () =>
            reportQuote(output, quote, durationMs),
          );
          if (quote.emailProblem !== undefined) {
            output.warn(quote.emailProblem);
            cli.setExitCode(exitCodes.unavailable);
          } else if (!quote.fits) cli.setExitCode(exitCodes.quota);
          return;
        }
        const record = await startBatch(cli, output, docmill, planned, {
          isNew: flags.new === true,
          isConfirmed: flags.yes === true,
          onNew: () => {
            if (bundle !== 'none' && !isForced) rejectExisting(planned.output);
          },
        });
        if (!flags.wait) {
          output.result({ id: record.batchId }, () => output.line(record.batchId));
          output.note(`To get its result: docmill batch resume ${record.batchId}`);
          return;
        }
        await followBatch(cli, output, docmill, record.batchId, {
          output: planned.output,
          isForced,
          onSaved: () => updateRecord(cli.env, { ...record, savedAt: new Date().toISOString() }),
        });
      } finally {
        await rows.close();
      }
    });
}
