import { readXml } from './xml/read-xml.ts';
import type { XmlNode } from './xml/xml-node.ts';

export type PrintedKind = 'amount' | 'rate' | 'quantity' | 'date' | 'name' | 'identifier' | 'currency';

/** A value of an invoice that its pages must show. */
export interface PrintedTerm {
  /** Such as `BT-112`. */
  readonly term: string;
  readonly name: string;
  readonly kind: PrintedKind;
  /** Numbers as in the XML, dates as `2026-03-31`. */
  readonly value: string;
}

export interface PrintedLine {
  readonly item: PrintedTerm | undefined;
  readonly quantity: PrintedTerm | undefined;
  readonly price: PrintedTerm | undefined;
  /** The price before its discount, which pages may show in place of the net price. */
  readonly grossPrice: string | undefined;
  /** The discount in percent of the gross price, such as `10` or `33.33`. */
  readonly discountPercent: string | undefined;
  readonly amount: PrintedTerm | undefined;
  readonly rate: PrintedTerm | undefined;
  /** Amounts and percentages of the allowances and charges of the line. */
  readonly adjustments: readonly PrintedTerm[];
  /** The identifier of the line, which is not a quantity. */
  readonly id: string;
}

/** A category of VAT: its rate, its taxable amount and its tax. */
export interface PrintedVat {
  readonly rate: PrintedTerm | undefined;
  readonly amounts: readonly PrintedTerm[];
}

/** What the pages of an invoice must show. */
export interface PrintedInvoice {
  readonly isCreditNote: boolean;
  readonly currency: PrintedTerm | undefined;
  readonly lines: readonly PrintedLine[];
  readonly vat: readonly PrintedVat[];
  readonly totals: readonly PrintedTerm[];
  /** Numbers that pages may show and need not: bases and percentages of allowances and charges. */
  readonly known: readonly string[];
  /** Names, identifiers and dates. */
  readonly others: readonly PrintedTerm[];
}

type Definition = readonly [term: string, name: string, kind: PrintedKind, path: string];

const agreement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement';
const delivery = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery';
const settlement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement';
const sum = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const means = `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans`;
const adjustment = `${settlement}/ram:SpecifiedTradeAllowanceCharge`;
const accounts = `${means}/ram:PayeePartyCreditorFinancialAccount`;
const seller = `${agreement}/ram:SellerTradeParty`;
const buyer = `${agreement}/ram:BuyerTradeParty`;

const others: readonly Definition[] = [
  ['BT-1', 'Invoice number', 'identifier', 'rsm:ExchangedDocument/ram:ID'],
  ['BT-2', 'Issue date', 'date', 'rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString'],
  ['BT-7', 'VAT point date', 'date', `${settlement}/ram:ApplicableTradeTax/ram:TaxPointDate/udt:DateString`],
  ['BT-9', 'Due date', 'date', `${settlement}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString`],
  ['BT-12', 'Contract', 'identifier', `${agreement}/ram:ContractReferencedDocument/ram:IssuerAssignedID`],
  ['BT-13', 'Order', 'identifier', `${agreement}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`],
  ['BT-25', 'Preceding invoice', 'identifier', `${settlement}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`],
  [
    'BT-26',
    'Date of the preceding invoice',
    'date',
    `${settlement}/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString`,
  ],
  ['BT-27', 'Seller name', 'name', `${seller}/ram:Name`],
  ['BT-31', 'Seller VAT identifier', 'identifier', `${seller}/ram:SpecifiedTaxRegistration/ram:ID[VA]`],
  ['BT-32', 'Seller tax number', 'identifier', `${seller}/ram:SpecifiedTaxRegistration/ram:ID[FC]`],
  ['BT-44', 'Buyer name', 'name', `${buyer}/ram:Name`],
  ['BT-48', 'Buyer VAT identifier', 'identifier', `${buyer}/ram:SpecifiedTaxRegistration/ram:ID[VA]`],
  ['BT-59', 'Payee name', 'name', `${settlement}/ram:PayeeTradeParty/ram:Name`],
  ['BT-62', 'Tax representative name', 'name', `${agreement}/ram:SellerTaxRepresentativeTradeParty/ram:Name`],
  [
    'BT-63',
    'Tax representative VAT identifier',
    'identifier',
    `${agreement}/ram:SellerTaxRepresentativeTradeParty/ram:SpecifiedTaxRegistration/ram:ID[VA]`,
  ],
  [
    'BT-72',
    'Delivery date',
    'date',
    `${delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`,
  ],
  ['BT-73', 'Period start', 'date', `${settlement}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString`],
  ['BT-74', 'Period end', 'date', `${settlement}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString`],
  ['BT-91', 'Debited account', 'identifier', `${means}/ram:PayerPartyDebtorFinancialAccount/ram:IBANID`],
];

const totals: readonly Definition[] = [
  ['BT-106', 'Sum of the lines', 'amount', `${sum}/ram:LineTotalAmount`],
  ['BT-107', 'Sum of the allowances', 'amount', `${sum}/ram:AllowanceTotalAmount`],
  ['BT-108', 'Sum of the charges', 'amount', `${sum}/ram:ChargeTotalAmount`],
  ['BT-109', 'Total without VAT', 'amount', `${sum}/ram:TaxBasisTotalAmount`],
  ['BT-110', 'Total VAT', 'amount', `${sum}/ram:TaxTotalAmount`],
  ['BT-112', 'Total with VAT', 'amount', `${sum}/ram:GrandTotalAmount`],
  ['BT-113', 'Amount paid', 'amount', `${sum}/ram:TotalPrepaidAmount`],
  ['BT-114', 'Rounding', 'amount', `${sum}/ram:RoundingAmount`],
  ['BT-115', 'Amount due', 'amount', `${sum}/ram:DuePayableAmount`],
];

const lineSettlement = 'ram:SpecifiedLineTradeSettlement';
const linePrice = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount';
const lineGross = 'ram:SpecifiedLineTradeAgreement/ram:GrossPriceProductTradePrice';
const lineAdjustment = `${lineSettlement}/ram:SpecifiedTradeAllowanceCharge`;
const lineTerms = {
  item: ['BT-153', 'Item name', 'name', 'ram:SpecifiedTradeProduct/ram:Name'],
  quantity: ['BT-129', 'Quantity', 'quantity', 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity'],
  price: ['BT-146', 'Price', 'amount', linePrice],
  amount: [
    'BT-131',
    'Line amount',
    'amount',
    `${lineSettlement}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
  ],
  rate: [
    'BT-152',
    'VAT rate of the line',
    'rate',
    `${lineSettlement}/ram:ApplicableTradeTax/ram:RateApplicablePercent`,
  ],
} as const satisfies Record<string, Definition>;

/**
 * Reads what the pages of an invoice in CII must show; undefined for UBL, which is not embedded in PDFs. Codes, notes,
 * addresses and amounts of zero that pages leave out are not among it, except for an amount due of zero. Throws `UnreadableInvoice` as `validateInvoice`.
 */
export function readPrintedTerms(source: string | Uint8Array): PrintedInvoice | undefined {
  const { root } = readXml(source);
  if (root.name !== 'rsm:CrossIndustryInvoice') return undefined;
  const at = (definitions: readonly Definition[]) => definitions.flatMap((definition) => readAll(root, definition));
  const transactions = select(root, 'rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem');
  const lines = transactions.filter(isDetail).map(readLine);
  const currency = readAll(root, ['BT-5', 'Currency', 'currency', `${settlement}/ram:InvoiceCurrencyCode`])[0];
  const isOwnCurrency = currencyFilter(root, currency?.value);
  return {
    isCreditNote: ['381', '261', '396', '532'].includes(valueAt(root, 'rsm:ExchangedDocument/ram:TypeCode') ?? ''),
    currency,
    lines,
    vat: select(root, `${settlement}/ram:ApplicableTradeTax`).map(readVat),
    totals: [...select(root, adjustment).flatMap(readAdjustment), ...at(totals)].filter(
      (term) => (term.term === 'BT-115' || !isZero(term.value)) && isOwnCurrency(term),
    ),
    known: ['BasisAmount', 'CalculationPercent']
      .flatMap((name) => select(root, `${adjustment}/ram:${name}`))
      .map(({ value }) => value.trim()),
    others: [...at(others), ...select(root, accounts).flatMap(readAccount)],
  };
}

/** BT-111 has the same element as BT-110, in the currency of the VAT. It often stands in a note only. */
function currencyFilter(root: XmlNode, currency: string | undefined): (term: PrintedTerm) => boolean {
  const foreign = select(root, `${sum}/ram:TaxTotalAmount`)
    .filter(({ attributes }) => attributes.some(({ name, value }) => name === 'currencyID' && value !== currency))
    .map(({ value }) => value.trim());
  return ({ term, value }) => term !== 'BT-110' || !foreign.includes(value);
}

/** EXTENDED has lines that group others, or only inform. Their amounts repeat those of other lines. */
function isDetail(line: XmlNode): boolean {
  const code = valueAt(line, 'ram:AssociatedDocumentLineDocument/ram:LineStatusReasonCode');
  return code === undefined || code === 'DETAIL';
}

function readAdjustment(node: XmlNode): readonly PrintedTerm[] {
  const isCharge = valueAt(node, 'ram:ChargeIndicator/udt:Indicator') === 'true';
  const [term, name] = isCharge ? (['BT-99', 'Charge'] as const) : (['BT-92', 'Allowance'] as const);
  return readAll(node, [term, name, 'amount', 'ram:ActualAmount']);
}

/** The IBAN, or another number of an account that has none. */
function readAccount(node: XmlNode): readonly PrintedTerm[] {
  const read = (element: string) => readAll(node, ['BT-84', 'Account', 'identifier', element]);
  const iban = read('ram:IBANID');
  return iban.length > 0 ? iban : read('ram:ProprietaryID');
}

function readLine(line: XmlNode): PrintedLine {
  const one = (definition: Definition) => readAll(line, definition)[0];
  const grossPrice = valueAt(line, `${lineGross}/ram:ChargeAmount`);
  const price = one(lineTerms.price);
  return {
    grossPrice,
    discountPercent: price && percentOff(price.value, grossPrice),
    item: one(lineTerms.item),
    quantity: one(lineTerms.quantity),
    price,
    amount: one(lineTerms.amount),
    rate: one(lineTerms.rate),
    adjustments: [
      ...readAll(line, ['BT-136', 'Allowance or charge of the line', 'amount', `${lineAdjustment}/ram:ActualAmount`]),
      ...readAll(line, ['BT-138', 'Percentage', 'rate', `${lineAdjustment}/ram:CalculationPercent`]),
    ].filter(({ value }) => !isZero(value)),
    id: valueAt(line, 'ram:AssociatedDocumentLineDocument/ram:LineID') ?? '',
  };
}

function percentOff(net: string, gross = ''): string | undefined {
  const percent = (1 - Number(net) / Number(gross)) * 100;
  return Number.isFinite(percent) && percent > 0 && percent <= 100 ? percent.toFixed(2) : undefined;
}

function readVat(entry: XmlNode): PrintedVat {
  return {
    rate: readAll(entry, ['BT-119', 'VAT rate', 'rate', 'ram:RateApplicablePercent']).find(
      ({ value }) => !isZero(value),
    ),
    amounts: [
      ...readAll(entry, ['BT-116', 'Taxable amount', 'amount', 'ram:BasisAmount']),
      ...readAll(entry, ['BT-117', 'VAT amount', 'amount', 'ram:CalculatedAmount']),
    ].filter(({ value }) => !isZero(value)),
  };
}

function readAll(node: XmlNode, [term, name, kind, path]: Definition): PrintedTerm[] {
  return select(node, path).flatMap((element) => {
    const value = element.value.trim();
    if (value === '') return [];
    return [{ term, name, kind, value: kind === 'date' ? toIsoDate(value) : value }];
  });
}

const toIsoDate = (value: string): string => value.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

const isZero = (value: string): boolean => /^[-+]?0*(?:\.0*)?$/.test(value);

const valueAt = (node: XmlNode, path: string): string | undefined => select(node, path)[0]?.value.trim();

/** The elements at a path of child elements. `[VA]` selects by the attribute `schemeID`. */
function select(node: XmlNode, path: string): readonly XmlNode[] {
  return path.split('/').reduce<readonly XmlNode[]>(
    (nodes, step) => {
      const [, wanted, scheme] = /^([^[]+)(?:\[(\w+)\])?$/.exec(step) ?? [];
      const isWanted = ({ name, attributes }: XmlNode): boolean =>
        name === wanted &&
        (scheme === undefined || attributes.some((each) => each.name === 'schemeID' && each.value === scheme));
      return nodes.flatMap(({ children }) => children.filter(isWanted));
    },
    [node],
  );
}
