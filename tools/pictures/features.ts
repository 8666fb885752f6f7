import { readFileSync } from 'node:fs';
import { checkbox, grid, line, type PageContent } from './page.ts';

/** One feature of the template language, shown by a small template and its result. */
export interface Feature extends PageContent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale?: string;
  readonly onMissing?: 'empty' | 'highlight';
}

const items = [
  { name: 'Notebook', qty: 3, price: 4.5 },
  { name: 'Fountain pen', qty: 1, price: 32 },
  { name: 'Ink, blue', qty: 2, price: 7.25 },
];

const articleGroups = {
  groups: [
    {
      title: 'Paper',
      items: [
        { name: 'Notebook', qty: 3 },
        { name: 'Envelope', qty: 50 },
      ],
    },
    { title: 'Ink', items: [{ name: 'Blue', qty: 2 }] },
  ],
};

export const features: readonly Feature[] = [
  {
    name: 'values',
    heightMm: 25,
    template: [line('Dear **{customer.name}**,'), line('your order {number} is on its way to {customer.city}.')],
    data: { customer: { name: 'Ada Lovelace', city: 'London' }, number: 'A-1042' },
  },
  {
    name: 'list',
    heightMm: 35,
    template: [line('Your order:'), line('{#items}'), line('• {qty} × {name}'), line('{/items}'), line('Thank you!')],
    data: { items },
  },
  {
    name: 'condition',
    heightMm: 44,
    template: [
      line('{#paid}'),
      line('Thank you for your payment.'),
      line('{/paid}'),
      line('{^paid}'),
      line('Please pay by **{due}**.'),
      line('{/paid}'),
    ],
    data: { paid: false, due: '30 April' },
  },
  {
    name: 'rows',
    heightMm: 43,
    template: [
      grid([
        ['Article', 'Quantity', 'Price'],
        ['{#items}{name}', '{qty}', '{price | currency:"EUR"}{/items}'],
        ['Total', '', '{total | currency:"EUR"}'],
      ]),
    ],
    data: { items, total: 60 },
  },
  {
    name: 'groups',
    heightMm: 57,
    template: [
      grid([
        ['Article', 'Sold'],
        ['{#groups}**{title}**', ''],
        ['{#items}{name}', '{qty}{/items}'],
        ['Sum', '{items | sum:"qty"}{/groups}'],
      ]),
    ],
    data: articleGroups,
  },
  {
    name: 'totals',
    heightMm: 62,
    template: [
      grid([
        ['Article', 'Price', 'So far'],
        ['{#items | group:"kind"}**{key}**', '', ''],
        ['{#items}{name}', '{qty * price | number:2}', '{qty * price | runningSum | number:2}{/items}'],
        ['Subtotal', '{items | sum:"qty * price" | number:2}', '{/items}'],
      ]),
      line('Total: {items | sum:"qty * price" | currency:"EUR"}'),
    ],
    data: {
      items: [
        { name: 'Notebook', kind: 'Paper', qty: 3, price: 4.5 },
        { name: 'Ink', kind: 'Writing', qty: 2, price: 7.25 },
        { name: 'Envelope', kind: 'Paper', qty: 50, price: 0.1 },
      ],
    },
  },
  {
    name: 'formatting',
    heightMm: 58,
    template: [
      grid([
        ['Invoice', 'Status', 'Amount'],
        [
          '{#invoices}{@row hide:amount == 0}{number}',
          '{@cell fill:status == "late" ? "FFC7CE" : null}{status}',
          '{@text color:amount < 0 ? "C00000" : null}{amount | number:2}{/invoices}',
        ],
      ]),
      line('Balance: {@text bold:balance > 100}{balance | currency:"EUR"}'),
    ],
    data: {
      balance: 142.5,
      invoices: [
        { number: 'A-1', status: 'paid', amount: 30 },
        { number: 'A-2', status: 'late', amount: 120 },
        { number: 'A-3', status: 'void', amount: 0 },
        { number: 'A-4', status: 'credit', amount: -7.5 },
      ],
    },
  },
  {
    name: 'dictionary',
    heightMm: 45,
    template: [
      line('{"invoice" | translate}'),
      line('{"total" | translate}: **{total | currency:"EUR"}**'),
      grid([
        ['{$dictionary}', 'en', 'de'],
        ['invoice', 'Invoice', 'Rechnung'],
        ['total', 'Total', 'Summe'],
      ]),
    ],
    data: { total: 142.5 },
    locale: 'de',
  },
  {
    name: 'positions',
    heightMm: 20,
    template: [line('{#names}{#$first}With {/}{name}{^$last}, {/}{/names} we are {names | count}.')],
    data: { names: [{ name: 'Ada' }, { name: 'Grace' }, { name: 'Alan' }] },
  },
  {
    name: 'expressions',
    heightMm: 25,
    template: [
      line('{qty} × {price} = **{qty * price}**'),
      line('{vip ? "Dear friend" : "Dear customer"}'),
      line('{nickname or name}'),
    ],
    data: { qty: 3, price: 1.1, vip: true, name: 'Ada' },
  },
  {
    name: 'formatters',
    heightMm: 35,
    template: [
      line('{total | currency:"EUR"}'),
      line('{day | date:"full"}'),
      line('{share | percent:1}'),
      line('{name | upper}'),
      line('{names | join:", ":" and "}'),
    ],
    data: { total: 1234.5, day: '2026-03-31', share: 0.256, name: 'Ada', names: ['Ada', 'Grace', 'Alan'] },
  },
  {
    name: 'locale',
    heightMm: 20,
    template: [line('{total | currency:"EUR"}'), line('{day | date:"full"}')],
    data: { total: 1234.5, day: '2026-03-31' },
    locale: 'de-DE',
  },
  {
    name: 'charts',
    heightMm: 68,
    template: [],
    chart: {
      kind: 'bar',
      cells: [
        [' ', 'Sales {year}', 'Costs {year}'],
        ['{#months}{name}', '{sales}', '{costs}{/months}'],
      ],
      title: '{shop}',
      widthMm: 80,
      heightMm: 58,
    },
    data: {
      year: 2026,
      shop: 'Shop in Bern',
      months: [
        { name: 'Jan', sales: 120, costs: 80 },
        { name: 'Feb', sales: 95, costs: 70 },
        { name: 'Mar', sales: 140, costs: 85 },
        { name: 'Apr', sales: 160, costs: 90 },
      ],
    },
  },
  {
    name: 'includes',
    heightMm: 38,
    template: [
      line('Order {number}'),
      line('{include "delivery" with address}'),
      line('{include "terms"}'),
      line('Thank you!'),
    ],
    included: {
      delivery: [line('Deliver to **{name}**, {city}.')],
      terms: [line('**Terms.** Payment within {days} days. Order {number} remains ours until it is paid.')],
    },
    data: { number: 'A-1042', days: 30, address: { name: 'Ada Lovelace', city: 'London' } },
  },
  {
    name: 'missing',
    heightMm: 15,
    template: [line('Dear {title} {name},')],
    data: { name: 'Lovelace' },
    onMissing: 'highlight',
  },
  {
    name: 'html',
    heightMm: 40,
    template: [line('{~text}')],
    data: {
      text: '<h3>Terms</h3><p>Pay <b>within 30 days</b>, see <a href="https://example.com">our site</a>.</p><ul><li>by card</li><li>by <i>transfer</i></li></ul>',
    },
  },
  {
    name: 'links',
    heightMm: 15,
    template: [line('Track it: {number | link:address}')],
    data: { number: 'A-1042', address: 'https://example.com/track/A-1042' },
  },
  {
    name: 'barcodes',
    heightMm: 64,
    template: [line('{%qr url | size:"2.5cm"}'), line('{%barcode code "ean13"}')],
    data: { url: 'https://example.com/pay/A-1042', code: '4006381333931' },
  },
  {
    name: 'pictures',
    heightMm: 40,
    template: [line('{%%logo | width:"2cm"}'), line('Linden Works')],
    data: { logo: readFileSync(new URL('logo.png', import.meta.url)).toString('base64') },
  },
  {
    name: 'columns',
    heightMm: 30,
    template: [
      grid([
        ['Product', '{|months}{name}'],
        ['{#rows}{product}', '{sold[key]}{/rows}'],
      ]),
    ],
    data: {
      months: [
        { key: 'jan', name: 'January' },
        { key: 'feb', name: 'February' },
      ],
      rows: [
        { product: 'Pen', sold: { jan: 12, feb: 9 } },
        { product: 'Ink', sold: { jan: 3, feb: 4 } },
      ],
    },
  },
  {
    name: 'merged',
    heightMm: 50,
    template: [
      grid([
        ['Group', 'Article', 'Sold'],
        ['{#groups}{#items}{title}', '{name}', '{qty}{/items}'],
        ['^', 'Sum', '{items | sum:"qty"}{/groups}'],
      ]),
    ],
    data: articleGroups,
  },
  {
    name: 'checkboxes',
    heightMm: 30,
    template: [line('{#tasks}'), checkbox('', '{done}', ' {name}'), line('{/tasks}')],
    data: {
      tasks: [
        { name: 'Sign the contract', done: true },
        { name: 'Send a copy', done: false },
      ],
    },
  },
];
