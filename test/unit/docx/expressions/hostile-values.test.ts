import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { AssetsNeeded } from '../../../../src/worker/docx/core/render/assets.ts';
import type { Parameter } from '../../../../src/worker/docx/language/expressions/formatter.ts';
import { formatters } from '../../../../src/worker/docx/language/expressions/formatters.ts';
import { parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';
import { ValueProblem } from '../../../../src/worker/docx/language/expressions/value-problem.ts';
import { printValue } from '../../../../src/worker/docx/language/print-value.ts';
import { defaultLocale, RenderContext } from '../../../../src/worker/docx/language/render-context.ts';
import { Scope } from '../../../../src/worker/docx/language/scope.ts';
import { volume } from '../../../support/extended.ts';
import { render } from '../render/fill.ts';

/** Keys that JavaScript reads when it converts an object, and keys that templates read. */
const keys = [
  ...['toString', 'valueOf', 'toJSON', 'Symbol.toPrimitive', '@@toPrimitive', 'constructor', '__proto__', 'length'],
  ...['then', 'next', 'join', 'k', 'key', 'items', 'a', 'data', 'asset', 'width', 'height', 'fit', 'alt'],
];

/** Values that formatters accept somewhere, so that the hostile ones meet them. */
const ordinary = [
  ...[null, true, false, 0, 1, -1, 2.5, 1e300, '', 'k', 'x', '1', '2026-03-31', 'EUR', 'long', 'asc', 'desc'],
  ...['==', '!=', '<', '>', 'https://example.com/', 'k + 1', '\u0000', '\ud800', 'data:image/png;base64,AA=='],
];

const { value: hostile } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4, noNullPrototype: false }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ordinary),
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.constantFrom(nested(60, 'list'), nested(60, 'object')),
  ),
}));

/** A value in as many lists or objects. */
function nested(levels: number, kind: 'list' | 'object'): unknown {
  const wrap = (inner: unknown): unknown => (kind === 'list' ? [inner] : { toString: inner, k: 'x' });
  return Array.from({ length: levels }).reduce(wrap, 'x');
}

const data = fc.record({ v: hostile, a: hostile, b: hostile, c: hostile });

/** Evaluates and prints; a value that does not fit is reported by its path. */
function evaluates(text: string, value: unknown): void {
  try {
    printValue(parseTagText(text).evaluate(Scope.root(value, new RenderContext(defaultLocale))));
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    expect([error.path, error.problem]).toEqual([expect.any(String), expect.any(String)]);
  }
}

/** What an argument may be: a value of the data, and where items are read a key or an expression. */
function argumentsFor({ readsItems, type, example }: Parameter, name: string): readonly string[] {
  if (readsItems === true) return [name, '"k"', '"k + 1"', '"k | upper"'];
  if (example !== undefined) return [name, JSON.stringify(example)];
  return type === 'any' ? [name, '"<"'] : [name];
}

/** Every call of a formatter: with each number of arguments, and each kind of each. */
function callsOf(name: string, parameters: readonly Parameter[]): readonly string[] {
  const needed = parameters.filter(({ isOptional }) => isOptional !== true).length;
  let calls: readonly string[] = [`v | ${name}`];
  const all = needed === 0 ? [...calls] : [];
  for (const [index, parameter] of parameters.entries()) {
    const written = argumentsFor(parameter, ['a', 'b', 'c'][index] ?? 'a');
    calls = calls.flatMap((call) => written.map((argument) => `${call}:${argument}`));
    if (index + 1 >= needed) all.push(...calls);
  }
  return all;
}

const runs = volume(20, 300);

describe('values that JavaScript cannot convert', () => {
  it.each([...formatters].map(([name, { parameters }]) => [name, callsOf(name, parameters)] as const))(
    'never break the formatter %s, as its input or as an argument',
    (_name, calls) => {
      const check = (call: string, value: unknown) => evaluates(call, value);
      fc.assert(fc.property(fc.constantFrom(...calls), data, check), { numRuns: runs * calls.length });
    },
  );

  it.each(['+', '-', '*', '/', '%', '==', '!=', '===', '!==', '<', '>', '<=', '>=', '&&', '||'])(
    'never break the operator %s',
    (operator) => {
      fc.assert(
        fc.property(data, (value) => evaluates(`v ${operator} a`, value)),
        { numRuns: runs },
      );
    },
  );

  it.each(['v[a]', '-v', '!v', 'v ? a : b', 'v.toString', 'v[a][b]'])('never break %s', (text) => {
    fc.assert(
      fc.property(data, (value) => evaluates(text, value)),
      { numRuns: runs },
    );
  });

  it.each([
    ...[
      '{v}',
      '{#v}{.}{k}{/}',
      '{^v}x{/}',
      '{~v}',
      '{%v}',
      '{%%v}',
      '{%v | width:a | height:b | fit:c}',
      '{%v | alt:a}',
    ],
    ...['{%qr v}', '{%barcode v "ean13"}', '{@text fill:v | color:a | bold:b | style:c}x', '{v | link:a}'],
    '{#v | group:"k"}{key}{#items}{k | runningSum}{/items}{/}',
  ])('are a mistake in the data at most: %s', (template) => {
    const check = (value: unknown) => {
      try {
        render(template, value);
      } catch (error) {
        // The worker loads pictures that the data names, and renders again.
        if (error instanceof AssetsNeeded) return;
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('data_invalid');
      }
    };
    fc.assert(fc.property(data, check), { numRuns: volume(25, 200) });
  });

  it('half of a surrogate pair in a barcode is a mistake in the data', () => {
    expect(() => render('{%barcode v "code128"}', { v: 'a\ud800' })).toThrow(AppError);
  });

  it.each([
    ['list | where:"k":">":a', { toString: 'x', valueOf: 1 }],
    ['list | where:"k":a:1', { toString: 'x', valueOf: 1 }],
    ['list | where:"k":a:1', [{ toString: 'x' }]],
  ])('%s names what is wrong', (text, a) => {
    const context = new RenderContext(defaultLocale);
    const scope = Scope.root({ list: [{ k: 1 }], a }, context);
    expect(() => parseTagText(text).evaluate(scope)).toThrow(ValueProblem);
  });
});
