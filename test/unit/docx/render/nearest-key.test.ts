import { describe, expect, it } from 'vitest';
import { errorOf, render } from './fill.ts';

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

  it('is looked for among many keys', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${'k'.repeat(30)}${i}`, i]));
    const template = Array.from({ length: 60 }, (_, i) => `{${'k'.repeat(30)}x${i}}`).join('');
    expect(render(template, wide).warnings).not.toEqual([]);
  });
});
