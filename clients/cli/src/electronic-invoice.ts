import { Option } from '@commander-js/extra-typings';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

const profiles = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung', 'peppol'] as const;

export const formats = ['docx', 'pdf', 'xml'] as const;
export const invoiceOption = new Option(
  '--invoice <profile>',
  'make an electronic invoice by the mapping of the template: Factur-X in a pdf, or the xml alone',
).choices(profiles);
export const syntaxOption = new Option('--syntax <syntax>', 'syntax of an xml').choices(['cii', 'ubl'] as const);

type Profile = (typeof profiles)[number];

export interface InvoiceFlags {
  /** Default: docx. */
  readonly format?: (typeof formats)[number] | undefined;
  readonly invoice?: Profile | undefined;
  readonly syntax?: 'cii' | 'ubl' | undefined;
}

const isAlone = (profile: Profile): profile is 'en16931' | 'xrechnung' | 'peppol' =>
  profile === 'en16931' || profile === 'xrechnung' || profile === 'peppol';

/** The fields of `output` for the electronic invoice. */
export function toInvoice({ format = 'docx', invoice: profile, syntax }: InvoiceFlags) {
  if (syntax !== undefined && format !== 'xml')
    throw new CliError(exitCodes.usage, '--syntax is only for --format xml.', 'A PDF has an invoice in CII.');
  if (profile === undefined) {
    if (format !== 'xml') return {};
    throw new CliError(exitCodes.usage, '--format xml needs a profile.', 'Add --invoice xrechnung, or another one.');
  }
  if (format === 'pdf' && profile !== 'peppol') return { pdf: { invoice: { format: 'factur-x' as const, profile } } };
  if (format === 'xml' && isAlone(profile)) return { xml: { profile, ...(syntax !== undefined && { syntax }) } };
  const hint = 'A pdf can have any profile but peppol; an xml can have en16931, xrechnung or peppol.';
  throw new CliError(exitCodes.usage, `--invoice ${profile} cannot be used with --format ${format}.`, hint);
}
