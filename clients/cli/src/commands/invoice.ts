import { readFile } from 'node:fs/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';

type Report = components['schemas']['InvoiceReport'];

export function invoiceCommand(cli: Cli): CommandUnknownOpts {
  return new Command('invoice').description('validate electronic invoices').addCommand(checkCommand(cli));
}

function checkCommand(cli: Cli): CommandUnknownOpts {
  return new Command('check')
    .description('validate an invoice by the rules of EN 16931 and XRechnung, and compare a PDF with it')
    .argument('<file>', 'XML (CII or UBL), or a PDF with an invoice attached')
    .option('--strict', 'exit with 1 also if the pages of a PDF differ from its invoice, or could not be compared')
    .addHelpText('after', '\nThe exit code is 1 if the invoice breaks a rule that makes it invalid.')
    .action(async (file, { strict }, command) => {
      const { output, connect } = cli.start(command);
      const content = new Uint8Array(await readFile(file));
      const report = await connect().docmill.invoices.validate(content, { signal: cli.signal });
      output.result(report, () => {
        for (const line of describe(report)) output.line(line);
      });
      const isDifferent = report.attachment !== null && report.differences?.length !== 0;
      if (!report.valid || (strict === true && isDifferent)) cli.setExitCode(exitCodes.failed);
    });
}

function describe({
  valid,
  profile,
  specification,
  ruleSets,
  findings,
  hasMoreFindings,
  differences,
  hasMoreDifferences,
}: Report): readonly string[] {
  const kind = profile ?? (specification === '' ? 'an unnamed profile' : specification);
  const verdict = valid ? 'valid' : 'not valid';
  return [
    ruleSets.length === 0 ? `${kind}: read, but there are no rules for this profile` : `${kind}: ${verdict}`,
    ...findings.map(
      ({ id, severity, message, businessTerms, line, problem }) =>
        `${severity} ${id}, line ${line}${businessTerms.length === 0 ? '' : ` (${businessTerms.join(', ')})`}: ${message}${problem === undefined ? '' : ` ${problem}`}`,
    ),
    ...(hasMoreFindings ? ['More rules are broken; repair these first.'] : []),
    ...(differences ?? []).map(({ message }) => `difference: ${message}`),
    ...(hasMoreDifferences ? ['More values differ; repair these first.'] : []),
    ...(differences?.length === 0 ? ['The pages show the values of the invoice.'] : []),
  ];
}
