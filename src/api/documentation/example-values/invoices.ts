import type { Examples } from './common.ts';

export const invoiceExamples: Examples = {
  InvoiceReport: {
    valid: false,
    syntax: 'cii',
    profile: 'EN 16931',
    specification: 'urn:cen.eu:en16931:2017',
    ruleSets: ['en16931-cii'],
    attachment: { name: 'factur-x.xml', conformanceLevel: 'EN 16931', relationship: 'Alternative' },
    findings: [
      {
        id: 'BR-CO-15',
        severity: 'fatal',
        message:
          'Invoice total amount with VAT (BT-112) = Invoice total amount without VAT (BT-109) + Invoice total VAT amount (BT-110).',
        businessTerms: ['BT-109', 'BT-110', 'BT-112'],
        location:
          '/rsm:CrossIndustryInvoice[1]/rsm:SupplyChainTradeTransaction[1]/ram:ApplicableHeaderTradeSettlement[1]/ram:SpecifiedTradeSettlementHeaderMonetarySummation[1]',
        line: 161,
      },
    ],
    hasMoreFindings: false,
  },
};
