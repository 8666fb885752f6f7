import type { Chance, PrintedInvoiceCase, PrintedValues } from './printed-invoice.ts';

/** A page that shows something else than its invoice. */
export interface SeededDifference {
  readonly values: PrintedValues;
  /** One of these differences has to be found: a term, or a line as `line 2`. */
  readonly found: readonly string[];
}

type Seed = (printed: PrintedInvoiceCase, chance: Chance) => SeededDifference | undefined;

const digitsOf = (text: string): string => text.replaceAll(/[^\d]/g, '').replace(/^0+/, '');

/** Where the difference of a value is reported. */
function placesOf(key: string): readonly string[] {
  const [term = '', line] = key.split('/');
  if (['BT-119', 'BT-116', 'BT-117'].includes(term)) return [term];
  return line === undefined ? [term] : [`line ${line}`];
}

function change(
  { values }: PrintedInvoiceCase,
  changes: Readonly<Record<string, string>>,
  format?: string,
): PrintedValues {
  const changed = new Map(values);
  for (const [key, text] of Object.entries(changes))
    changed.set(key, { text, ...(format !== undefined && { format }) });
  return changed;
}

const shown = ({ values }: PrintedInvoiceCase, key: string): string => values.get(key)?.text ?? '';
/** Amounts and rates of zero may be left out, and have no sign. */
const isZero = (text: string): boolean => /^[^1-9]*$/.test(text) && /0/.test(text);
const keysOf = ({ values }: PrintedInvoiceCase, wanted: RegExp): readonly string[] =>
  [...values].filter(([key, { text }]) => wanted.test(key) && text !== '').map(([key]) => key);
/** Not the sums of lines and of VAT, which pages may leave out. */
const totals = /^BT-(109|112|115|92|99)$|^BT-11[67]\//;

/** A value that the page shows in one place only, so that its absence can be seen. */
function only(printed: PrintedInvoiceCase, chance: Chance, wanted: RegExp): string | undefined {
  const all = [...printed.values].map(([key, { text }]) => [key, digitsOf(text)] as const);
  const keys = keysOf(printed, wanted).filter((key) => {
    const own = digitsOf(shown(printed, key));
    return own !== '' && all.every(([other, digits]) => other === key || digits !== own);
  });
  return keys.length === 0 ? undefined : chance.pick(keys);
}

const replaceDigit = (text: string, chance: Chance): string => {
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const at = chance.pick(places.slice(1));
  return `${text.slice(0, at)}${(Number(text[at]) + chance.between(1, 9)) % 10}${text.slice(at + 1)}`;
};
const changeLast = (text: string): string => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

/** Two lines whose values of a term differ. */
function twoLines(printed: PrintedInvoiceCase, chance: Chance, term: string): readonly [number, number] | undefined {
  const first = chance.between(1, printed.lines);
  for (let other = 1; other <= printed.lines; other++)
    if (shown(printed, `${term}/${other}`) !== shown(printed, `${term}/${first}`)) return [first, other];
  return undefined;
}

function swap(
  printed: PrintedInvoiceCase,
  a: string,
  b: string,
  found: readonly string[],
): SeededDifference | undefined {
  const [first, second] = [shown(printed, a), shown(printed, b)];
  if (first === '' || second === '') return undefined;
  if (digitsOf(first) === digitsOf(second) && first.replaceAll(/\P{L}/gu, '') === second.replaceAll(/\P{L}/gu, ''))
    return undefined;
  return { values: change(printed, { [a]: second, [b]: first }), found };
}

/** Swaps these terms of two lines. */
const swapLines =
  (...terms: readonly string[]): Seed =>
  (printed, chance) => {
    const lines = twoLines(printed, chance, terms[0] ?? '');
    if (lines === undefined) return undefined;
    const [a, b] = lines;
    const changes = terms.flatMap((term) => [
      [`${term}/${a}`, shown(printed, `${term}/${b}`)],
      [`${term}/${b}`, shown(printed, `${term}/${a}`)],
    ]);
    return { values: change(printed, Object.fromEntries(changes)), found: [`line ${a}`, `line ${b}`] };
  };

const hide =
  (format: string): Seed =>
  (printed, chance) => {
    const key = only(printed, chance, chance.pick([totals, /^BT-(131|146)\//, /^BT-(1|31|48|84)$/]));
    return key === undefined
      ? undefined
      : { values: change(printed, { [key]: shown(printed, key) }, format), found: placesOf(key) };
  };

const one =
  (wanted: RegExp, edit: (text: string, chance: Chance, printed: PrintedInvoiceCase) => string): Seed =>
  (printed, chance) => {
    const keys = keysOf(printed, wanted);
    if (keys.length === 0) return undefined;
    const key = chance.pick(keys);
    if (isZero(shown(printed, key))) return undefined;
    const edited = edit(shown(printed, key), chance, printed);
    return edited === shown(printed, key)
      ? undefined
      : { values: change(printed, { [key]: edited }), found: placesOf(key) };
  };

const lineTerms = ['BT-153', 'BT-129', 'BT-146', 'BT-152', 'BT-131'];

export const seeds: Readonly<Record<string, Seed>> = {
  'a total that is rounded otherwise': one(/^BT-(109|110|112|115)$/, changeLast),
  'a line amount that is rounded otherwise': one(/^BT-131\//, changeLast),
  'a VAT amount that is rounded otherwise': one(/^BT-117\//, changeLast),
  'names of two lines that are swapped': swapLines('BT-153'),
  'amounts of two lines that are swapped': swapLines('BT-131'),
  'numbers of two lines that are swapped': swapLines('BT-129', 'BT-146', 'BT-131'),
  'an old VAT rate': (printed, chance) => {
    const key = chance.pick(keysOf(printed, /^BT-119\//));
    const old = shown(printed, key);
    if (isZero(old)) return undefined;
    const rate = old.replace(/^[\d.,]+/, chance.pick(['16', '8', '18', '25']));
    const number = old.replace(/[^\d.,].*$/u, '');
    const same = keysOf(printed, /^BT-(119|152)\//).filter((each) => shown(printed, each).startsWith(number));
    return {
      values: change(printed, Object.fromEntries(same.map((each) => [each, rate]))),
      found: ['BT-119', 'BT-152'],
    };
  },
  'another VAT rate of a line': (printed, chance) => {
    // Pages without a column of rates do not show it.
    const key = chance.pick(keysOf(printed, /^BT-119\//));
    if (isZero(shown(printed, key))) return undefined;
    const rate = shown(printed, key).replace(/^[\d.,]+/, '17');
    return { values: change(printed, { [key]: rate }), found: ['BT-119'] };
  },
  'VAT that the invoice does not have': (printed) => {
    const rate = shown(printed, 'BT-119/1');
    if (!isZero(rate)) return undefined;
    const tax = printed.money(Math.round(Number(printed.model.totals?.withoutVat) * 21) / 100);
    return {
      values: change(printed, { 'BT-119/1': rate.replace(/^[\d.,]+/, '21'), 'BT-117/1': tax }),
      found: ['BT-119'],
    };
  },
  'another currency of a total': one(/^BT-(109|112|115)$/, (text) =>
    text.includes('€') ? text.replace('€', '$') : text.replace(/£|\$|CHF/, '€'),
  ),
  'white text': hide('<w:color w:val="FFFFFF"/>'),
  'tiny text': hide('<w:sz w:val="3"/>'),
  'hidden text': hide('<w:vanish/>'),
  'nearly white text': hide('<w:color w:val="FBFBFB"/>'),
  'another date': one(/^BT-(2|9)$/, (_, chance, { day }) =>
    day(`2025-0${chance.between(1, 9)}-1${chance.between(3, 9)}`),
  ),
  'dates that are swapped': (printed) =>
    printed.values.has('BT-9') ? swap(printed, 'BT-2', 'BT-9', ['BT-2', 'BT-9']) : undefined,
  'a wrong digit of the IBAN': one(/^BT-84$/, replaceDigit),
  'a wrong digit of a VAT identifier': one(/^BT-(31|48)$/, replaceDigit),
  'a wrong digit of a number': one(/^BT-(1|13)$/, replaceDigit),
  'another quantity': one(/^BT-129\//, (text) => text.replace(/\d/, (digit) => String((Number(digit) % 9) + 1))),
  'another price': one(/^BT-146\//, replaceDigit),
  'price and amount that are swapped': (printed, chance) => {
    const line = chance.between(1, printed.lines);
    return swap(printed, `BT-146/${line}`, `BT-131/${line}`, [`line ${line}`]);
  },
  'quantity and price that are swapped': (printed, chance) => {
    const line = chance.between(1, printed.lines);
    return swap(printed, `BT-146/${line}`, `BT-129/${line}`, [`line ${line}`]);
  },
  'another name of an item': one(/^BT-153\//, (text) => text.replace(/\p{Ll}{2}/u, 'qq')),
  'another name of a party': one(/^BT-(27|44)$/, (text) => text.replace(/\p{Ll}{2}/u, 'qq')),
  'an amount due that is the total': (printed) => {
    const [due, total] = [shown(printed, 'BT-115'), shown(printed, 'BT-112')];
    return due === total ? undefined : { values: change(printed, { 'BT-115': total }), found: ['BT-115'] };
  },
  'a decimal that is shifted': one(/^BT-(112|115)$/, (text) =>
    text.replace(/(\d)([.,])(\d)(\d)(?=\D*$)/, '$2$1$3$4').replace(/([.,])(\d)(\d)(\d)(?=\D*$)/, '$2$1$3$4'),
  ),
  'digits that are transposed': one(/^BT-(109|112|115)$|^BT-131\//, (text) =>
    text.replace(/(\d)(\d)(?=\D*$)/, (_, a: string, b: string) => `${b}${a}`),
  ),
  'a total with a minus': one(/^BT-(109|112|115)$/, (text) => `-${text}`),
  'a line that is left out': (printed, chance) => {
    const line = chance.between(1, printed.lines);
    const keys = lineTerms.map((term) => [`${term}/${line}`, ''] as const);
    return { values: change(printed, Object.fromEntries(keys)), found: [`line ${line}`] };
  },
  'a value that is left out': (printed, chance) => {
    const key = only(printed, chance, /^BT-(1|31|48|84|13)$|^BT-(131|146)\//);
    return key === undefined ? undefined : { values: change(printed, { [key]: '' }), found: placesOf(key) };
  },
  'VAT amounts that are swapped': (printed) =>
    printed.values.has('BT-117/2') ? swap(printed, 'BT-117/1', 'BT-117/2', ['BT-117']) : undefined,
};
