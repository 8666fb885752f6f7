import { completeInvoice, type WrongAmount } from '../model/complete-invoice.ts';
import type { Invoice } from '../model/invoice.ts';
import type { Finding } from '../run-rules.ts';
import { validateInvoice } from '../validate-invoice.ts';
import { levels, type ProfileName, profiles } from './profiles.ts';
import { writeCii } from './write-cii.ts';
import { writeUbl } from './write-ubl.ts';

export type InvoiceSyntax = 'cii' | 'ubl';

export interface MadeInvoice {
  readonly xml: string;
  /** Amounts of the model that are wrong or missing. The XML contains the computed amounts. */
  readonly wrong: readonly WrongAmount[];
  /** The result of validating the XML. */
  readonly findings: readonly Finding[];
}

/**
 * Writes an invoice in a profile, and validates it. UBL has only the profiles with all terms of EN 16931: `en16931`,
 * `xrechnung` and `peppol`.
 *
 * @throws RangeError for a profile that the syntax does not have.
 */
export function makeInvoice(model: Invoice, profileName: ProfileName, syntax: InvoiceSyntax): MadeInvoice {
  const profile = profiles[profileName];
  if (syntax === 'ubl' && profile.level !== levels.en16931) {
    throw new RangeError(`UBL has no profile ${profileName}. Use en16931, xrechnung or peppol, or the syntax cii.`);
  }
  const { invoice, wrong } = completeInvoice(model);
  const isRounded = invoice.totals.rounding !== '0.00';
  const lost: readonly WrongAmount[] =
    isRounded && profile.level < levels.en16931
      ? [
          {
            rule: 'BR-CO-16',
            term: 'BT-114',
            path: 'totals.rounding',
            given: invoice.totals.rounding,
            expected: `none, because the profile ${profileName} has no rounding`,
          },
        ]
      : [];
  const xml = syntax === 'cii' ? writeCii(invoice, profile) : writeUbl(invoice, profile);
  return { xml, wrong: [...wrong, ...lost], findings: validateInvoice(Buffer.from(xml)).findings };
}
