import { addressAndFacts, letterhead } from '../letterhead.ts';
import { signatures } from '../signatures.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section } from '../word.ts';

const net = 'items | filter:"not optional" | sum:"quantity * price"';

/** Optional items are shown with their amounts in brackets, and do not count. */
export function quotation(texts: Texts): Page {
  const { quotation: own, money, number, date } = texts;
  const facts = [
    [own.number, '{number}'],
    [own.date, date('date')],
    [own.validUntil, date('validUntil')],
    [own.customer, '{customer.number}'],
    [own.contact, '{contact}'],
  ] as const;
  const amount = money('quantity * price');
  const body = [
    addressAndFacts(texts, 'customer', facts),
    paragraph('Heading1', own.heading),
    paragraph('Subtitle', '{subject}'),
    paragraph('Normal', '{introduction}', { after: 160 }),
    dataTable(texts.itemsCaption, 'items', [
      { heading: texts.position, text: '{$number}', width: 680 },
      { heading: texts.description, text: `{name}{#optional} ${own.optional}{/}`, detail: 'detail', width: 3981 },
      { heading: texts.quantity, text: number('quantity'), width: 900, isNumber: true },
      { heading: texts.unit, text: '{unit}', width: 1000 },
      { heading: texts.unitPrice, text: money('price'), width: 1400, isNumber: true },
      { heading: texts.amount, text: `{^optional}${amount}{/}{#optional}(${amount}){/}`, width: 1450, isNumber: true },
    ]),
    gap(120, true),
    paragraph('Sum', `${texts.net}\t${money(net)}`),
    paragraph('Sum', `${own.vat(texts.rate('vatRate'))}\t${money(`(${net}) * vatRate / 100`)}`),
    paragraph('Total', `${own.total}\t${money(`(${net}) * (1 + vatRate / 100)`)}`),
    gap(200),
    paragraph('Heading2', own.terms),
    section('#terms', paragraph('ListBullet', '{.}')),
    paragraph('Heading2', own.acceptance),
    paragraph('Normal', own.accept('{number}', date('validUntil')), { keepNext: true }),
    signatures(texts, [own.placeAndDate, own.nameAndSignature]),
  ];
  return letterhead(texts, own.heading, body.join(''));
}
