import { expect, test } from 'vitest';
import { namedBy } from '../../../../src/console/pictures/named-by.ts';

test('kept data names a picture by its name or its id, at any depth, and only as an asset', () => {
  const kept = Object.entries({
    'by name': { logo: { asset: 'logo.png' } },
    'by id': { pages: [{ photo: { asset: 'ast_1', width: '2cm' } }] },
    'another picture': { logo: { asset: 'other.png' } },
    'the same text': { title: 'logo.png', asset: ['logo.png'] },
  }).map(([name, data]) => ({ templateId: 'tpl_1', name, text: JSON.stringify(data) }));
  expect(namedBy({ id: 'ast_1', name: 'logo.png' }, kept)).toEqual(['by name', 'by id']);
});
