import { addressAndFacts, box, letterhead } from '../letterhead.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section } from '../word.ts';

const open = 'invoices | sum:"amount - paid"';

/** Title and text follow from `level`: 1, 2 or 3. */
export function reminder(texts: Texts): Page {
  const { reminder: own, money, number, date } = texts;
  const [first, second, third] = own.titles;
  const heading = `{level == 1 ? "${first}" : level == 2 ? "${second}" : "${third}"}`;
  const facts = [
    [own.number, '{number}'],
    [own.date, date('date')],
    [own.customer, '{customer.number}'],
    [own.contact, '{contact}'],
  ] as const;
  const levels = own.levels.map((lines, at) =>
    section(`#level == ${at + 1}`, lines.map((line) => paragraph('Normal', line)).join(''), 'Normal'),
  );
  const total = `(${open}) + (fee or 0) + (interest or 0)`;
  const body = [
    addressAndFacts(texts, 'customer', facts),
    paragraph('Heading1', heading),
    paragraph('Normal', '{salutation}', { before: 160 }),
    ...levels,
    gap(60),
    dataTable(own.caption, 'invoices', [
      { heading: own.invoice, text: '{number}', width: 1600 },
      { heading: own.invoiceDate, text: date('date'), width: 1500 },
      { heading: own.due, text: date('due'), width: 1500 },
      { heading: own.overdue, text: number('daysOverdue'), width: 1411, isNumber: true },
      { heading: own.amount, text: money('amount'), width: 1650, isNumber: true },
      { heading: own.open, text: money('amount - paid'), width: 1750, isNumber: true },
    ]),
    gap(120, true),
    paragraph('Sum', `${own.openSum}\t${money(open)}`),
    section('#fee', paragraph('Sum', `${own.fee}\t${money('fee')}`), 'Sum'),
    section('#interest', paragraph('Sum', `${own.interest}\t${money('interest')}`), 'Sum'),
    paragraph('Total', `${own.total}\t${money(total)}`),
    gap(240),
    paragraph('Normal', own.pay(date('payBy')), { keepNext: true }),
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
          [own.reason, '**{number}**'],
          [own.payBy, `**${date('payBy')}**`],
        ],
      ],
    ]),
    paragraph('Normal', own.crossed),
    paragraph('Normal', own.closing, { keepNext: true, after: 60 }),
    paragraph('Normal', '**{contact}**'),
  ];
  return letterhead(texts, heading, body.join(''));
}
