import { companyFooter, continuationHeader, letterhead, logoFile, marginsMm, textWidthMm } from './letterhead.ts';
import { palette } from './palette.ts';
import { packageDocument } from './wordml/package-document.ts';
import { section } from './wordml/section.ts';
import { cell, type Row, table } from './wordml/table.ts';
import { paragraph } from './wordml/text.ts';

const keepNext = true;

/** Line items in a table loop, totals with tax lines, and a payment box that becomes a receipt once paid. */
export const invoice = (): Buffer =>
  packageDocument({
    title: 'Invoice',
    subject: 'Invoice template with line items, tax lines and payment details',
    keywords: 'invoice, template',
    body: [
      paragraph('Title', 'Invoice'),
      paragraph('Subtitle', '{invoice.subject}'),
      addressAndFacts(),
      paragraph('Gap', '', { afterPt: 10 }),
      paragraph('Normal', '{introduction}', { afterPt: 8 }),
      lineItems(),
      paragraph('Gap', '', { afterPt: 5, keepNext }),
      totals(),
      paragraph('Gap', '', { afterPt: 10, keepNext }),
      ...payment(),
      ...notes(),
      section({
        marginsMm,
        hasOwnFirstPage: true,
        headers: { first: 'header1.xml', default: 'header2.xml' },
        footers: { first: 'footer1.xml', default: 'footer2.xml' },
      }),
    ],
    headersAndFooters: {
      'header1.xml': letterhead(),
      'header2.xml': continuationHeader('Linden Works\tInvoice {invoice.number}, {customer.name}'),
      'footer1.xml': companyFooter('Invoice {invoice.number}'),
      'footer2.xml': companyFooter('Invoice {invoice.number}'),
    },
    media: logoFile(),
  });

function addressAndFacts(): string {
  const line = (value: string) => paragraph('TableText', value);
  const address = [
    paragraph('Label', 'Billed to'),
    line('**{customer.name}**'),
    line('{#customer.contact}'),
    line('{customer.contact}'),
    line('{/customer.contact}'),
    line('{customer.street}'),
    line('{customer.city}'),
    line('{customer.country}'),
    paragraph('TableDetail', 'VAT No. {customer.vatNumber}', { beforePt: 3 }),
  ];
  const facts: readonly (readonly [string, string])[] = [
    ['Invoice number', '**{invoice.number}**'],
    ['Date of issue', '{invoice.issued}'],
    ['Due date', '**{invoice.due}**'],
    ['Customer number', '{customer.number}'],
    ['Your order', '{invoice.orderReference}'],
  ];
  const labels = facts.map(([label]) => paragraph('TableText', label));
  const values = facts.map(([, value]) => paragraph('TableNumber', value));
  return table({
    style: 'LindenLayout',
    columnsMm: [textWidthMm - 74, 36, 38],
    summary: 'Addressee and invoice details',
    rows: [
      {
        cells: [
          cell(address),
          cell([paragraph('Label', 'Details'), ...labels]),
          cell([paragraph('Label', ''), ...values]),
        ],
      },
    ],
  });
}

function lineItems(): string {
  const head = (label: string) => cell(paragraph('TableHeading', label), { vertical: 'bottom' });
  const headNumber = (label: string) => cell(paragraph('TableHeadingNumber', label), { vertical: 'bottom' });
  return table({
    style: 'LindenTable',
    columnsMm: [13, textWidthMm - 101, 17, 17, 26, 28],
    summary: 'Line items',
    rows: [
      {
        isHeader: true,
        cells: [
          head('No.'),
          head('Description'),
          headNumber('Qty'),
          head('Unit'),
          headNumber('Unit price'),
          headNumber('Amount'),
        ],
      },
      {
        cells: [
          cell(paragraph('TableText', '{#items}{position}')),
          cell([
            paragraph('TableText', '{description}'),
            paragraph('TableDetail', '{#detail}'),
            paragraph('TableDetail', '{detail}'),
            paragraph('TableDetail', '{/detail}'),
          ]),
          cell(paragraph('TableNumber', '{quantity}')),
          cell(paragraph('TableText', '{unit}')),
          cell(paragraph('TableNumber', '{unitPrice}')),
          cell(paragraph('TableNumber', '{amount}{/items}')),
        ],
      },
    ],
  });
}

function totals(): string {
  const row = (label: string, value: string): Row => ({
    cells: [cell(paragraph('TableText', label, { keepNext })), cell(paragraph('TableNumber', value, { keepNext }))],
  });
  const fill = palette.green;
  return table({
    style: 'LindenTotals',
    columnsMm: [54, 34],
    indentMm: textWidthMm - 88,
    summary: 'Totals',
    rows: [
      row('Subtotal', '{subtotal}'),
      row('{#discount}{label}', '{amount}{/discount}'),
      row('{#taxes}VAT {rate} on {base}', '{amount}{/taxes}'),
      {
        cells: [
          cell(paragraph('TableTotal', 'Total due', { keepNext }), { fill }),
          cell(paragraph('TableTotalNumber', '{total}', { keepNext }), { fill }),
        ],
      },
    ],
  });
}

function payment(): readonly string[] {
  const pair = (label: string, value: string) => [
    paragraph('Label', label),
    paragraph('TableText', value, { afterPt: 4 }),
  ];
  const open = table({
    style: 'LindenBox',
    columnsMm: [textWidthMm / 2 - 5, textWidthMm / 2 - 30, 35],
    summary: 'How to pay',
    rows: [
      {
        cells: [
          cell([...pair('Account holder', '{payment.accountHolder}'), ...pair('Bank', '{payment.bank}')]),
          cell([...pair('IBAN', '{payment.iban}'), ...pair('BIC', '{payment.bic}')]),
          cell([...pair('Reference', '**{invoice.number}**'), ...pair('Pay by', '**{invoice.due}**')]),
        ],
      },
    ],
  });
  const settled = table({
    style: 'LindenBox',
    columnsMm: [textWidthMm],
    summary: 'Receipt',
    rows: [
      {
        cells: [cell(paragraph('TableText', '**Paid in full on {paidOn}.** Thank you.', { beforePt: 3, afterPt: 3 }))],
      },
    ],
  });
  return [
    paragraph('SmallPrint', '{^paid}'),
    paragraph('Heading3', 'Payment', { beforePt: 0 }),
    open,
    paragraph('Gap', '', { afterPt: 6 }),
    paragraph('SmallPrint', '{/paid}'),
    paragraph('SmallPrint', '{#paid}'),
    settled,
    paragraph('Gap', '', { afterPt: 6 }),
    paragraph('SmallPrint', '{/paid}'),
  ];
}

const notes = (): readonly string[] => [
  paragraph('SmallPrint', '{#notes}'),
  paragraph('SmallPrint', '{text}', { afterPt: 3 }),
  paragraph('SmallPrint', '{/notes}'),
];
