import { describe, expect, it } from 'vitest';
import { checkExpression, parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';
import { defaultLocale, RenderContext } from '../../../../src/worker/docx/language/render-context.ts';
import { Scope } from '../../../../src/worker/docx/language/scope.ts';
import { evaluate, missingIn, print, problemOf } from './evaluate.ts';

const items = [
  { name: 'Pen', price: 1.1, qty: 3, open: true, date: '2026-03-01', tag: 'b' },
  { name: 'Ink', price: 2.2, qty: 0, open: false, date: '2025-12-31', tag: 'a' },
  { name: 'pad', price: 3.3, qty: 12, open: true, date: '2026-01-15', tag: 'b' },
];
const data = {
  items,
  n: 1234.567,
  half: 0.5,
  rate: 0.256,
  minus: -1234.5,
  whole: 21,
  amount: '1234.5',
  text: 'straße',
  long: 'The quick brown fox',
  spaced: '  x  ',
  flags: '👩‍👩‍👧🇨🇭',
  day: '2026-03-31',
  local: '2026-03-31T22:30:15',
  utc: '2026-03-31T22:30:15.250Z',
  offset: '2026-03-31T22:30:15+09:00',
  epoch: 1774996215000,
  words: ['b', 'a', 'C'],
  mixed: [3, '10', 'x', null, true, 2],
  numbers: [3, 10, 2],
  cents: Array.from({ length: 1000 }, () => 0.01),
  none: [],
  yes: true,
  no: false,
  empty: '',
  nothing: null,
  object: { a: 1 },
  list: [{ a: 1 }],
  two: 2,
  eur: 'EUR',
};

const german = { locale: 'de-DE', timezone: 'Europe/Berlin' };
const british = { locale: 'en-GB', timezone: 'Europe/London' };
const french = { locale: 'fr-FR', timezone: 'Europe/Paris' };
const tokyo = { locale: 'en-US', timezone: 'Asia/Tokyo' };

describe('numbers', () => {
  it.each([
    ['n | number', {}, '1,234.567'],
    ['n | number:2', {}, '1,234.57'],
    ['n | number:0', {}, '1,235'],
    ['n | number:2', german, '1.234,57'],
    ['n | number:2', french, '1 234,57'],
    ['n | number:2', { locale: 'hi-IN' }, '1,234.57'],
    ['1.005 | number:2', {}, '1.01'],
    ['amount | number:1', {}, '1,234.5'],
    ['n | number:two', {}, '1,234.57'],
    ['n | currency:"EUR"', {}, '€1,234.57'],
    ['n | currency:"EUR"', german, '1.234,57 €'],
    ['n | currency:"JPY"', {}, '¥1,235'],
    ['n | currency:"KWD"', { locale: 'en-GB' }, 'KWD 1,234.567'],
    ['n | currency:“chf”', {}, 'CHF 1,234.57'],
    ['n | currency:eur', {}, '€1,234.57'],
    ['minus | currency:"USD"', {}, '-$1,234.50'],
    ['n | currency:"EUR":"code"', {}, 'EUR 1,234.57'],
    ['n | currency:"EUR":"name"', german, '1.234,57 Euro'],
    ['n | currency:"EUR":"symbol":0', {}, '€1,235'],
    ['rate | percent', {}, '25.6%'],
    ['rate | percent:0', german, '26 %'],
    ['minus | abs', {}, '1234.5'],
    ['2.5 | round', {}, '3'],
    ['-2.5 | round', {}, '-3'],
    ['1.005 | round:2', {}, '1.01'],
    ['1.45 | round:1', {}, '1.5'],
    ['1.1 + 2.2 | round:1', {}, '3.3'],
    ['1.21 | ceil:1', {}, '1.3'],
    ['1.29 | floor:1', {}, '1.2'],
    ['-0.2 | round', {}, '0'],
    ['1e15 | round:2', {}, '1000000000000000'],
    ['1 | ordinal', {}, '1st'],
    ['2 | ordinal', {}, '2nd'],
    ['3 | ordinal', {}, '3rd'],
    ['11 | ordinal', {}, '11th'],
    ['whole | ordinal', {}, '21st'],
    ['whole | ordinal', german, '21.'],
    ['1 | ordinal', french, '1er'],
    ['whole | words', {}, 'twenty-one'],
    ['1234 | words', british, 'one thousand two hundred and thirty-four'],
    ['1234 | words', {}, 'one thousand two hundred thirty-four'],
    ['whole | words', german, 'einundzwanzig'],
    ['80 | words', french, 'quatre-vingts'],
    ['-5 | words', {}, 'minus five'],
    ['n | floor | words | upper', {}, 'ONE THOUSAND TWO HUNDRED THIRTY-FOUR'],
  ])('%s in %j is %s', (text, language, expected) => {
    expect(print(text, data, language)).toBe(expected);
  });

  it.each([
    ['text | number:2', 'data.text: is text, and a number is needed'],
    ['object | currency:"EUR"', 'data.object: is an object, and a number is needed'],
    ['yes | round', 'data.yes: is true or false, and a number is needed'],
    ['items | number', 'data.items: is a list, and a number is needed'],
    ['n | currency:text', 'data.text: must be a currency code, for example "EUR"'],
    ['n | number:minus', 'data.minus: must be a whole number from 0 to 15'],
    ['n | number:text', 'data.text: must be a number'],
    ['n | words', 'data.n: is not a whole number: round it first'],
    ['1e20 * two | words', 'data.two: is too large to be written in words'],
    ['n | ordinal', 'data.n: is not a whole number: round it first'],
  ])('%s is an error in the data', (text, problem) => {
    expect(problemOf(text, data)).toBe(problem);
  });

  it('names the language that cannot write numbers in words', () => {
    const problem = problemOf('whole | words', data, { locale: 'ja' });
    expect(problem).toMatch(/^output\.locale: does not support numbers in words/);
  });
});

describe('dates', () => {
  it.each([
    ['day | date', {}, 'Mar 31, 2026'],
    ['day | date:"short"', {}, '3/31/26'],
    ['day | date:"long"', {}, 'March 31, 2026'],
    ['day | date:"full"', {}, 'Tuesday, March 31, 2026'],
    ['day | date:"short"', british, '31/03/2026'],
    ['day | date:"long"', german, '31. März 2026'],
    ['day | date:"long"', french, '31 mars 2026'],
    ['day | date:"long"', tokyo, 'March 31, 2026'],
    ['utc | date:"long"', {}, 'March 31, 2026'],
    ['utc | date:"long"', german, '1. April 2026'],
    ['utc | date:"long"', tokyo, 'April 1, 2026'],
    ['local | date:"long"', tokyo, 'March 31, 2026'],
    ['offset | date:"yyyy-MM-dd HH:mm:ss"', {}, '2026-03-31 13:30:15'],
    ['epoch | date:"yyyy-MM-dd HH:mm"', {}, '2026-03-31 22:30'],
    ['utc | time', {}, '10:30 PM'],
    ['utc | time', german, '00:30'],
    ['utc | time:"medium"', german, '00:30:15'],
    ['utc | datetime', {}, 'Mar 31, 2026, 10:30 PM'],
    ['utc | datetime', british, '31 Mar 2026, 23:30'],
    ['utc | datetime:"long"', german, '1. April 2026 um 00:30:15 MESZ'],
    ['day | date:"yyyy-MM-dd"', {}, '2026-03-31'],
    ['day | date:"YYYY/MM/DD"', {}, '2026/03/31'],
    ['day | date:"dd.MM.yy"', german, '31.03.26'],
    ['day | date:"d. MMMM yyyy"', german, '31. März 2026'],
    ['day | date:"EEE, d MMM yyyy"', {}, 'Tue, 31 Mar 2026'],
    ['day | date:"EEEE"', french, 'mardi'],
    ["day | date:\"'Week of' d 'o''clock'\"", {}, "Week of 31 o'clock"],
    ['utc | date:"HH:mm:ss"', {}, '22:30:15'],
    ['utc | date:"h:mm a"', {}, '10:30 PM'],
    ['day | date:"HH:mm"', german, '00:00'],
    ['day | date:"long"', { locale: 'th-TH' }, '31 มีนาคม 2569'],
    ['day | date:"yyyy"', { locale: 'th-TH' }, '2026'],
    ['"0099-01-01" | date:"yyyy"', {}, '0099'],
    ['"2024-02-29" | date:"d.M."', {}, '29.2.'],
  ])('%s in %j is %s', (text, language, expected) => {
    expect(print(text, data, language)).toBe(expected);
  });

  it.each([
    ['text', 'is not a date; write'],
    ['object', 'is an object; write'],
    ['yes', 'is true or false; write'],
    ['"2026-02-30"', 'is not a date; write'],
    ['"2026-13-01"', 'is not a date; write'],
    ['"31.03.2026"', 'is not a date; write'],
    ['"2026-03-31T25:00Z"', 'is not a date; write'],
    ['"2026-03-31T10:00+99:00"', 'is not a date; write'],
    ['1e300', 'is a number; write'],
  ])('%s is not a date', (text, problem) => {
    expect(problemOf(`${text} | date`, data)).toContain(problem);
  });
});

describe('strings', () => {
  it.each([
    ['text | upper', {}, 'STRASSE'],
    ['"istanbul" | upper', { locale: 'tr' }, 'İSTANBUL'],
    ['long | lower', {}, 'the quick brown fox'],
    ['text | capitalize', {}, 'Straße'],
    ['empty | capitalize', {}, ''],
    ['spaced | trim', {}, 'x'],
    ['7 | padStart:5:"0"', {}, '00007'],
    ['7 | padEnd:3:"."', {}, '7..'],
    ['7 | padStart:3', {}, '  7'],
    ['long | truncate:10', {}, 'The quick…'],
    ['long | truncate:10:"..."', {}, 'The qui...'],
    ['long | truncate:100', {}, 'The quick brown fox'],
    ['long | truncate:0', {}, '…'],
    ['long | replace:"quick ":""', {}, 'The brown fox'],
    ['"a.b.c" | replace:".":"$&"', {}, 'a$&b$&c'],
    ['n | upper', {}, '1234.567'],
    ['yes | upper', {}, 'TRUE'],
  ])('%s in %j is %j', (text, language, expected) => {
    expect(print(text, data, language)).toBe(expected);
  });

  it.each([
    ['object | upper', 'data.object: is an object, and text is needed'],
    ['items | trim', 'data.items: is a list, and text is needed'],
    ['text | padStart:n', 'data.n: must be a whole number from 0 to 1000'],
    ['text | replace:empty:"x"', 'data.empty: must not be empty'],
    ['text | replace:object:"x"', 'data.object: must be text'],
  ])('%s is an error in the data', (text, problem) => {
    expect(problemOf(text, data)).toBe(problem);
  });

  it('does not split a surrogate pair', () => {
    expect(print('"😀😀😀" | truncate:2', {})).toBe('😀…');
  });

  it('join never creates a string above the limit, and checks the size before it builds one', () => {
    const growing = { list: Array.from({ length: 60_000 }, () => 'a'), b: 'b'.repeat(10_000) };
    const tooLong = 'data.list: results in a text of more than 1000000 characters';
    expect(problemOf('list | join:b', growing)).toBe(tooLong);
    const exact = { list: ['a'.repeat(499_999), 'b'.repeat(499_999)] };
    expect(print('list | join:", "', exact)).toHaveLength(1_000_000);
    expect(problemOf('list | join:"-":"---"', exact)).toBe(tooLong);
  });

  it('replace never creates a string above the limit', () => {
    const growing = { a: 'a'.repeat(10_000), b: 'b'.repeat(10_000) };
    expect(problemOf('a | replace:"a":b', growing)).toBe('data.a: results in a text of more than 1000000 characters');
  });
});

describe('choices', () => {
  it('yesno refuses an argument that is not a string, whatever its keys are called', () => {
    const value = { toString: 'x', valueOf: 'y' };
    expect(problemOf('yes | yesno:a:"no"', { yes: true, a: value })).toBe('data.a: must be text');
    expect(print('yes | yesno:gone:"no"', { yes: true })).toBe('');
  });

  it.each([
    ['gone | default:"-"', '-'],
    ['nothing | default:"-"', '-'],
    ['empty | default:"-"', '-'],
    ['none | default:"-"', '-'],
    ['0 | default:"-"', '0'],
    ['no | default:"-"', 'false'],
    ['text | default:gone', 'straße'],
    ['gone | default:text', 'straße'],
    ['gone | upper | default:"-"', '-'],
    ['gone * 2 | default:0', '0'],
    ['yes | yesno:"Yes":"No"', 'Yes'],
    ['gone | yesno:"Yes":"No"', 'No'],
    ['n > 5 | yesno:"Ja":"Nein"', 'Ja'],
    ['object | json', '{"a":1}'],
    ['list | json', '[{"a":1}]'],
  ])('%s is %s', (text, expected) => {
    expect(print(text, data)).toBe(expected);
  });
});

describe('lists', () => {
  it.each([
    ['items | count', 3],
    ['none | count', 0],
    ['items | sum:"price"', 6.6],
    ['items | map:"price" | sum', 6.6],
    ['cents | sum', 10],
    ['numbers | avg', 5],
    ['none | avg', null],
    ['none | sum', 0],
    ['numbers | min', 2],
    ['items | max:"qty"', 12],
    ['none | max', null],
    ['items | map:"name" | join', 'Pen, Ink, pad'],
    ['items | map:"name" | join:"; "', 'Pen; Ink; pad'],
    ['items | map:"name" | join:", ":" and "', 'Pen, Ink and pad'],
    ['words | slice:0:1 | join:", ":" and "', 'b'],
    ['words | sort | join', 'a, b, C'],
    ['words | sort:".":"desc" | join', 'C, b, a'],
    ['numbers | sort | join', '2, 3, 10'],
    ['mixed | sort | join', '2, 3, 10, x, true'],
    ['items | sort:"date" | map:"name" | join', 'Ink, pad, Pen'],
    ['items | sort:"name" | map:"name" | join', 'Ink, pad, Pen'],
    ['items | sort:"qty":"desc" | map:"qty" | join', '12, 3, 0'],
    ['items | sort:"tag" | map:"name" | join', 'Ink, Pen, pad'],
    ['items | where:"open" | count', 2],
    ['items | where:"open":true | count', 2],
    ['items | where:"open":false | map:"name" | join', 'Ink'],
    ['items | where:"name":"Pen" | count', 1],
    ['items | where:"qty":">":2 | count', 2],
    ['items | where:"qty":"<=":two | count', 1],
    ['items | where:"date":">=":"2026-01-01" | count', 2],
    ['items | where:"tag":"!=":"b" | count', 1],
    ['items | where:"gone":1 | count', 0],
    ['items | unique:"tag" | map:"name" | join', 'Pen, Ink'],
    ['items | map:"tag" | unique | join', 'b, a'],
    ['words | reverse | join', 'C, a, b'],
    ['words | slice:1 | join', 'a, C'],
    ['words | slice:-1 | join', 'C'],
    ['words | first', 'b'],
    ['words | last', 'C'],
    ['none | first', null],
    ['items | sum:"price" | currency:"EUR"', '€6.60'],
    ['gone | count', undefined],
    ['items | sum:"pirce"', undefined],
    ['items | map:"nmae"', undefined],
    ['none | map:"name" | count', 0],
    ['none | unique:"name" | count', 0],
    ['items | group:"tag" | map:"key" | join', 'b, a'],
    ['items | group:"tag" | map:"items | count" | join', '2, 1'],
    ['items | group:"qty > 2" | map:"key" | join', 'true, false'],
    ['items | sort:"tag" | group:"tag" | map:"items | sum:\'price * qty\'" | join', '0, 42.9'],
    ['none | group:"tag" | count', 0],
    ['mixed | group:"." | count', 6],
  ])('%s is %j', (text, expected) => {
    expect(evaluate(text, data)).toEqual(expected);
  });

  it.each([
    ['text | count', 'data.text: is text, and a list is needed'],
    ['object | sum:"a"', 'data.object: is an object, and a list is needed'],
    ['items | sum:"name"', 'data.items[0].name: is text, and a number is needed'],
    ['items | sort:"date" | sum:"name"', 'data.items[1].name: is text, and a number is needed'],
    ['items | where:"qty":12 | avg:"name"', 'data.items[2].name: is text, and a number is needed'],
    ['mixed | sum', 'data.mixed[2]: is text, and a number is needed'],
    ['items | join', 'data.items[0]: is an object, and text is needed'],
    ['items | where:"name":">":1', 'data.items[0].name: is text, and a value to compare with "1" is needed'],
    ['items | unique:"nmae"', 'data.items[0].nmae: is missing in every item of the list'],
    ['items | group:"nmae"', 'data.items[0].nmae: is missing in every item of the list'],
    ['items | group:"qyt * 2"', 'data.items[0]: gives no result for "qyt * 2", nor does any other item'],
    ['list | group:"."', 'data.list[0]: is an object, and text or a number is needed'],
    ['n | runningSum', 'data.n: has no list around it: put the tag into a section that repeats a list'],
    ['items | where:"qty":"~":1', 'data.items: is compared with "~"; use one of == != < > <= >='],
  ])('%s is an error in the data', (text, problem) => {
    expect(problemOf(text, data)).toBe(problem);
  });

  describe('formatters with an expression for the items', () => {
    const invoice = {
      rate: 0.2,
      rows: [
        { qty: 3, price: 19.99, 'Total (EUR)': 1, 'a*b': 7, a: 2, b: 3, text: 'x', parts: [{ n: 1 }, { n: 2 }] },
        { qty: '2', price: 0.1, 'Total (EUR)': 2, 'a*b': 7, a: 2, b: 3, text: 'y', parts: [{ n: 4 }] },
        { qty: 1, price: null, 'Total (EUR)': 3, a: 2, b: 3, text: 'z', rate: 0.5, parts: [] },
      ],
      key: 'qty * price',
      cents: Array.from({ length: 100_000 }, (_, i) => ({ qty: 3, price: 0.1 + i / 100 })),
    };

    it.each([
      ['rows | sum:"qty * price"', 60.17],
      ['rows | sum:“qty × price”', 60.17],
      ['rows | avg:"qty * 2"', 4],
      ['rows | min:"qty - 5"', -4],
      ['rows | max:"qty * qty"', 9],
      ['rows | sum:"qty * (1 + rate)"', 7.5],
      ['rows | sum:"parts | sum:\'n * 10\'"', 70],
      ['rows | sum:"$number * 1"', 6],
      ['rows | sum:"Total (EUR)"', 6],
      ['rows | sum:"a*b"', 20],
      ['rows | sum:"price ?? 5"', 25.09],
      ['rows | count:"qty > 1"', 2],
      ['rows | count:"parts"', 2],
      ['rows | count:"gone > 1"', 0],
      ['rows | filter:"qty > 1 and price > 1" | map:"text" | join', 'x'],
      ['rows | filter:"gone" | count', 0],
      ['rows | where:"qty * 2":">=":4 | count', 2],
      ['rows | sort:"0 - qty" | map:"text" | join', 'x, y, z'],
      ['rows | sort:"qty * price":"desc" | map:"text" | join', 'x, y, z'],
      ['rows | unique:"qty > 1" | map:"text" | join', 'x, z'],
      ['rows | map:"text + qty" | join', 'x3, y2, z1'],
      ['cents | sum:"qty * price"', 150_028_500],
      ['cents | sum:"price" | currency:"EUR"', '€50,009,500.00'],
    ])('%s is %j', (text, expected) => {
      expect(evaluate(text, invoice)).toEqual(expected);
    });

    it('have no result when an item lacks a value, and name it', () => {
      expect(missingIn('rows | sum:"qty * prize"', invoice)).toEqual(
        [0, 1, 2].map((index) => `data.rows[${index}].prize`),
      );
    });

    it('never compile a string from the data', () => {
      expect(missingIn('rows | sum:key', invoice)[0]).toBe('data.rows[0]["qty * price"]');
    });

    const needed = 'that is text, and a number is needed';
    it.each([
      ['rows | sum:"text * 2"', 'data.rows[0].text: is text, and a number is needed'],
      ['rows | sum:"text + qty"', `data.rows[0]: gives a result for "text + qty" ${needed}`],
      ['rows | sort:"0 - qty" | avg:"text + 1"', `data.rows[0]: gives a result for "text + 1" ${needed}`],
      ['rows | sum:"qty / (a - 2)"', 'data.rows[0].a: is 0, and division by 0 is not possible'],
    ])('point to the error in %s', (text, problem) => {
      expect(problemOf(text, invoice)).toBe(problem);
    });

    it.each(['sum:"qty *"', 'filter:"qty >"', 'sum:"qty * price | nmber"', 'sum:"f(1)"'])(
      'refuse %s at upload',
      (text) => expect(checkExpression(`rows | ${text}`)?.message).toBeDefined(),
    );

    it('spend the budget for each item', () => {
      let spent = 0;
      const context = new RenderContext(defaultLocale, {
        spendItems: (count) => {
          spent += count;
        },
      });
      parseTagText('rows | sum:"qty * price + 0 * 1000000000"').evaluate(Scope.root(invoice, context));
      expect(spent).toBe(9);
    });
  });

  it('report the key as missing if no item has it', () => {
    expect(missingIn('items | map:"nmae"', data)).toEqual([0, 1, 2].map((index) => `data.items[${index}].nmae`));
  });

  it('leave the data unchanged', () => {
    const list = { items: [{ a: 2 }, { a: 1 }] };
    evaluate('items | sort:"a" | reverse | where:"a" | map:"a"', list);
    expect(list).toEqual({ items: [{ a: 2 }, { a: 1 }] });
  });
});
