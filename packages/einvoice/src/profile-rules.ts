import { locationOf } from './location.ts';
import type { Profile } from './profile.ts';
import type { Severity } from './rule-set.ts';
import type { Findings } from './run-rules.ts';
import type { XmlDocument, XmlNode } from './xml/xml-node.ts';

/**
 * The elements of Factur-X MINIMUM by their parent (Factur-X 1.0, appendix 1). Elements that are not listed belong to a
 * higher profile.
 */
const minimum: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['rsm:CrossIndustryInvoice', 'ExchangedDocumentContext ExchangedDocument SupplyChainTradeTransaction'],
    [
      'rsm:ExchangedDocumentContext',
      'BusinessProcessSpecifiedDocumentContextParameter GuidelineSpecifiedDocumentContextParameter',
    ],
    ['rsm:ExchangedDocument', 'ID TypeCode IssueDateTime'],
    [
      'rsm:SupplyChainTradeTransaction',
      'ApplicableHeaderTradeAgreement ApplicableHeaderTradeDelivery ApplicableHeaderTradeSettlement',
    ],
    [
      'ram:ApplicableHeaderTradeAgreement',
      'BuyerReference SellerTradeParty BuyerTradeParty BuyerOrderReferencedDocument',
    ],
    ['ram:SellerTradeParty', 'Name SpecifiedLegalOrganization PostalTradeAddress SpecifiedTaxRegistration'],
    ['ram:BuyerTradeParty', 'Name SpecifiedLegalOrganization'],
    ['ram:PostalTradeAddress', 'CountryID'],
    ['ram:ApplicableHeaderTradeDelivery', ''],
    ['ram:ApplicableHeaderTradeSettlement', 'InvoiceCurrencyCode SpecifiedTradeSettlementHeaderMonetarySummation'],
    [
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      'TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount DuePayableAmount',
    ],
  ].map(([parent = '', children = '']) => [parent, children.split(' ')]),
);

/** Elements that a profile without lines does not have. Each is named once; what is inside of it is not. */
export function elementsBeyond(document: XmlDocument, profile: Profile | undefined, most: number): Findings {
  if (profile !== 'MINIMUM' && profile !== 'BASIC WL') return { findings: [], hasMore: false };
  const isBeyond = (element: XmlNode): boolean =>
    profile === 'BASIC WL'
      ? element.name === 'ram:IncludedSupplyChainTradeLineItem'
      : minimum.get(element.parent?.name ?? '')?.includes(element.name.replace(/^.*:/, '')) === false;
  const beyond = document.elements.filter(isBeyond);
  const findings = beyond.slice(0, most).map((element) => ({
    id: 'profile-elements',
    severity: 'fatal' as const,
    text: `The profile ${profile} has no ${element.name} here. Leave it out, or use a higher profile.`,
    businessTerms: ['BT-24'],
    location: locationOf(element),
    line: element.line,
  }));
  return { findings, hasMore: beyond.length > most };
}

/** The rules about totals and codes that EXTENDED relaxes, for example for logistics charges (ZUGFeRD 2.1, 6.5). */
const widened = /^BR-(?:CL-\d+|CO-1[0-7]|[A-Z]{1,2}-0[89])$/;

/** The severity that a broken rule of EN 16931 has in a profile. */
export const severityIn = (profile: Profile | undefined, id: string, severity: Severity): Severity =>
  profile === 'EXTENDED' && severity === 'fatal' && widened.test(id) ? 'warning' : severity;
