import { expect, test } from 'vitest';
import { readData } from '../../../../../clients/cli/src/mcp/tool-input.ts';

test('no file is read without a shared folder, and data can be sent in one way only', async () => {
  const hint = 'Start docmill mcp with --folder <folder>.';
  await expect(readData({ dataFile: 'ada.json' }, undefined)).rejects.toMatchObject({ exitCode: 2, hint });
  for (const input of [{}, { data: {}, dataFile: 'ada.json' }])
    await expect(readData(input, undefined)).rejects.toThrow('Give either data or dataFile.');
  expect(await readData({ data: { a: 1 } }, undefined)).toEqual({ a: 1 });
});
