import { describe, expect, it } from 'vitest';
import { evaluate, missingIn, print, problemOf } from './evaluate.ts';

const data = {
  a: 0.1,
  b: 0.2,
  n: 7,
  zero: 0,
  text: 'abc',
  amount: '12.50',
  empty: '',
  nothing: null,
  yes: true,
  no: false,
  list: [1, 2],
  none: [],
  rows: [{ x: 7, 'x y': 8 }],
  customer: { name: 'Ada', 'first-name': 'A.' },
  'first-name': 'Ada',
  'first name': 'Byron',
  'unit price': 2.5,
  'n + 1': 'literal',
  rates: { EUR: 2 },
  currency: 'EUR',
  people: { ada: { age: 36, constructor: 1 } },
  who: 'ada',
  age: 'of data',
  größe: 3,
};

describe('expressions', () => {
  it.each([
    ['a + b', 0.3],
    ['1.1 * 3', 3.3],
    ['0.1 * 3', 0.3],
    ['0.3 - 0.1 - 0.2', 0],
    ['1000000000.1 - 1000000000', 0.1],
    ['0.3 % 0.1', 0],
    ['-7.5 % 0.2', -0.1],
    ['1e-7 + 0.1', 0.1000001],
    ['4.35 * 100', 435],
    ['1.005 * 1000', 1005],
    ['1 / 3', 0.333333333333333],
    ['9007199254740991 - 1', 9007199254740990],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['7 % 4', 3],
    ['-n + 1', -6],
    ['- n', -7],
    ['n - -1', 8],
    ['0 * -1', 0],
    ['n – 1', 6],
    ['n × 2 ÷ 7', 2],
    ['n\u00a0*\u20092', 14],
    ['amount * 2', 25],
    ['amount + 1', '12.501'],
    ['größe * 2', 6],
    ['n/2', 3.5],
    ['text + n', 'abc7'],
    ['"Mr " + customer.name', 'Mr Ada'],
    ["'Mr ' + customer.name", 'Mr Ada'],
    ['“Mr ” + customer.name', 'Mr Ada'],
    ['„Mr “ + customer.name', 'Mr Ada'],
    ['‘it is ’ + customer.name', 'it is Ada'],
    ['"say ‘hi’ " + text', 'say ‘hi’ abc'],
    ['"it\'s " + text', "it's abc"],
    ['"a\\"b"', 'a"b'],
    ['n > 6', true],
    ['n and . == .', true],
    ['not . or n == 7', true],
    ['n >= 7 and n <= 7', true],
    ['n ≥ 8', false],
    ['n == 7', true],
    ['n == "7"', true],
    ['n === "7"', false],
    ['n != 7', false],
    ['n ≠ 8', true],
    ['text == “abc”', true],
    ['text < "abd"', true],
    ['"9" < "10"', true],
    ['gone == null', true],
    ['nothing == null', true],
    ['yes == true', true],
    ['list == list', true],
    ['yes and n', 7],
    ['no or text', 'abc'],
    ['gone or text', 'abc'],
    ['none or text', 'abc'],
    ['nothing ?? text', 'abc'],
    ['zero ?? text', 0],
    ['not yes', false],
    ['not n == 8', true],
    ['not no and yes', true],
    ['not (yes and no)', true],
    ['not not yes', true],
    ['!no', true],
    ['!gone', true],
    ['n > 5 ? "many" : "few"', 'many'],
    ['gone ? "y" : "n"', 'n'],
    ['no ? 1 : yes ? 2 : 3', 2],
    ['rows[0].x', 7],
    ['rows[0]["x y"]', 8],
    ['rows.0.x + 1', 8],
    ['rates[currency]', 2],
    ['people[who].age', 36],
    ['people[who].age + 1', 37],
    ['people[who]["age"]', 36],
    ['["unit price"] * 2', 5],
    ['.["first name"]', 'Byron'],
    ['customer["first-name"]', 'A.'],
    ['n + 1', 'literal'],
    ['true ? 1 : 2', 1],
    ['1', undefined],
  ])('%s is %j', (text, expected) => {
    expect(evaluate(text, data)).toEqual(expected);
  });

  const operations = ['gone * 2', 'gone + "x"', '"x" + gone', 'gone > 1', '-gone', 'gone | upper'];
  const lookups = ['rows[9].x', 'rates[gone]', 'people[who].gone', 'rows[n].toString'];
  it.each([...operations, ...lookups])('%s is missing', (text) => {
    expect(evaluate(text, data)).toBeUndefined();
    expect(print(text, data)).toBe('');
  });

  it.each(['nothing * 2', 'nothing + 1', 'empty * 2', 'nothing > 1', 'nothing | upper', 'empty | number:2'])(
    '%s prints nothing',
    (text) => {
      expect(evaluate(text, data)).toBeNull();
    },
  );

  it.each([
    ['gone * lost', ['data.gone', 'data.lost']],
    ['customer.nmae + "!"', ['data.customer.nmae']],
    ['gone ? "y" : lost', ['data.lost']],
    ['gone or lost', ['data.gone', 'data.lost']],
    ['rows | sum:"y"', ['data.rows[0].y']],
    ['rates[text]', ['data.rates.abc']],
    ['first-nmae | upper', ['data["first-nmae"]']],
  ])('%s reports %j as missing', (text, paths) => {
    expect(missingIn(text, data)).toEqual(paths);
  });

  it.each([
    ['text * 2', 'data.text: is text, and a number is needed'],
    ['2 - customer', 'data.customer: is an object, and a number is needed'],
    ['yes * 2', 'data.yes: is true or false, and a number is needed'],
    ['rows[0].x * rows', 'data.rows: is a list, and a number is needed'],
    ['"x" + customer', 'data.customer: is an object, and text is needed'],
    ['n + list', 'data.list: is a list, and nothing can be added to it'],
    ['n / zero', 'data.zero: is 0, and division by 0 is not possible'],
    ['n % zero', 'data.zero: is 0, and division by 0 is not possible'],
    ['n / (n - 7)', 'data.n: is 0, and division by 0 is not possible'],
    ['1e308 * 10 * n', 'data: results in a number that is too large'],
    ['text > 5', 'data.text: is text, and cannot be compared with a value that is a number'],
    ['5 < list', 'data.list: is a list, and cannot be compared with a value that is a number'],
  ])('%s is an error in the data', (text, problem) => {
    expect(problemOf(text, data)).toBe(problem);
  });

  it('never create a string above the limit', () => {
    const long = { t: 'x'.repeat(400_000) };
    expect(print('t + t', long)).toHaveLength(800_000);
    expect(problemOf('t + t + t', long)).toBe('data.t: results in a text of more than 1000000 characters');
  });
});

describe('names that look like expressions', () => {
  it.each([
    ['first-name', 'Ada'],
    ['first name', 'Byron'],
    ['first-name | upper', 'ADA'],
    ['first name | upper', 'BYRON'],
    ['rows.0.x | number:1', '7.0'],
    ['customer.first-name | lower', 'a.'],
    ['unit price | currency:"EUR"', '€2.50'],
  ])('%s prints %j', (text, expected) => {
    expect(print(text, data)).toBe(expected);
  });

  it.each(['Total (EUR)', 'Paid?', 'Hurry!', 'R&D', "Customer's name", 'Customer’s name', '100%', 'Name:', 'and/or'])(
    'the key %s is found',
    (key) => {
      expect(print(key, { [key]: 'found' })).toBe('found');
      expect(print(key, {})).toBe('');
    },
  );

  it.each(['a + b', 'x | upper', 'n == 1', 'not n'])('the key %s takes precedence over an expression', (key) => {
    expect(print(key, { [key]: 'literal', a: 1, b: 1, x: 'x', n: 1 })).toBe('literal');
  });
});
