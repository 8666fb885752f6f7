import { addressAndFacts, box, letterhead } from '../letterhead.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section } from '../word.ts';

/** Amounts come from the data, because the electronic invoice and the accounts must have the same. */
export function invoice(texts: Texts): Page {
  const { invoice: own, money, number, date } = texts;
  const facts = [
    [own.number, '{number}'],
    [own.date, date('date')],
    [own.delivered, date('delivered')],
    [own.due, date('due')],
    [own.customer, '{customer.number}'],
    [own.reference, '{reference}'],
    [own.customerVatId, '{customer.vatId}'],
  ] as const;
  const body = [
    addressAndFacts(texts, 'customer', facts),
    paragraph('Heading1', own.heading),
    paragraph('Subtitle', '{subject}'),
    paragraph('Normal', '{introduction}', { after: 160 }),
    dataTable(texts.itemsCaption, 'items', [
      { heading: texts.position, text: '{$number}', width: 680 },
      { heading: texts.description, text: '{name}', detail: 'detail', width: 3334 },
      { heading: texts.quantity, text: number('quantity'), width: 1000, isNumber: true },
      { heading: texts.unit, text: '{unit}', width: 964 },
      { heading: texts.unitPrice, text: money('price'), width: 1360, isNumber: true },
      { heading: own.vat, text: texts.rate('rate'), width: 773, isNumber: true },
      { heading: texts.amount, text: money('amount'), width: 1300, isNumber: true },
    ]),
    gap(120, true),
    paragraph('Sum', `${texts.net}\t${money('net')}`),
    section('#taxes', paragraph('Sum', `${own.vatLine(texts.rate('rate'), money('base'))}\t${money('amount')}`), 'Sum'),
    paragraph('Total', `${own.total}\t${money('total')}`),
    gap(200),
    paragraph('Heading2', own.payment),
    paragraph('Normal', own.pay(money('total'), date('due')), { keepNext: true }),
    box(own.payment, [
      [
        3120,
        [
          [texts.holder, '{sender.name}'],
          [texts.bank, '{payment.bank}'],
        ],
      ],
      [
        3900,
        [
          ['IBAN', '{payment.iban}'],
          ['BIC', '{payment.bic}'],
        ],
      ],
      [
        2391,
        [
          [own.reason, '**{payment.reference}**'],
          [own.due, `**${date('due')}**`],
        ],
      ],
    ]),
    section('#notes', paragraph('Small', '{.}')),
  ];
  return letterhead(texts, own.heading, body.join(''));
}
