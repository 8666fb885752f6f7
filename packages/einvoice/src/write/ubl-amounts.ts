import type { CompleteInvoice, CompleteLine } from '../model/complete-invoice.ts';
import { group, leaf, type Xml } from './xml-element.ts';

/** An amount with its currency, which UBL repeats for every amount. */
export const ublAmount = (element: string, amount: string | undefined, currency: string | undefined): Xml =>
  leaf(element, amount, { currencyID: currency });

interface Category extends Omit<CompleteLine['vat'], 'rate'> {
  readonly rate?: string | undefined;
  readonly exemptionReason?: string | undefined;
  readonly exemptionCode?: string | undefined;
}

export const ublTaxCategory = (element: string, vat: Category): Xml =>
  group(element, [
    leaf('cbc:ID', vat.category),
    leaf('cbc:Percent', vat.category === 'O' ? undefined : (vat.rate ?? '0')),
    leaf('cbc:TaxExemptionReasonCode', vat.exemptionCode),
    leaf('cbc:TaxExemptionReason', vat.exemptionReason),
    group('cac:TaxScheme', [leaf('cbc:ID', 'VAT')]),
  ]);

type Adjustment = CompleteLine['allowances'][number] & { readonly vat?: CompleteLine['vat'] };

/** Allowances, or charges, of a line or of the document. */
export const ublAdjustments = (entries: readonly Adjustment[], isCharge: boolean, currency: string): readonly Xml[] =>
  entries.map((entry) =>
    group('cac:AllowanceCharge', [
      leaf('cbc:ChargeIndicator', String(isCharge)),
      leaf('cbc:AllowanceChargeReasonCode', entry.reasonCode),
      leaf('cbc:AllowanceChargeReason', entry.reason),
      leaf('cbc:MultiplierFactorNumeric', entry.percent),
      ublAmount('cbc:Amount', entry.amount, currency),
      ublAmount('cbc:BaseAmount', entry.base, currency),
      entry.vat && ublTaxCategory('cac:TaxCategory', entry.vat),
    ]),
  );

export const ublPeriod = (period: CompleteInvoice['period'], code?: string): Xml =>
  group('cac:InvoicePeriod', [
    leaf('cbc:StartDate', period?.start),
    leaf('cbc:EndDate', period?.end),
    leaf('cbc:DescriptionCode', code),
  ]);

export function ublTotals({ totals, vatBreakdown, currency, vatCurrency }: CompleteInvoice): readonly Xml[] {
  const money = (element: string, amount: string | undefined): Xml => ublAmount(element, amount, currency);
  return [
    group('cac:TaxTotal', [
      money('cbc:TaxAmount', totals.vat),
      vatBreakdown.map((entry) =>
        group('cac:TaxSubtotal', [
          money('cbc:TaxableAmount', entry.taxable),
          money('cbc:TaxAmount', entry.tax),
          ublTaxCategory('cac:TaxCategory', entry),
        ]),
      ),
    ]),
    group('cac:TaxTotal', [ublAmount('cbc:TaxAmount', totals.vatInVatCurrency, vatCurrency)]),
    group('cac:LegalMonetaryTotal', [
      money('cbc:LineExtensionAmount', totals.lines),
      money('cbc:TaxExclusiveAmount', totals.withoutVat),
      money('cbc:TaxInclusiveAmount', totals.withVat),
      money('cbc:AllowanceTotalAmount', totals.allowances),
      money('cbc:ChargeTotalAmount', totals.charges),
      money('cbc:PrepaidAmount', totals.paid),
      totals.rounding === '0.00' ? undefined : money('cbc:PayableRoundingAmount', totals.rounding),
      money('cbc:PayableAmount', totals.payable),
    ]),
  ];
}
