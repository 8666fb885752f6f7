import type { CompleteInvoice, CompleteLine } from '../model/complete-invoice.ts';
import { group, leaf, type Xml } from './xml-element.ts';

/** A date as CII writes it: 20260331. */
export const ciiDate = (
  element: string,
  date: string | undefined,
  prefix: 'udt' | 'qdt' = 'udt',
  type = 'DateTimeString',
): Xml =>
  date === undefined
    ? undefined
    : group(element, [leaf(`${prefix}:${type}`, date.replaceAll('-', ''), { format: '102' })]);

export const ciiPeriod = (period: CompleteInvoice['period']): Xml =>
  group('ram:BillingSpecifiedPeriod', [
    ciiDate('ram:StartDateTime', period?.start),
    ciiDate('ram:EndDateTime', period?.end),
  ]);

type Vat = CompleteLine['vat'];

/** The VAT of a line, an allowance or a charge. */
export const ciiVat = (element: string, vat: Vat | undefined): Xml =>
  vat === undefined
    ? undefined
    : group(element, [
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', vat.category),
        leaf('ram:RateApplicablePercent', vat.category === 'O' ? undefined : (vat.rate ?? '0')),
      ]);

type Adjustment = CompleteLine['allowances'][number] & { readonly vat?: Vat };

/** Allowances, or charges, of a line or of the document. */
export const ciiAdjustments = (entries: readonly Adjustment[], isCharge: boolean): readonly Xml[] =>
  entries.map((entry) =>
    group('ram:SpecifiedTradeAllowanceCharge', [
      group('ram:ChargeIndicator', [leaf('udt:Indicator', String(isCharge))]),
      leaf('ram:CalculationPercent', entry.percent),
      leaf('ram:BasisAmount', entry.base),
      leaf('ram:ActualAmount', entry.amount),
      leaf('ram:ReasonCode', entry.reasonCode),
      leaf('ram:Reason', entry.reason),
      ciiVat('ram:CategoryTradeTax', entry.vat),
    ]),
  );

/** A reference to a document by its identifier alone. */
export const ciiReference = (element: string, id: string | undefined): Xml =>
  group(element, [leaf('ram:IssuerAssignedID', id)]);
