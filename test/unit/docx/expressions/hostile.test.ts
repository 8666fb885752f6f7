import { describe, expect, it } from 'vitest';
import { ExpressionError } from '../../../../src/worker/docx/language/expressions/expression-error.ts';
import { parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';
import { inspect } from '../render/fill.ts';
import { evaluate, print } from './evaluate.ts';

const data = { a: { b: 1 }, list: [1, 2], text: 'abc', n: 5, f: 'valueOf', key: '__proto__', ctor: 'constructor' };

function mistakeIn(text: string): { message: string; hint: string | undefined } {
  try {
    parseTagText(text);
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`${text.slice(0, 60)} was accepted`);
}

describe('inherited properties', () => {
  const inherited = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'length'];
  const methods = ['__lookupGetter__', 'map', 'at', 'replace', 'toFixed'];
  const names = [...inherited, ...methods];
  const computed = [
    'a["__proto__"]["constructor"]',
    'a["constr" + "uctor"]["constr" + "uctor"]',
    'a[key]',
    'a[ctor][ctor]',
    'a[f]',
  ];
  const lengths = ['list.length + 0', 'text.length + 0', 'text[0]', '"".constructor + ""', 'constructor', '__proto__'];
  const inPipes = [
    'constructor | upper',
    '__proto__ | json',
    'list | map:"constructor" | first',
    'list | map:"__proto__" | first',
    'list | sum:"length"',
    'list | where:"constructor" | first',
  ];
  const globals = ['process', 'globalThis', 'require', 'Math', 'Object', 'eval', 'undefined', 'NaN', 'arguments'];

  it.each([
    ...['a', 'list', 'text', 'n', '"x"', 'true', 'this'].flatMap((base) => names.map((name) => `${base}["${name}"]`)),
    ...names.flatMap((name) => [`a.${name}`, `a.${name} + ""`]),
    ...globals.map((name) => `${name} + ""`),
    ...computed,
    ...lengths,
    ...inPipes,
  ])('%s is missing', (text) => {
    expect(evaluate(text, data) ?? null).toBeNull();
  });

  it('are read if they are own keys, and no prototype changes', () => {
    const own = JSON.parse('{"a":{"__proto__":{"x":"own"},"constructor":"C"}}');
    expect(print('a["__proto__"].x + a.constructor', own)).toBe('ownC');
    expect({}).not.toHaveProperty('x');
  });
});

describe('a forbidden or invalid expression is refused with its reason', () => {
  it.each([
    ['a.b()', 'functions cannot be called'],
    ['f(1)', 'functions cannot be called'],
    ['constructor.constructor("return process")()', 'functions cannot be called'],
    ['a["constructor"]("x")', 'functions cannot be called'],
    ['(a.b)("x")', 'functions cannot be called'],
    ['"x".replace("x", "y")', 'functions cannot be called'],
    ['a = 5', '"=" is not allowed in an expression'],
    ['a.b = 5', '"=" is not allowed in an expression'],
    ['a["b"] = 5', '"=" is not allowed in an expression'],
    ['n + 1; n + 2', '";" is not allowed in an expression'],
    ['n +', 'the expression ends too early'],
    ['n + + ', 'the expression ends too early'],
    ['* n', 'unexpected "*"'],
    ['n n + 1', 'unexpected "n"'],
    ['(n + 1', 'the expression ends too early'],
    ['n + 1)', 'unexpected ")"'],
    ['[1, 2]', 'lists cannot be written in a tag'],
    ['[n] + 1', 'lists cannot be written in a tag'],
    ['["a", "b"] | join', 'lists cannot be written in a tag'],
    ['`n` + 1', 'it contains a character that is not allowed in an expression'],
    ['"a\\u0041"', 'it contains a character that is not allowed in an expression'],
    ['n # 1 + 1', 'it contains a character that is not allowed in an expression'],
    ['n => 1', '"=" is not allowed in an expression'],
    ['$locals + 1', 'it is not a valid expression'],
    ['$locals | json', 'it is not a valid expression'],
    ['n + "abc', 'a quotation mark is not closed'],
    ['1.2.3 + 1', '1.2.3 is not a number'],
    ['n | ', 'the expression ends too early'],
    ['n | 5', 'unexpected "5"'],
    ['n | upper |', 'the expression ends too early'],
    ['n | number:', 'the expression ends too early'],
    ['n & 1 + 1', 'it contains a character that is not allowed in an expression'],
  ])('%s', (text, message) => {
    expect(mistakeIn(text).message).toBe(message);
  });

  it.each([
    ['x | uper', 'there is no formatter "uper"', 'write upper'],
    ['x | Upper', 'there is no formatter "Upper"', 'write upper'],
    ['x | curency:"EUR"', 'there is no formatter "curency"', 'write currency'],
    ['x | jion:", "', 'there is no formatter "jion"', 'write join'],
    ['x | nonsense', 'there is no formatter "nonsense"'],
    ['x | constructor', 'there is no formatter "constructor"'],
    ['x | __proto__', 'there is no formatter "__proto__"'],
    ['x | toString', 'there is no formatter "toString"'],
    ['x | currency', 'the formatter "currency" needs code', 'write currency:"EUR"'],
    ['x | where', 'the formatter "where" needs key', 'write where:"key"'],
    ['x | replace:"a"', 'the formatter "replace" needs search and replacement', 'write replace:"search":"replacement"'],
    ['x | upper:1', 'the formatter "upper" takes no argument'],
    ['x | number:2:3', 'the formatter "number" takes decimals only'],
    ['x | number:"two"', 'decimals of the formatter "number" must be a number'],
    ['x | number:16', 'decimals of the formatter "number" must be a whole number from 0 to 15'],
    ['x | currency:"EURO"', 'code of the formatter "currency" must be a currency code, for example "EUR"'],
    ['x | padStart:1001', 'width of the formatter "padStart" must be a whole number from 0 to 1000'],
    ['x | sort:"a":"up"', 'direction of the formatter "sort" must be one of asc, desc'],
    [
      'x | date:"QQ"',
      'style of the formatter "date" must be a style or a pattern such as "dd.MM.yyyy"; "QQ" is neither',
    ],
    ['x | date:"dd \'of"', 'style of the formatter "date" must close its single quotes'],
    ['x = 1', '"=" is not allowed in an expression', 'write == to compare'],
  ])('%s', (text, message, hint?: string) => {
    expect(mistakeIn(text)).toEqual({ message, hint });
  });
});

describe('expressions that cost too much', () => {
  it.each([
    ['a long chain', Array(2000).fill('n').join('+'), 'longer than 2000 characters'],
    ['many parts', Array(400).fill('n').join('+'), 'more than 300 parts'],
    ['many pipes', `n${'|abs'.repeat(200)}`, 'more than 300 parts'],
    ['deep brackets', `${'('.repeat(140)}n${')'.repeat(140)}`, 'deeper than 30 levels'],
    ['open brackets', '('.repeat(1999), 'more than 300 parts'],
    ['deep keys', `${'a['.repeat(90)}n${']'.repeat(90)}`, 'deeper than 30 levels'],
    ['many signs', `${'- '.repeat(200)}n`, 'deeper than 30 levels'],
    ['many exclamation marks', `${'!'.repeat(200)}n`, 'deeper than 30 levels'],
    ['many nots', `${'not '.repeat(90)}n == 1`, 'deeper than 30 levels'],
    ['a choice in a choice', `${'n ? 1 : '.repeat(60)}2`, 'deeper than 30 levels'],
    ['a quote that never ends', `"${'x'.repeat(1900)}`, 'not closed'],
    ['backslashes', `"${'\\'.repeat(1901)}" + n`, 'not closed'],
    ['a million spaces', `n +${' '.repeat(1_000_000)}1`, 'longer than 2000 characters'],
    ['a million pipes', '|'.repeat(1_000_000), 'longer than 2000 characters'],
  ])('%s', (_name, text, message) => {
    expect(mistakeIn(text).message).toContain(message);
  });

  it('reads long names and long strings', () => {
    for (const text of ['a'.repeat(1_000_000), 'a '.repeat(500_000), 'a.a'.repeat(300_000)]) {
      expect(evaluate(text, { n: 1 }) ?? null).not.toBeUndefined();
    }
  });

  it.each([
    ['unclosed sections', `${'{#x > 1 | abs}'.repeat(3_000)}${'{/y == “z”}'.repeat(3_000)}`],
    ['a section of a very long expression', `{#${'a.1'.repeat(100_000)}}{/${'a.1 '.repeat(90_000)}}`],
    ['3 000 expressions', Array.from({ length: 3_000 }, (_, i) => `{a + b * ${i} | number:2}`).join('')],
  ])('checks %s to the end', (_name, template) => {
    try {
      inspect(template);
    } catch (error) {
      expect(error).toMatchObject({ code: 'template_invalid' });
    }
  });

  it('accepts thirty levels of nesting and three hundred parts', () => {
    expect(evaluate(`${'('.repeat(30)}n${')'.repeat(30)}`, data)).toBe(5);
    expect(evaluate(Array(150).fill('n').join('+'), data)).toBe(750);
  });

  it('does not run a pattern from the template as a regular expression', () => {
    expect(print('text | replace:"(a+)+$":"x"', { text: `${'a'.repeat(50_000)}!` })).toHaveLength(50_001);
  });
});
