import { addressAndFacts, box, letterhead } from '../letterhead.ts';
import { signatures } from '../signatures.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section } from '../word.ts';

export function deliveryNote(texts: Texts): Page {
  const { deliveryNote: own, number, date } = texts;
  const facts = [
    [own.number, '{number}'],
    [own.date, date('date')],
    [own.order, '{order.number}'],
    [own.orderDate, date('order.date')],
    [own.customer, '{customer.number}'],
  ] as const;
  const body = [
    addressAndFacts(texts, 'customer', facts),
    paragraph('Heading1', own.heading),
    paragraph('Normal', '{introduction}', { before: 120, after: 160 }),
    dataTable(texts.itemsCaption, 'items', [
      { heading: texts.position, text: '{$number}', width: 680 },
      { heading: own.article, text: '{sku}', width: 1500 },
      { heading: texts.description, text: '{name}', detail: 'detail', width: 3731 },
      { heading: own.ordered, text: number('ordered'), width: 1200, isNumber: true },
      { heading: own.delivered, text: number('delivered'), width: 1200, isNumber: true },
      { heading: texts.unit, text: '{unit}', width: 1100 },
    ]),
    gap(160),
    section('#(items | count:"delivered < ordered") > 0', paragraph('Normal', own.remainder)),
    paragraph('Heading2', own.shipment),
    box(own.shipment, [
      [3137, [[own.carrier, '{shipment.carrier}']]],
      [3137, [[own.tracking, '{shipment.tracking}']]],
      [1568, [[own.packages, number('shipment.packages')]]],
      [1569, [[own.weight, `${number('shipment.weight')} kg`]]],
    ]),
    paragraph('Heading2', own.receipt),
    paragraph('Normal', own.received, { keepNext: true }),
    signatures(texts, [own.placeAndDate, own.nameAndSignature]),
  ];
  return letterhead(texts, own.heading, body.join(''));
}
