import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { bytesOf, errorOf, fillText, render } from './fill.ts';

function dataError(template: string, json: string) {
  const prepared = prepareTemplate(bytesOf(template), 'docx');
  const error = errorOf(() => renderTemplate(prepared, Buffer.from(json)));
  expect(error).toMatchObject({ code: 'data_invalid', message: 'The data does not fit the template', status: 400 });
  return error.details ?? [];
}

describe('data that does not fit', () => {
  it.each([
    ['{customer}', { customer: { name: 'Ada' } }, 'data.customer', 'is an object, which cannot be printed as text'],
    ['{items}', { items: [{ a: 1 }] }, 'data.items', 'is a list of objects or lists, which cannot be printed as text'],
    ['{#a}{#b}{c}{/b}{/a}', { a: [{ b: [{ c: 1 }, { c: {} }] }] }, 'data.a[0].b[1].c', 'is an object'],
    ['{#orders}{.}{/orders}', { orders: ['x', {}] }, 'data.orders[1]', 'is an object'],
    ['{first-name}', { 'first-name': {} }, 'data["first-name"]', 'is an object'],
    ['{a.b}', { a: { b: {} } }, 'data.a.b', 'is an object'],
    ['{a.b}', { 'a.b': {} }, 'data["a.b"]', 'is an object'],
    ['{#items}{shared}{/items}', { items: [1], shared: {} }, 'data.shared', 'is an object'],
    ['{x}', { x: 'ab\u0000c' }, 'data.x', 'character U+0000 at position 2, which a Word document cannot hold'],
    ['{x}', { x: 2 ** 60 }, 'data.x', 'more digits than can be kept'],
    ['{x}', { x: [1, 1e300] }, 'data.x', 'more digits than can be kept'],
    ['{x}', { x: '\u001b[0m' }, 'data.x', 'contains the character U+001B at position 0'],
    ['{x}', { x: 'a\uffff' }, 'data.x', 'contains the character U+FFFF at position 1'],
    ['{#items}{name}{/items}', { items: 'Pen' }, 'data.items', 'reads fields of objects, but the value is text'],
    ['{#items}{name}{/items}', { items: 5 }, 'data.items', 'reads fields of objects, but the value is a number'],
    ['{#items}{name}{/items}', { items: ['Pen', { name: 'x' }] }, 'data.items[0]', 'is text'],
    ['{#items}{name}{/items}', { items: [{ name: 'x' }, 7] }, 'data.items[1]', 'is a number'],
    ['{x}', { x: ['a', '\ufffe'] }, 'data.x', 'contains the character U+FFFE at position 3'],
  ])('%s with %j', (template, data, path, problem) => {
    const [detail, ...rest] = dataError(template, JSON.stringify(data));
    expect(rest).toEqual([]);
    expect(detail).toMatchObject({ type: 'Field', path });
    expect(detail?.message).toContain(problem);
  });

  it('lists all errors at once, each path once, at most fifty, and never a value', () => {
    const rows = Array.from({ length: 80 }, (_, i) => ({ x: { secret: `s3cret${i}` } }));
    const details = dataError('{#rows}{x}{x}{/rows}', JSON.stringify({ rows }));
    expect(details).toHaveLength(50);
    expect(details[49]).toMatchObject({ path: 'data.rows[49].x' });
    expect(JSON.stringify(details)).not.toContain('s3cret');
  });

  it.each([
    ['[1]', 'The data must be an object.'],
    ['null', 'The data must be an object.'],
    ['"text"', 'The data must be an object.'],
    ['{"a":', 'The data is not valid JSON.'],
    ['{"a":"s3cret', 'The data is not valid JSON.'],
    ['', 'The data is not valid JSON.'],
  ])('%s is not an object', (json, message) => {
    expect(dataError('{x}', json)).toEqual([{ type: 'Field', path: 'data', message }]);
  });

  it('names the path where data is nested too deeply, and accepts one level less', () => {
    const nested = (levels: number) => `{"list":${'['.repeat(levels)}1${']'.repeat(levels)}}`;
    const [detail] = dataError('{x}', nested(64));
    expect(detail).toMatchObject({ type: 'Field', path: `data.list${'[0]'.repeat(62)}` });
    expect(detail?.message).toBe('The data is nested deeper than 64 levels.');
    expect(dataError('{x}', nested(100_000))).toHaveLength(1);
    expect(fillText('ok{x}', JSON.parse(nested(63)))).toBe('ok');
  });

  it('does not count brackets in strings as nesting', () => {
    expect(fillText('{x}', { x: `\\"${'[{'.repeat(100)}\\` })).toBe(`\\"${'[{'.repeat(100)}\\`);
  });

  it('accepts unsuitable data that the template does not print', () => {
    expect(fillText('{x}', { x: 'ok', unused: '\u0000', other: { a: {} } })).toBe('ok');
  });
});

const data = {
  customer: { name: 'Ada', address: { city: 'Bern' } },
  items: [{ price: 1, Qty: 2 }],
  total: 3,
  ab: 1,
};

describe('a misspelled name', () => {
  it.each([
    ['{customr.name}', 'data.customr.name', 'data.customer.name'],
    ['{customer.nmae}', 'data.customer.nmae', 'data.customer.name'],
    ['{Customer.Address.city}', 'data.Customer.Address.city', 'data.customer.address.city'],
    ['{customer.adress.City}', 'data.customer.adress.City', 'data.customer.address.city'],
    ['{#items}{pirce}{/items}', 'data.items[0].pirce', 'data.items[0].price'],
    ['{#items}{qty}{/items}', 'data.items[0].qty', 'data.items[0].Qty'],
    ['{#items}{totals}{/items}', 'data.items[0].totals', 'data.total'],
    ['{totl | currency:"EUR"}', 'data.totl', 'data.total'],
    ['{total - dscount + tota}', 'data.tota', 'data.total'],
  ])('%s gets the nearest name in the data as a suggestion', (template, path, nearest) => {
    const { details } = errorOf(() => render(template, data, { onMissing: 'error' }));
    expect(details).toContainEqual(expect.objectContaining({ type: 'Field', path, hint: `the data has ${nearest}` }));
    const [warning] = render(template, data).warnings;
    expect(warning?.message).toContain(`${path} (the data has ${nearest})`);
    expect(warning?.paths).toContain(path);
  });

  it.each([
    '{discount}',
    '{ac.x}',
    '{customer.telephone}',
    `{${'x'.repeat(5_000)}}`,
    '{items.0.price.x}',
    '{constructo}',
  ])('%.40s gets no suggestion', (template) => {
    const { details } = errorOf(() => render(template, { ...data, ab: undefined }, { onMissing: 'error' }));
    expect(JSON.stringify(details)).not.toContain('hint');
  });

  it('is compared with many keys in a bounded time', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${'k'.repeat(30)}${i}`, i]));
    const template = Array.from({ length: 60 }, (_, i) => `{${'k'.repeat(30)}x${i}}`).join('');
    expect(render(template, wide).warnings).not.toEqual([]);
  });
});
