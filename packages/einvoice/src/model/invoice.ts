import { z } from 'zod';
import { amount, code, date, identified, identifier, list, text } from './fields.ts';
import { adjustmentFields, allowanceCodes, chargeCodes, line, period, vat } from './lines.ts';
import { buyer, deliverTo, payee, seller, taxRepresentative } from './parties.ts';

const payment = z
  .strictObject({
    code: code('BT-81', 'Means of payment, by its code of UNTDID 4461, such as 58 for a SEPA transfer'),
    text: text('BT-82', 'Means of payment in words').optional(),
    reference: text('BT-83', 'Reference that the payment carries').optional(),
    transfers: list(
      z
        .strictObject({
          account: identifier('BT-84', 'IBAN, or another number of an account'),
          name: text('BT-85', 'Name of the account').optional(),
          bank: identifier('BT-86', 'BIC, or another identifier of the bank').optional(),
        })
        .describe('Credit transfer (BG-17)'),
      20,
    ),
    card: z
      .strictObject({
        number: identifier('BT-87', 'Last four to six digits of the card'),
        holder: text('BT-88', 'Holder of the card').optional(),
      })
      .describe('Payment card (BG-18)')
      .optional(),
    directDebit: z
      .strictObject({
        mandate: identifier('BT-89', 'Reference of the mandate').optional(),
        creditor: identifier('BT-90', "Bank's identifier of the creditor").optional(),
        account: identifier('BT-91', 'IBAN, or another number of the account that is debited').optional(),
      })
      .describe('Direct debit (BG-19)')
      .optional(),
  })
  .describe('Payment (BG-16)');

const totals = z
  .strictObject({
    lines: amount('BT-106', 'Sum of the lines').optional(),
    allowances: amount('BT-107', 'Sum of the allowances of the document').optional(),
    charges: amount('BT-108', 'Sum of the charges of the document').optional(),
    withoutVat: amount('BT-109', 'Total without VAT').optional(),
    vat: amount('BT-110', 'Total VAT').optional(),
    vatInVatCurrency: amount('BT-111', 'Total VAT in the currency of the VAT').optional(),
    withVat: amount('BT-112', 'Total with VAT').optional(),
    paid: amount('BT-113', 'Amount already paid').optional(),
    rounding: amount('BT-114', 'Amount by which the payable amount is rounded').optional(),
    payable: amount('BT-115', 'Amount due for payment').optional(),
  })
  .describe('Totals (BG-22). Those that follow from the lines are computed if they are not given');

const breakdown = vat('BT-118', 'BT-119').extend({
  taxable: amount('BT-116', 'Taxable amount; computed if it is not given').optional(),
  tax: amount('BT-117', 'VAT of the category; computed if it is not given').optional(),
  exemptionReason: text('BT-120', 'Reason of an exemption').optional(),
  exemptionCode: code('BT-121', 'Reason of an exemption, by its VATEX code').optional(),
});

const document = z
  .strictObject({
    id: identifier('BT-122', 'Identifier of the document'),
    description: text('BT-123', 'Description').optional(),
    url: identifier('BT-124', 'Address at which it can be read').optional(),
    content: z
      .strictObject({
        filename: identifier('BT-125-2', 'Name of the file'),
        mediaType: code('BT-125-1', 'Media type, such as application/pdf'),
        base64: z.base64('must be Base64').max(10_000_000).describe('The file in Base64 (BT-125)'),
      })
      .optional(),
  })
  .describe('Supporting document (BG-24)');

/** The semantic model of EN 16931-1 as JSON: each field names its business term or group. */
export const invoiceModel = z
  .strictObject({
    number: identifier('BT-1', 'Number of the invoice'),
    issueDate: date('BT-2', 'Date of issue'),
    typeCode: code(
      'BT-3',
      'Kind of invoice, by its code of UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice',
    ).default('380'),
    currency: code('BT-5', 'Currency, by its three letters of ISO 4217'),
    vatCurrency: code('BT-6', 'Currency in which VAT is accounted, if it is another').optional(),
    vatPointDate: date('BT-7', 'Date when VAT becomes due').optional(),
    vatPointDateCode: code('BT-8', 'When VAT becomes due, by its code of UNTDID 2005').optional(),
    dueDate: date('BT-9', 'Date when payment is due').optional(),
    buyerReference: text('BT-10', "Buyer's reference; the Leitweg-ID of German authorities").optional(),
    project: identifier('BT-11', 'Project').optional(),
    contract: identifier('BT-12', 'Contract').optional(),
    order: identifier('BT-13', "Buyer's order").optional(),
    salesOrder: identifier('BT-14', "Seller's order").optional(),
    receivingAdvice: identifier('BT-15', 'Receiving advice').optional(),
    despatchAdvice: identifier('BT-16', 'Despatch advice').optional(),
    tender: identifier('BT-17', 'Call for tenders, or lot').optional(),
    object: identified('BT-18', 'Identifier of what is invoiced').optional(),
    accountingReference: text('BT-19', "Buyer's account").optional(),
    paymentTerms: text('BT-20', 'Terms of payment').optional(),
    notes: list(
      z
        .strictObject({
          subject: code('BT-21', 'Subject, by its code of UNTDID 4451').optional(),
          text: text('BT-22', 'Note'),
        })
        .describe('Note (BG-1)'),
      50,
    ),
    process: identifier('BT-23', 'Business process').optional(),
    precedingInvoices: list(
      z
        .strictObject({
          number: identifier('BT-25', 'Number of the preceding invoice'),
          issueDate: date('BT-26', 'Its date of issue').optional(),
        })
        .describe('Preceding invoice (BG-3)'),
      100,
    ),
    seller,
    buyer,
    payee: payee.optional(),
    taxRepresentative: taxRepresentative.optional(),
    delivery: z
      .strictObject({ ...deliverTo, date: date('BT-72', 'Date of delivery').optional() })
      .describe('Delivery (BG-13)')
      .optional(),
    period: period('BG-14', ['BT-73', 'BT-74']).optional(),
    payment: payment.optional(),
    allowances: list(
      z
        .strictObject({
          ...adjustmentFields(
            { amount: 'BT-92', base: 'BT-93', percent: 'BT-94', reason: 'BT-97', reasonCode: 'BT-98' },
            allowanceCodes,
          ),
          vat: vat('BT-95', 'BT-96'),
        })
        .describe('Allowance of the document (BG-20)'),
      50,
    ),
    charges: list(
      z
        .strictObject({
          ...adjustmentFields(
            { amount: 'BT-99', base: 'BT-100', percent: 'BT-101', reason: 'BT-104', reasonCode: 'BT-105' },
            chargeCodes,
          ),
          vat: vat('BT-102', 'BT-103'),
        })
        .describe('Charge of the document (BG-21)'),
      50,
    ),
    totals: totals.optional(),
    vatBreakdown: list(breakdown, 50).describe(
      'VAT by category and rate (BG-23). Computed if it is not given; give an entry to state why VAT is not charged',
    ),
    documents: list(document, 20),
    lines: z.array(line.describe('Line (BG-25)')).min(1, 'must have at least one line').max(10_000),
  })
  .describe('Invoice by the terms of EN 16931-1');

/** What clients send, after validation. Numbers are strings, so that no digit is lost. */
export type Invoice = z.output<typeof invoiceModel>;
