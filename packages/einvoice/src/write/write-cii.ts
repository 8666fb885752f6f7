import type { CompleteInvoice } from '../model/complete-invoice.ts';
import { ciiLine } from './cii-line.ts';
import { ciiParty } from './cii-parties.ts';
import { ciiAdjustments, ciiDate, ciiPeriod, ciiReference } from './cii-values.ts';
import { levels, type Profile } from './profiles.ts';
import { group, leaf, type Xml } from './xml-element.ts';

const namespaces = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

/**
 * Writes the invoice in UN/CEFACT CII (D16B), with the fields that the profile allows. The elements are in the order of
 * the XML Schema.
 */
export function writeCii(invoice: CompleteInvoice, profile: Profile): string {
  const { level } = profile;
  const root = group(
    'rsm:CrossIndustryInvoice',
    [
      group('rsm:ExchangedDocumentContext', [
        group('ram:BusinessProcessSpecifiedDocumentContextParameter', [
          leaf('ram:ID', invoice.process ?? profile.process),
        ]),
        group('ram:GuidelineSpecifiedDocumentContextParameter', [leaf('ram:ID', profile.specification)]),
      ]),
      group('rsm:ExchangedDocument', [
        leaf('ram:ID', invoice.number),
        leaf('ram:TypeCode', invoice.typeCode),
        ciiDate('ram:IssueDateTime', invoice.issueDate),
        level === levels.minimum
          ? []
          : (invoice.notes ?? []).map(({ text, subject }) =>
              group('ram:IncludedNote', [leaf('ram:Content', text), leaf('ram:SubjectCode', subject)]),
            ),
      ]),
      group('rsm:SupplyChainTradeTransaction', [
        level >= levels.basic ? invoice.lines.map((line) => ciiLine(line, level)) : [],
        agreement(invoice, level),
        delivery(invoice, level),
        settlement(invoice, level),
      ]),
    ],
    namespaces,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function agreement(invoice: CompleteInvoice, level: number): Xml {
  const { buyer } = invoice;
  const isMore = level > levels.minimum;
  const isFull = level >= levels.en16931;
  return group('ram:ApplicableHeaderTradeAgreement', [
    leaf('ram:BuyerReference', invoice.buyerReference),
    ciiParty('ram:SellerTradeParty', invoice.seller, level),
    ciiParty(
      'ram:BuyerTradeParty',
      { ...buyer, identifiers: buyer.identifier === undefined ? [] : [buyer.identifier] },
      level,
    ),
    isMore ? ciiParty('ram:SellerTaxRepresentativeTradeParty', invoice.taxRepresentative, level) : undefined,
    isFull ? ciiReference('ram:SellerOrderReferencedDocument', invoice.salesOrder) : undefined,
    ciiReference('ram:BuyerOrderReferencedDocument', invoice.order),
    isMore ? ciiReference('ram:ContractReferencedDocument', invoice.contract) : undefined,
    isFull ? supportingDocuments(invoice) : [],
    isFull && invoice.project !== undefined
      ? group('ram:SpecifiedProcuringProject', [leaf('ram:ID', invoice.project), leaf('ram:Name', 'Project reference')])
      : undefined,
  ]);
}

function supportingDocuments({ documents, tender, object }: CompleteInvoice): readonly Xml[] {
  const reference = (id: string, code: string, more: readonly Xml[] = []): Xml =>
    group('ram:AdditionalReferencedDocument', [leaf('ram:IssuerAssignedID', id), leaf('ram:TypeCode', code), ...more]);
  return [
    ...(documents ?? []).map(({ id, url, description, content }) =>
      group('ram:AdditionalReferencedDocument', [
        leaf('ram:IssuerAssignedID', id),
        leaf('ram:URIID', url),
        leaf('ram:TypeCode', '916'),
        leaf('ram:Name', description),
        leaf('ram:AttachmentBinaryObject', content?.base64, {
          mimeCode: content?.mediaType,
          filename: content?.filename,
        }),
      ]),
    ),
    ...(tender === undefined ? [] : [reference(tender, '50')]),
    ...(object === undefined ? [] : [reference(object.id, '130', [leaf('ram:ReferenceTypeCode', object.scheme)])]),
  ];
}

function delivery({ delivery: to, despatchAdvice, receivingAdvice }: CompleteInvoice, level: number): Xml {
  // The element is required, even if it is empty.
  const empty = '<ram:ApplicableHeaderTradeDelivery/>';
  if (level === levels.minimum) return empty;
  const written = group('ram:ApplicableHeaderTradeDelivery', [
    ciiParty(
      'ram:ShipToTradeParty',
      to && { name: to.name, identifiers: to.location === undefined ? [] : [to.location], address: to.address },
      level,
    ),
    group('ram:ActualDeliverySupplyChainEvent', [ciiDate('ram:OccurrenceDateTime', to?.date)]),
    ciiReference('ram:DespatchAdviceReferencedDocument', despatchAdvice),
    level >= levels.en16931 ? ciiReference('ram:ReceivingAdviceReferencedDocument', receivingAdvice) : undefined,
  ]);
  return written ?? empty;
}

function settlement(invoice: CompleteInvoice, level: number): Xml {
  const { payee, payment, totals, currency } = invoice;
  if (level === levels.minimum) {
    return group('ram:ApplicableHeaderTradeSettlement', [
      leaf('ram:InvoiceCurrencyCode', currency),
      group('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
        leaf('ram:TaxBasisTotalAmount', totals.withoutVat),
        leaf('ram:TaxTotalAmount', totals.vat, { currencyID: currency }),
        leaf('ram:GrandTotalAmount', totals.withVat),
        leaf('ram:DuePayableAmount', totals.payable),
      ]),
    ]);
  }
  return group('ram:ApplicableHeaderTradeSettlement', [
    leaf('ram:CreditorReferenceID', payment?.directDebit?.creditor),
    leaf('ram:PaymentReference', payment?.reference),
    leaf('ram:TaxCurrencyCode', invoice.vatCurrency),
    leaf('ram:InvoiceCurrencyCode', currency),
    ciiParty(
      'ram:PayeeTradeParty',
      payee && { ...payee, identifiers: payee.identifier === undefined ? [] : [payee.identifier] },
      level,
    ),
    paymentMeans(payment, level),
    invoice.vatBreakdown.map((entry, index) =>
      group('ram:ApplicableTradeTax', [
        leaf('ram:CalculatedAmount', entry.tax),
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:ExemptionReason', entry.exemptionReason),
        leaf('ram:BasisAmount', entry.taxable),
        leaf('ram:CategoryCode', entry.category),
        leaf('ram:ExemptionReasonCode', entry.exemptionCode),
        level >= levels.en16931 && index === 0
          ? ciiDate('ram:TaxPointDate', invoice.vatPointDate, 'udt', 'DateString')
          : undefined,
        leaf('ram:DueDateTypeCode', invoice.vatPointDateCode),
        leaf('ram:RateApplicablePercent', entry.rate),
      ]),
    ),
    ciiPeriod(invoice.period),
    ciiAdjustments(invoice.allowances, false),
    ciiAdjustments(invoice.charges, true),
    group('ram:SpecifiedTradePaymentTerms', [
      leaf('ram:Description', invoice.paymentTerms),
      ciiDate('ram:DueDateDateTime', invoice.dueDate),
      leaf('ram:DirectDebitMandateID', payment?.directDebit?.mandate),
    ]),
    group('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      leaf('ram:LineTotalAmount', totals.lines),
      leaf('ram:ChargeTotalAmount', totals.charges),
      leaf('ram:AllowanceTotalAmount', totals.allowances),
      leaf('ram:TaxBasisTotalAmount', totals.withoutVat),
      leaf('ram:TaxTotalAmount', totals.vat, { currencyID: currency }),
      leaf('ram:TaxTotalAmount', totals.vatInVatCurrency, { currencyID: invoice.vatCurrency }),
      level >= levels.en16931 && totals.rounding !== '0.00' ? leaf('ram:RoundingAmount', totals.rounding) : undefined,
      leaf('ram:GrandTotalAmount', totals.withVat),
      leaf('ram:TotalPrepaidAmount', totals.paid),
      leaf('ram:DuePayableAmount', totals.payable),
    ]),
    (invoice.precedingInvoices ?? []).map(({ number, issueDate }) =>
      group('ram:InvoiceReferencedDocument', [
        leaf('ram:IssuerAssignedID', number),
        ciiDate('ram:FormattedIssueDateTime', issueDate, 'qdt'),
      ]),
    ),
    group('ram:ReceivableSpecifiedTradeAccountingAccount', [leaf('ram:ID', invoice.accountingReference)]),
  ]);
}

/** Writes an element for each account. The card and the debited account are in the first one. */
function paymentMeans(payment: CompleteInvoice['payment'], level: number): readonly Xml[] {
  if (payment === undefined) return [];
  const isFull = level >= levels.en16931;
  const accounts = payment.transfers?.length ? payment.transfers : [undefined];
  return accounts.map((transfer, index) =>
    group('ram:SpecifiedTradeSettlementPaymentMeans', [
      leaf('ram:TypeCode', payment.code),
      isFull ? leaf('ram:Information', payment.text) : undefined,
      isFull && index === 0
        ? group('ram:ApplicableTradeSettlementFinancialCard', [
            leaf('ram:ID', payment.card?.number),
            leaf('ram:CardholderName', payment.card?.holder),
          ])
        : undefined,
      index === 0
        ? group('ram:PayerPartyDebtorFinancialAccount', [leaf('ram:IBANID', payment.directDebit?.account)])
        : undefined,
      group('ram:PayeePartyCreditorFinancialAccount', [
        isIban(transfer?.account) ? leaf('ram:IBANID', transfer?.account) : undefined,
        isFull ? leaf('ram:AccountName', transfer?.name) : undefined,
        isIban(transfer?.account) ? undefined : leaf('ram:ProprietaryID', transfer?.account),
      ]),
      isFull ? group('ram:PayeeSpecifiedCreditorFinancialInstitution', [leaf('ram:BICID', transfer?.bank)]) : undefined,
    ]),
  );
}

const isIban = (account: string | undefined): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account ?? '');
