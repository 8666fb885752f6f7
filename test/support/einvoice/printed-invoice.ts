import type { invoiceModel } from '@docmill/einvoice';
import type { z } from 'zod';
import { buildDocx } from '../documents/docx-builder.ts';
import * as word from '../documents/word-xml.ts';
import { type Language, languages } from './invoice-words.ts';

export type InvoiceInput = z.input<typeof invoiceModel>;

/** Random numbers that are the same for a seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  flip(share = 0.5): boolean {
    return this.next() < share;
  }

  pick<T>(all: readonly T[]): T {
    return all[this.between(0, all.length - 1)] as T;
  }
}

/** How a value is printed. */
export interface PrintedValue {
  readonly text: string;
  /** Properties of its run, such as a white colour. */
  readonly format?: string;
}

/** The values that a page shows, by their keys: a term, and in a line its number, such as `BT-129/2`. */
export type PrintedValues = ReadonlyMap<string, PrintedValue>;

export interface PrintedInvoiceCase {
  readonly model: InvoiceInput;
  readonly locale: string;
  readonly values: PrintedValues;
  readonly lines: number;
  /** A date as this page prints it. */
  day(iso: string): string;
  /** An amount as this page prints it. */
  money(amount: number): string;
  /** A .docx that shows other values in the same places. */
  print(values: PrintedValues): Buffer;
}

interface Line {
  readonly name: string;
  readonly description: string | undefined;
  readonly unit: keyof Language['units'];
  readonly quantity: number;
  readonly quantityDigits: number;
  readonly price: number;
  readonly priceDigits: number;
  readonly rate: number;
  /** In cents. */
  readonly amount: number;
}

const text = (value: number, digits: number): string => value.toFixed(digits);
const cents = (amount: number): string => text(amount / 100, 2);
const roundHalfUp = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5 + 1e-9);
/** Direct layout has no narrow space in its fonts. */
const escapeXml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\u202f', '\u00a0');

function makeLine(chance: Chance, language: Language, rates: readonly number[]): Line {
  const quantityDigits = chance.pick([0, 0, 0, 1, 2]);
  const priceDigits = chance.pick([2, 2, 2, 2, 3, 4]);
  const quantity =
    chance.between(1, chance.pick([9, 40, 1_500])) + (quantityDigits === 0 ? 0 : chance.between(1, 9) / 10);
  const price = chance.between(11, chance.pick([9_999, 99_999, 400_000])) / 100;
  return {
    name: `${chance.pick(language.items)}${chance.pick(['', '', ` ${chance.between(100, 999)}`, ' XL', ' (red)'])}`,
    description: chance.flip(0.2) ? chance.pick(language.descriptions) : undefined,
    unit: chance.pick(['C62', 'HUR', 'KGM'] as const),
    quantity,
    quantityDigits,
    price: Number((price + (priceDigits > 2 ? chance.between(1, 9) / 10 ** priceDigits : 0)).toFixed(priceDigits)),
    priceDigits,
    rate: chance.pick(rates),
    amount: 0,
  };
}

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);
const iso = (chance: Chance): string =>
  `2026-${String(chance.between(1, 12)).padStart(2, '0')}-${String(chance.between(1, 28)).padStart(2, '0')}`;
const digits = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => chance.between(0, 9)).join('');
const grouped = (identifier: string): string => identifier.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** An invoice and its page, in one of five languages and many forms. The same one for each seed. */
export function makePrintedInvoice(seed: number): PrintedInvoiceCase {
  const chance = new Chance(seed);
  /** Of the forms of values, so that they do not depend on the values. */
  const forms = new Chance(seed + 7_919);
  const language = languages[seed % languages.length] as Language;
  const locale = chance.pick(language.locales);
  const own = chance.pick([language.rates, language.rates.slice(0, 1), language.rates.slice(0, 2)]);
  const isExempt = forms.flip(0.12);
  const rates = isExempt ? [0] : own;
  const count = chance.pick([1, 2, 3, 5, 8, 20, 70]);
  const lines = Array.from({ length: count }, () => {
    const line = makeLine(chance, language, rates);
    const scale = 10 ** (line.priceDigits + line.quantityDigits);
    const exact =
      Math.round(line.quantity * 10 ** line.quantityDigits) * Math.round(line.price * 10 ** line.priceDigits);
    if (forms.flip(0.05))
      return { ...line, quantity: 1, quantityDigits: 0, price: 120, priceDigits: 2, amount: 12_000 };
    return { ...line, amount: roundHalfUp((exact * 100) / scale) };
  });
  const currency = locale.endsWith('CH') ? 'CHF' : locale === 'en-GB' ? 'GBP' : locale === 'en-US' ? 'USD' : 'EUR';
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  const first = lines[0]?.rate ?? 0;
  const allowance = chance.flip(0.3) ? Math.max(1, Math.round(sum * 0.03)) : 0;
  const charge = chance.flip(0.3) ? chance.between(300, 4_900) : 0;
  const used = [...new Set(lines.map(({ rate }) => rate))].sort((a, b) => b - a);
  const vat = used.map((rate) => {
    const own = lines.filter((line) => line.rate === rate).reduce((total, { amount }) => total + amount, 0);
    const base = own + (rate === first ? charge - allowance : 0);
    return { rate, base, tax: roundHalfUp((base * rate) / 100) };
  });
  const net = sum - allowance + charge;
  const tax = vat.reduce((total, each) => total + each.tax, 0);
  const isPaid = forms.flip(0.1);
  const paid = isPaid ? net + tax : chance.flip(0.25) ? Math.round((net + tax) / 3) : 0;
  const date = iso(chance);
  const due = chance.flip(0.8) ? iso(chance) : undefined;
  const seller = { name: chance.pick(language.companies), vatId: `${language.country}${digits(chance, 9)}` };
  const buyer = { name: chance.pick(language.customers), vatId: `${language.country}${digits(chance, 9)}` };
  const number = chance.pick([`2026-${digits(chance, 4)}`, `R${digits(chance, 6)}`, `FA/${digits(chance, 3)}/26`]);
  const order = chance.flip() ? `PO-${digits(chance, 5)}` : undefined;
  const iban = `${language.country}${digits(chance, 20)}`;
  const address = { line1: 'Via 1', city: 'X', postCode: '10000', country: language.country };
  const category = isExempt ? ('Z' as const) : ('S' as const);
  const month = forms.between(1, 12);
  const period = forms.flip(0.4)
    ? { start: new Date(Date.UTC(2026, month - 1, 1)), end: new Date(Date.UTC(2026, month, forms.pick([0, 0, -2]))) }
    : undefined;
  const model: InvoiceInput = {
    number,
    issueDate: date,
    ...(due !== undefined && { dueDate: due }),
    currency,
    ...(order !== undefined && { order }),
    ...(period !== undefined && { period: { start: isoDay(period.start), end: isoDay(period.end) } }),
    seller: { name: seller.name, vatId: seller.vatId, address },
    buyer: { name: buyer.name, vatId: buyer.vatId, address },
    ...(due === undefined && { paymentTerms: '30' }),
    payment: { code: '58', transfers: [{ account: iban }] },
    ...(allowance > 0 && {
      allowances: [{ amount: cents(allowance), reason: 'R', vat: { category, rate: first } }],
    }),
    ...(charge > 0 && {
      charges: [{ amount: cents(charge), reason: 'F', vat: { category, rate: first } }],
    }),
    totals: {
      lines: cents(sum),
      withoutVat: cents(net),
      vat: cents(tax),
      withVat: cents(net + tax),
      ...(paid > 0 && { paid: cents(paid) }),
      payable: cents(net + tax - paid),
    },
    lines: lines.map((line) => ({
      quantity: text(line.quantity, line.quantityDigits),
      unit: line.unit,
      price: { net: text(line.price, line.priceDigits) },
      vat: { category, rate: line.rate },
      item: { name: line.name },
    })),
  };

  const sign = { EUR: forms.pick(['€', '€', '€', 'Euro', 'EUR']), GBP: '£', USD: '$', CHF: 'CHF' }[currency];
  const isBefore = ['GBP', 'USD'].includes(currency) || (currency === 'CHF' && chance.flip());
  const inCells = chance.flip();
  const money = (amount: number, digitsAfter = 2, isMarked = true): string => {
    const shown = new Intl.NumberFormat(locale, {
      minimumFractionDigits: digitsAfter,
      maximumFractionDigits: digitsAfter,
    }).format(amount);
    if (!isMarked) return shown;
    return isBefore ? `${sign}${currency === 'CHF' ? ' ' : ''}${shown}` : `${shown} ${sign}`;
  };
  const dateStyle = chance.pick(['numeric', 'long', 'medium', 'iso'] as const);
  const day = (value: string): string => {
    const utc = new Date(`${value}T00:00:00Z`);
    if (dateStyle === 'iso') return value;
    if (dateStyle !== 'numeric') return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(utc);
    const parts = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(utc);
  };
  const percent = (rate: number): string =>
    `${new Intl.NumberFormat(locale, { minimumFractionDigits: chance.pick([0, 0, 1]) }).format(rate)}${chance.pick([' %', '%', '\u00a0%'])}`;
  const number2 = (value: number, digitsAfter: number): string =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digitsAfter }).format(value);

  const values = new Map<string, PrintedValue>();
  const set = (key: string, shown: string): void => void values.set(key, { text: shown });
  set('BT-1', number);
  set('BT-2', day(date));
  if (due !== undefined) set('BT-9', day(due));
  if (order !== undefined) set('BT-13', order);
  set('BT-27', seller.name);
  set('BT-31', seller.vatId);
  set('BT-44', buyer.name);
  set('BT-48', buyer.vatId);
  set('BT-84', chance.flip(0.7) ? grouped(iban) : iban);
  for (const [index, line] of lines.entries()) {
    set(`BT-153/${index + 1}`, line.name);
    set(`BT-129/${index + 1}`, number2(line.quantity, chance.pick([line.quantityDigits, 2])));
    set(`BT-146/${index + 1}`, money(line.price, line.priceDigits, inCells));
    set(`BT-152/${index + 1}`, percent(line.rate));
    set(`BT-131/${index + 1}`, money(line.amount / 100, 2, inCells));
    // A line that says its amount only.
    if (line.quantity !== 1 || Math.round(line.price * 100) !== line.amount || line.priceDigits > 2 || !forms.flip())
      continue;
    set(`BT-129/${index + 1}`, '');
    set(`BT-146/${index + 1}`, '');
  }
  for (const [index, each] of vat.entries()) {
    set(`BT-119/${index + 1}`, percent(each.rate));
    set(`BT-116/${index + 1}`, money(each.base / 100));
    set(`BT-117/${index + 1}`, money(each.tax / 100));
    set(`gross/${index + 1}`, money((each.base + each.tax) / 100));
  }
  set('BT-106', money(sum / 100));
  if (allowance > 0) set('BT-92', money(allowance / -100));
  if (charge > 0) set('BT-99', money(charge / 100));
  set('BT-109', money(net / 100));
  set('BT-110', money(tax / 100));
  set('BT-112', money((net + tax) / 100));
  if (paid > 0) set('BT-113', money(paid / -100));
  set('BT-115', money((net + tax - paid) / 100));

  if (period !== undefined) {
    const range = new Intl.DateTimeFormat(locale, { dateStyle: forms.pick(['long', 'medium']), timeZone: 'UTC' });
    set('period', range.formatRange(period.start, period.end));
  }
  const early = forms.flip(0.3)
    ? `${language.words.early} ${day(iso(forms))}: ${money(((net + tax) * 0.98) / 100)}`
    : undefined;

  const columns = chance.pick(columnOrders).filter((column) => column !== 'rate' || used.length > 1 || chance.flip());
  const form = {
    columns,
    isRight: chance.flip(0.7),
    font: chance.pick(['Liberation Sans', 'Liberation Serif', 'Carlito']),
    size: chance.pick([18, 20, 22]),
    hasVatTable: chance.flip(),
    isNarrow: chance.flip(0.3),
    hasSum: chance.flip(0.8) || allowance + charge > 0,
    descriptions: lines.map(({ description }) => description),
    units: lines.map(({ unit }) => language.units[unit]),
    vatRows: vat.length,
    isBracketed: forms.flip(0.25),
    hasGross: forms.flip(0.4),
    early,
  };
  return {
    model,
    locale,
    values,
    lines: lines.length,
    day,
    money: (amount) => money(amount),
    print: (shown) => print(form, language, shown),
  };
}

const columnOrders = [
  ['position', 'name', 'quantity', 'unit', 'price', 'rate', 'amount'],
  ['name', 'quantity', 'price', 'rate', 'amount'],
  ['quantity', 'unit', 'name', 'rate', 'price', 'amount'],
  ['position', 'quantity', 'name', 'price', 'amount', 'rate'],
] as const;
type Column = (typeof columnOrders)[number][number];

interface Form {
  readonly columns: readonly Column[];
  readonly isRight: boolean;
  readonly font: string;
  readonly size: number;
  readonly hasVatTable: boolean;
  readonly isNarrow: boolean;
  readonly hasSum: boolean;
  readonly descriptions: readonly (string | undefined)[];
  readonly units: readonly string[];
  readonly vatRows: number;
  readonly isBracketed: boolean;
  readonly hasGross: boolean;
  readonly early: string | undefined;
}

const terms = { name: 'BT-153', quantity: 'BT-129', price: 'BT-146', rate: 'BT-152', amount: 'BT-131' } as const;

function print(form: Form, language: Language, values: PrintedValues): Buffer {
  const { columns, isRight, font, size } = form;
  const format = `${word.font(font)}${word.size(size)}`;
  const plain = (content: string): string => word.run(escapeXml(content), format);
  const show = (key: string): string => {
    const value = values.get(key);
    return value === undefined ? '' : word.run(escapeXml(value.text), value.format ?? format);
  };
  const right = word.aligned('right');
  const words = language.words;
  const labelled = (label: string, key: string): string =>
    values.has(key) ? word.paragraph(plain(`${label}: `) + show(key)) : '';
  const widths: Readonly<Record<Column, number>> = {
    position: 600,
    name: form.isNarrow ? 1_500 : 3_000,
    quantity: 1_000,
    unit: 1_000,
    price: 1_500,
    rate: 1_000,
    amount: 1_700,
  };
  const grid = columns.map((column) => widths[column]);
  const header = word.row(columns.map((column) => word.cell(widths[column], word.paragraph(plain(words[column])))));
  const rows = form.units.map((unit, index) =>
    word.row(
      columns.map((column) => {
        if (column === 'position') return word.cell(widths.position, word.paragraph(plain(String(index + 1))));
        if (column === 'unit') return word.cell(widths.unit, word.paragraph(plain(unit)));
        const description = column === 'name' ? form.descriptions[index] : undefined;
        const own = word.paragraph(show(`${terms[column]}/${index + 1}`), column !== 'name' && isRight ? right : '');
        return word.cell(widths[column], description === undefined ? own : own + word.paragraph(plain(description)));
      }),
      // As templates for invoices have it: a cell that goes on alone on the next page has no row there.
      '<w:cantSplit/>',
    ),
  );
  const vatOf = (index: number): readonly string[] => [
    `BT-119/${index + 1}`,
    `BT-116/${index + 1}`,
    `BT-117/${index + 1}`,
    ...(form.hasGross && form.hasVatTable ? [`gross/${index + 1}`] : []),
  ];
  const vatRows = Array.from({ length: form.vatRows }, (_, index) => vatOf(index));
  const vatTable = form.hasVatTable
    ? word.table([1_500, 2_000, 2_000, 2_000].slice(0, form.hasGross ? 4 : 3), [
        word.row(
          [words.rate, words.taxable, words.vat, ...(form.hasGross ? [words.gross] : [])].map((each) =>
            word.cell(2_000, word.paragraph(plain(each))),
          ),
        ),
        ...vatRows.map((keys) => word.row(keys.map((key) => word.cell(2_000, word.paragraph(show(key), right))))),
      ])
    : vatRows
        .map(([rate = '', base = '', tax = '']) =>
          word.paragraph(
            plain(`${words.vat} ${form.isBracketed ? '(' : ''}`) +
              show(rate) +
              plain(`${form.isBracketed ? ')' : ''} ${words.of} `) +
              show(base) +
              plain(': ') +
              show(tax),
          ),
        )
        .join('');
  const totals: readonly (readonly [string, string])[] = [
    ...(form.hasSum ? [[words.sum, 'BT-106'] as const] : []),
    [words.allowance, 'BT-92'],
    [words.charge, 'BT-99'],
    [words.net, 'BT-109'],
    [words.totalVat, 'BT-110'],
    [words.gross, 'BT-112'],
    [words.paid, 'BT-113'],
    [words.due, 'BT-115'],
  ];
  const totalTable = word.table(
    [5_500, 3_000],
    totals
      .filter(([, key]) => values.has(key))
      .map(([label, key]) =>
        word.row([
          word.cell(5_500, word.paragraph(plain(label), right)),
          word.cell(3_000, word.paragraph(show(key), right)),
        ]),
      ),
  );
  const body = [
    word.paragraph(show('BT-27') + plain(` · ${words.vatId} `) + show('BT-31')),
    word.paragraph(show('BT-44')),
    word.paragraph(plain(`${words.vatId} `) + show('BT-48')),
    word.paragraph(plain(`${words.number} `) + show('BT-1')),
    labelled(words.date, 'BT-2'),
    labelled(words.dueDate, 'BT-9'),
    labelled(words.order, 'BT-13'),
    labelled(words.period, 'period'),
    word.table(grid, [header, ...rows]),
    word.paragraph(plain(words.thanks)),
    vatTable,
    word.paragraph(plain(words.thanks)),
    totalTable,
    form.early === undefined ? '' : word.paragraph(plain(form.early)),
    word.paragraph(plain('IBAN ') + show('BT-84')),
  ];
  return buildDocx({ body: body.join('') });
}
