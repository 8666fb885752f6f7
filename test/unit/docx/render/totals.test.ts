import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { table } from '../../../support/documents/docx-builder.ts';
import { always } from '../../../support/properties.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { errorOf, fill, fillText, inspect, render, rows } from './fill.ts';

const items = [
  { name: 'Pen', kind: 'Ink', qty: 3, price: 0.1 },
  { name: 'Pad', kind: 'Paper', qty: 1, price: 4.5 },
  { name: 'Well', kind: 'Ink', qty: 2, price: 7.25 },
];

describe('groups of list items', () => {
  it('keep the order of the list and have their subtotals', () => {
    const template =
      '{#items | group:"kind"}{$number} {key}: {#items}{name} {/items}{items | sum:"qty * price"} {currency}; {/items}{items | sum:"qty * price"}';
    expect(fillText(template, { items, currency: 'EUR' })).toBe('1 Ink: Pen Well 14.8 EUR; 2 Paper: Pad 4.5 EUR; 19.3');
  });

  it('repeat table rows, with a row for the subtotal', () => {
    const group = ['{#items | group:"kind"}{key};', '{#items}{name};{qty * price}{/items}'];
    const body = table(rows(...group, 'Subtotal;{items | sum:"qty * price"}{/items}'));
    expect(fillText({ body }, { items }).replaceAll('\n', '')).toBe(
      '|Ink||Pen|0.3|Well|14.5|Subtotal|14.8|Paper||Pad|4.5|Subtotal|4.5',
    );
  });

  it('combine items without the key', () => {
    const list = [{ n: 1 }, { n: 2, kind: 'a' }, { n: 3, kind: null }];
    expect(fillText('{#list | group:"kind"}{key | default:"none"}={items | sum:"n"} {/list}', { list })).toBe(
      'none=4 a=2 ',
    );
  });

  it("are not named in an error in the data, which names the item's own path", () => {
    const data = { items: [...items, { name: 'X', kind: 'Paper', qty: 'two', price: 1 }] };
    const error = errorOf(() =>
      fill('{#items | group:"kind"}{items | sum:"qty"}{#items}{qty * 2}{/items}{/items}', data),
    );
    expect(error.details).toEqual([
      expect.objectContaining({ path: 'data.items[3].qty', message: expect.stringContaining('a number is needed') }),
    ]);
  });

  it('require the keys of the items, not those of groups', () => {
    const { schema, example } = inspect(
      '{currency} {#items | group:"kind" | sort:"key"}{key} {unit}{#items}{name}{/items}{items | sum:"price"}{/items}',
    );
    expect(Object.keys(schema.properties ?? {})).toEqual(['currency', 'items', 'unit']);
    expect(Object.keys((example.items as object[])[0] ?? {}).sort()).toEqual(['kind', 'name', 'price']);
  });
});

describe('running totals', () => {
  it('add up the items of the innermost list', () => {
    const template = '{#items}{$number}: {qty * price | runningSum | number:2}; {/items}';
    expect(fillText(template, { items })).toBe('1: 0.30; 2: 4.80; 3: 19.30; ');
    const grouped = '{#items | group:"kind"}{#items}{qty | runningSum} {/items}/ {/items}';
    expect(fillText(grouped, { items })).toBe('3 5 / 1 / ');
  });

  it('count every item once, even if it is not printed or printed several times', () => {
    const template = '{#items}{#qty > 1}{qty | runningSum}+{qty | runningSum} {/}{/items}';
    expect(fillText(template, { items })).toBe('3+3 6+6 ');
  });

  it('follow the order and the filter of their list', () => {
    expect(fillText('{#items | sort:"price":"desc"}{qty | runningSum} {/items}', { items })).toBe('2 3 6 ');
    expect(fillText('{#items | filter:"kind == \'Ink\'"}{qty | runningSum} {/items}', { items })).toBe('3 5 ');
  });

  it('skip null, and end with an error at an item without the value', () => {
    const list = [{ n: 1 }, { n: null }, { n: 2 }, {}, { n: 4 }];
    const { text, warnings } = render('{#list}{n | runningSum};{/list}', { list });
    expect(warnings).toEqual([expect.objectContaining({ code: 'missing_value', paths: ['data.list[3].n'], count: 2 })]);
    expect(text).toBe('1;1;3;;;');
  });

  it('name the item without a number', () => {
    const error = errorOf(() => fill('{#list}{n | runningSum}{/list}', { list: [{ n: 1 }, { n: 'x' }] }));
    expect(error.details).toMatchObject([{ path: 'data.list[1].n' }]);
  });

  it('add up long lists', () => {
    const list = Array.from({ length: 20_000 }, () => ({ n: 0.1 }));
    const text = fillText('{#list}{#$last}{n | runningSum}{/}{/list}', { list });
    expect(text).toBe('2000');
  });

  it('are reported at upload if they are not in a list', () => {
    const { warnings } = inspect('{price | runningSum} {$number} {#list}{$index}{/list}');
    expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'no_list: {price | runningSum} reads the position in a list, but no section is around it.',
      'no_list: {$number} reads the position in a list, but no section is around it.',
    ]);
  });
});

describe('amounts of money', () => {
  const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  const toNumber = (amount: bigint) =>
    Number(`${amount < 0n ? '-' : ''}${abs(amount) / 100n}.${String(abs(amount) % 100n).padStart(2, '0')}`);
  const abs = (amount: bigint) => (amount < 0n ? -amount : amount);

  const sumOf = (amounts: readonly number[]) => toNumber(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));

  it('are exact to the cent in any order of addition', () => {
    always(30, [fc.array(cents, { minLength: 2, maxLength: 40 })], (amounts) => {
      const list = amounts.map((amount, i) => ({ n: toNumber(BigInt(amount)), k: i % 3 }));
      const total = sumOf(amounts);
      expect(evaluate('list | sum:"n"', { list })).toBe(total);
      expect(evaluate(list.map((_, i) => `list[${i}].n`).join(' + '), { list })).toBe(total);
      const lines = fillText('{#list}{n | runningSum} {/list}', { list }).trim().split(' ');
      expect(Number(lines.at(-1))).toBe(total);
      const groups = fillText('{#list | group:"k"}{items | sum:"n"} {/list}', { list }).trim().split(' ');
      const subtotals = [0, 1, 2].slice(0, list.length).map((k) => amounts.filter((_, i) => i % 3 === k));
      expect(groups.map(Number)).toEqual(subtotals.map(sumOf));
    });
  });

  it('are exact to the cent with a quantity, a discount and a rounded tax', () => {
    always(300, [fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 9_999 })], (price, qty) => {
      const data = { price: toNumber(BigInt(price)), qty };
      const net = BigInt(price) * BigInt(qty);
      expect(evaluate('price * qty', data)).toBe(toNumber(net));
      expect(evaluate('price * qty * 0.2 | round:2', data)).toBe(toNumber((net * 2n + 5n) / 10n));
      expect(evaluate('price * qty / 3 | round:2', data)).toBe(toNumber((net * 2n + 3n) / 6n));
      expect(evaluate('price * qty - price * qty', data)).toBe(0);
    });
  });
});
