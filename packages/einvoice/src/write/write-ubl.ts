import type { CompleteInvoice } from '../model/complete-invoice.ts';
import type { Profile } from './profiles.ts';
import { ublAdjustments, ublPeriod, ublTotals } from './ubl-amounts.ts';
import { ublLine } from './ubl-line.ts';
import { ublBuyer, ublDelivery, ublPayee, ublSeller, ublTaxRepresentative } from './ubl-parties.ts';
import { group, leaf, type Xml } from './xml-element.ts';

const common = {
  'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
};

/** The document types (UNTDID 1001) for which EN 16931 requires a credit note in UBL. */
const creditNotes: ReadonlySet<string> = new Set(['81', '83', '381', '396', '532']);

/**
 * Writes the invoice in UBL 2.1, as an `Invoice` or a `CreditNote`. The elements are in the order of the XML Schema.
 */
export function writeUbl(invoice: CompleteInvoice, profile: Profile): string {
  const isCredit = creditNotes.has(invoice.typeCode);
  const name = isCredit ? 'CreditNote' : 'Invoice';
  const root = group(
    name,
    [head(invoice, profile, isCredit), references(invoice, isCredit), rest(invoice, isCredit)].flat(),
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
      ...common,
    },
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

const head = (invoice: CompleteInvoice, profile: Profile, isCredit: boolean): readonly Xml[] => {
  const taxPoint = leaf('cbc:TaxPointDate', invoice.vatPointDate);
  const notes = (invoice.notes ?? []).map(({ text, subject }) =>
    leaf('cbc:Note', subject === undefined ? text : `#${subject}#${text}`),
  );
  return [
    leaf('cbc:CustomizationID', profile.specification),
    leaf('cbc:ProfileID', invoice.process ?? profile.process),
    leaf('cbc:ID', invoice.number),
    leaf('cbc:IssueDate', invoice.issueDate),
    ...(isCredit
      ? [taxPoint, leaf('cbc:CreditNoteTypeCode', invoice.typeCode), ...notes]
      : [leaf('cbc:DueDate', invoice.dueDate), leaf('cbc:InvoiceTypeCode', invoice.typeCode), ...notes, taxPoint]),
    leaf('cbc:DocumentCurrencyCode', invoice.currency),
    leaf('cbc:TaxCurrencyCode', invoice.vatCurrency),
    leaf('cbc:AccountingCost', invoice.accountingReference),
    leaf('cbc:BuyerReference', invoice.buyerReference),
    ublPeriod(invoice.period, invoice.vatPointDateCode),
  ];
};

function references(invoice: CompleteInvoice, isCredit: boolean): readonly Xml[] {
  const named = (element: string, id: string | undefined): Xml => group(element, [leaf('cbc:ID', id)]);
  const tender = named('cac:OriginatorDocumentReference', invoice.tender);
  const contract = named('cac:ContractDocumentReference', invoice.contract);
  const documents = [...supportingDocuments(invoice), ...(isCredit ? [projectOfCredit(invoice)] : [])];
  return [
    group('cac:OrderReference', [
      // The schema requires this element if there is an identifier of the sales order.
      leaf('cbc:ID', invoice.order ?? (invoice.salesOrder === undefined ? undefined : 'NA')),
      leaf('cbc:SalesOrderID', invoice.salesOrder),
    ]),
    ...(invoice.precedingInvoices ?? []).map(({ number, issueDate }) =>
      group('cac:BillingReference', [
        group('cac:InvoiceDocumentReference', [leaf('cbc:ID', number), leaf('cbc:IssueDate', issueDate)]),
      ]),
    ),
    named('cac:DespatchDocumentReference', invoice.despatchAdvice),
    named('cac:ReceiptDocumentReference', invoice.receivingAdvice),
    ...(isCredit
      ? [contract, ...documents, tender]
      : [tender, contract, ...documents, named('cac:ProjectReference', invoice.project)]),
  ];
}

function supportingDocuments({ documents, object }: CompleteInvoice): readonly Xml[] {
  return [
    ...(documents ?? []).map(({ id, description, content, url }) =>
      group('cac:AdditionalDocumentReference', [
        leaf('cbc:ID', id),
        leaf('cbc:DocumentDescription', description),
        group('cac:Attachment', [
          leaf('cbc:EmbeddedDocumentBinaryObject', content?.base64, {
            mimeCode: content?.mediaType,
            filename: content?.filename,
          }),
          group('cac:ExternalReference', [leaf('cbc:URI', url)]),
        ]),
      ]),
    ),
    object && typedReference(object.id, '130', object.scheme),
  ];
}

/** A credit note has no element for the project. */
const projectOfCredit = ({ project }: CompleteInvoice): Xml =>
  project === undefined ? undefined : typedReference(project, '50');

const typedReference = (id: string, type: string, scheme?: string): Xml =>
  group('cac:AdditionalDocumentReference', [
    leaf('cbc:ID', id, { schemeID: scheme }),
    leaf('cbc:DocumentTypeCode', type),
  ]);

const rest = (invoice: CompleteInvoice, isCredit: boolean): readonly Xml[] => [
  ublSeller(invoice),
  ublBuyer(invoice),
  ublPayee(invoice),
  ublTaxRepresentative(invoice),
  ublDelivery(invoice),
  ...paymentMeans(invoice, isCredit),
  group('cac:PaymentTerms', [leaf('cbc:Note', invoice.paymentTerms)]),
  ...ublAdjustments(invoice.allowances, false, invoice.currency),
  ...ublAdjustments(invoice.charges, true, invoice.currency),
  ...ublTotals(invoice),
  ...invoice.lines.map((line) =>
    ublLine(
      line,
      isCredit
        ? { line: 'cac:CreditNoteLine', quantity: 'cbc:CreditedQuantity' }
        : { line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' },
      invoice.currency,
    ),
  ),
];

/** Writes an element for each account. Fields that occur once are in the first one. */
function paymentMeans({ payment, dueDate }: CompleteInvoice, isCredit: boolean): readonly Xml[] {
  if (payment === undefined) return [];
  const { card, directDebit } = payment;
  const transfers = payment.transfers?.length ? payment.transfers : [undefined];
  return transfers.map((transfer, index) =>
    group('cac:PaymentMeans', [
      leaf('cbc:PaymentMeansCode', payment.code, { name: index === 0 ? payment.text : undefined }),
      isCredit && index === 0 ? leaf('cbc:PaymentDueDate', dueDate) : undefined,
      leaf('cbc:PaymentID', payment.reference),
      index === 0 && card !== undefined
        ? group('cac:CardAccount', [
            leaf('cbc:PrimaryAccountNumberID', card.number),
            // The schema requires this element, although EN 16931 has no business term for it.
            leaf('cbc:NetworkID', 'NA'),
            leaf('cbc:HolderName', card.holder),
          ])
        : undefined,
      group('cac:PayeeFinancialAccount', [
        leaf('cbc:ID', transfer?.account),
        leaf('cbc:Name', transfer?.name),
        group('cac:FinancialInstitutionBranch', [leaf('cbc:ID', transfer?.bank)]),
      ]),
      index === 0
        ? group('cac:PaymentMandate', [
            leaf('cbc:ID', directDebit?.mandate),
            group('cac:PayerFinancialAccount', [leaf('cbc:ID', directDebit?.account)]),
          ])
        : undefined,
    ]),
  );
}
