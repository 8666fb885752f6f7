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
    .description('validate an invoice by the rules of EN 16931 and XRechnung')
    .argument('<file>', 'XML (CII or UBL), or a PDF with an invoice attached')
    .addHelpText('after', '\nThe exit code is 1 if the invoice breaks a rule that makes it invalid.')
    .action(async (file, _options, command) => {
      const { output, connect } = cli.start(command);
      const content = new Uint8Array(await readFile(file));
      const report = await connect().docmill.invoices.validate(content, { signal: cli.signal });
      output.result(report, () => {
        for (const line of describe(report)) output.line(line);
      });
      if (!report.valid) cli.setExitCode(exitCodes.failed);
    });
}

function describe({ valid, profile, specification, ruleSets, findings, hasMoreFindings }: Report): readonly string[] {
  const kind = profile ?? (specification === '' ? 'an unnamed profile' : specification);
  const verdict = valid ? 'valid' : 'not valid';
  return [
    ruleSets.length === 0 ? `${kind}: read, but there are no rules for this profile` : `${kind}: ${verdict}`,
    ...findings.map(
      ({ id, severity, message, businessTerms, line, problem }) =>
        `${severity} ${id}, line ${line}${businessTerms.length === 0 ? '' : ` (${businessTerms.join(', ')})`}: ${message}${problem === undefined ? '' : ` ${problem}`}`,
    ),
    ...(hasMoreFindings ? ['More rules are broken; repair these first.'] : []),
  ];
}
