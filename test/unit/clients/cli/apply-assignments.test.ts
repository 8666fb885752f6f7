import { describe, expect, test } from 'vitest';
import { applyAssignments } from '../../../../clients/cli/src/apply-assignments.ts';

const set = (text: string) => ({ text, isText: false });

describe('values set on the command line', () => {
  test.each([
    ['a=1', { a: 1 }],
    ['a=true', { a: true }],
    ['a=null', { a: null }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=01', { a: '01' }],
    ['a={"b": [1]}', { a: { b: [1] } }],
    ['customer.name=Ada Lovelace', { customer: { name: 'Ada Lovelace' } }],
    ['items[0].price=9.5', { items: [{ price: 9.5 }] }],
    ['items[2]=x', { items: [null, null, 'x'] }],
    ['grid[1][0]=x', { grid: [null, ['x']] }],
    ['Straße und Nr.2=x', { 'Straße und Nr': { '2': 'x' } }],
  ])('%s', (text, expected) => {
    expect(applyAssignments({}, [set(text)])).toEqual(expected);
  });

  test('a string stays a string, and later values win', () => {
    expect(applyAssignments({}, [{ text: 'zip=01234', isText: true }, set('n=1'), set('n=2')])).toEqual({
      zip: '01234',
      n: 2,
    });
    expect(applyAssignments({}, [{ text: 'n=1', isText: true }])).toEqual({ n: '1' });
  });

  test('values of the data are kept, and the data object itself is not changed', () => {
    const data = { customer: { name: 'Ada', city: 'London' }, items: [{ price: 1 }] };
    const result = applyAssignments(data, [set('customer.name=Grace'), set('items[1].price=2')]);
    expect(result).toEqual({ customer: { name: 'Grace', city: 'London' }, items: [{ price: 1 }, { price: 2 }] });
    expect(data).toEqual({ customer: { name: 'Ada', city: 'London' }, items: [{ price: 1 }] });
  });

  test.each([
    ['name', 'write path=value'],
    ['=1', 'write path=value'],
    ['a..b=1', 'is not a path'],
    ['a[x]=1', 'is not a path'],
    ['a[10000]=1', 'an index is at most 9999'],
    ['list.x=1', 'names a field of a list'],
    ['text.x=1', 'neither object nor list'],
    ['map[0]=1', 'not a list'],
  ])('%s is rejected: %s', (text, problem) => {
    expect(() => applyAssignments({ list: [1], text: 'x', map: {} }, [set(text)])).toThrow(problem);
  });

  test('a name such as __proto__ is an ordinary field, and no other object changes', () => {
    const result = applyAssignments({}, [set('__proto__.polluted=true'), set('constructor.prototype.polluted=true')]);
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
