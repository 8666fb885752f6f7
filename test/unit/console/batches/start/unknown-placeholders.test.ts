import { expect, test } from 'vitest';
import { inspectFile } from '../../../../../src/console/batches/file/inspect-file.ts';
import { planRows } from '../../../../../src/console/batches/mapping/row-plan.ts';
import { unknownPlaceholders } from '../../../../../src/console/batches/start/unknown-placeholders.ts';

async function planOf(name: string, content: string) {
  return planRows(await inspectFile(new File([content], name)), {}, [], new Map());
}

test('names without a column are unknown, each once', async () => {
  const plan = await planOf('people.csv', 'name;items[0].price;not a [path\nAda;1;x\n');
  expect(unknownPlaceholders('{name}-{ items[0].price }', plan)).toEqual([]);
  expect(unknownPlaceholders('{nam}-{nam}-{items[1].price}-{not a [path}', plan)).toEqual([
    '{nam}',
    '{items[1].price}',
    '{not a [path}',
  ]);
});

test('a list of a JSON file may have any element', async () => {
  const plan = await planOf('people.json', '[{"customer": {"name": "Ada"}, "items": [{"id": 1}]}]');
  expect(unknownPlaceholders('{customer.name} {items[3].id} {customer.nme}', plan)).toEqual(['{customer.nme}']);
});
