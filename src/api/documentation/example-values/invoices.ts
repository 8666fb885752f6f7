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
    differences: [
      {
        message: 'Amount due (BT-115) is "119.00" in the invoice, but page 1 shows "120,00 €".',
        businessTerms: ['BT-115'],
        expected: '119.00',
        found: '120,00 €',
        page: 1,
        box: { x: 490.2, y: 512.4, width: 48.1, height: 11.3 },
      },
    ],
    hasMoreDifferences: false,
  },
};
