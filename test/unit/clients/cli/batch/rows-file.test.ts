import { Readable } from 'node:stream';
import type { BatchFile } from '@docmill/client';
import { describe, expect, test } from 'vitest';
import { readBatchOptions } from '../../../../../clients/cli/src/batch/batch-options.ts';
import { openRows } from '../../../../../clients/cli/src/batch/rows-file.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();
const { signal } = new AbortController();

/** What would be sent, as `[format, text]`. */
async function opened(
  file: string,
  text: string,
  needsItems = false,
  needsCsv = false,
): Promise<readonly [string, string]> {
  const path = file === '-' ? '-' : folder.write(file, text);
  const stdin = Readable.from([Buffer.from(text)]);
  const rows = await openRows(path, { stdin, format: undefined, needsItems, needsCsv, signal });
  try {
    const [entry] = Object.entries(rows.input satisfies BatchFile);
    const [format, content] = entry ?? ['', ''];
    return [format, content instanceof Blob ? await content.text() : String(content)];
  } finally {
    await rows.close();
  }
}

describe('rows', () => {
  test('CSV and NDJSON are sent unchanged, from files and standard input', async () => {
    expect(await opened('people.csv', 'name\n[x]\n')).toEqual(['csv', 'name\n[x]\n']);
    expect(await opened('people.ndjson', '{"n":1.0}\n')).toEqual(['ndjson', '{"n":1.0}\n']);
    expect(await opened('-', 'name\nAda\n')).toEqual(['csv', 'name\nAda\n']);
    expect(await opened('-', '\n {"n":1.0}\n')).toEqual(['ndjson', '\n {"n":1.0}\n']);
  });

  test('a JSON array contains data or items of the API, and numbers keep their digits', async () => {
    expect(await opened('a.json', '[{"n":1.00},\n{"data":{}}]')).toEqual([
      'items',
      '[{"data":{"n":1.00}},{"data":{"data":{}}}]',
    ]);
    const items = '[{"data":{"n":1.00},"output":{"filename":"a"}},{"data":{}}]';
    expect(await opened('-', items)).toEqual(['items', items]);
    expect(await opened('b.json', '[]')).toEqual(['items', '[]']);
  });

  test('NDJSON becomes items if its options do not fit into a query; CSV cannot', async () => {
    expect(await opened('a.ndjson', '{"data":{}}\n\n{"b":1}', true)).toEqual([
      'items',
      '[{"data":{"data":{}}},{"data":{"b":1}}]',
    ]);
    await expect(opened('a.csv', 'name\nAda\n', true)).rejects.toThrow('the rows are CSV');
    await expect(opened('a.ndjson', '{}', false, true)).rejects.toThrow('--column-format is for rows of CSV');
  });

  test('an empty or missing file is refused', async () => {
    await expect(opened('empty.csv', '')).rejects.toThrow('is empty');
    const options = { stdin: Readable.from([]), format: undefined, needsItems: false, needsCsv: false, signal };
    await expect(openRows(folder.at('none.csv'), options)).rejects.toThrow('ENOENT');
  });
});

describe('options', () => {
  const read = (flags: Parameters<typeof readBatchOptions>[0]) => readBatchOptions(flags, Readable.from([]));

  test('flags override the options file, and only lists and objects require items', async () => {
    const outputOptions = folder.write('options.json', '{"locale":"de","pdf":{"accessible":true}}');
    const output = { locale: 'fr', pdf: { accessible: true } };
    expect(await read({ outputOptions, locale: 'fr' })).toMatchObject({ options: { output }, needsItems: true });
    const plain = await read({ locale: 'fr', externalContent: 'keep', emailTo: ['{mail}'] });
    expect(plain).toMatchObject({ needsItems: false });
    expect(await read({ emailTo: ['{mail}', 'b@example.com'] })).toMatchObject({ needsItems: true });
  });

  test('an invoice needs no items', async () => {
    const pdf = { invoice: { format: 'factur-x', profile: 'xrechnung' } };
    expect(await read({ format: 'pdf', invoice: 'xrechnung' })).toMatchObject({
      options: { output: { format: 'pdf', pdf } },
      needsItems: false,
    });
    expect(await read({ format: 'xml', invoice: 'peppol' })).toMatchObject({
      options: { output: { format: 'xml', xml: { profile: 'peppol' } } },
      needsItems: false,
    });
    const outputOptions = folder.write('options.json', '{"format":"xml","xml":{"profile":"en16931"}}');
    expect(await read({ outputOptions })).toMatchObject({ options: { output: { xml: { profile: 'en16931' } } } });
    await expect(read({ format: 'xml' })).rejects.toThrow('--format xml needs a profile');
    await expect(read({ invoice: 'basic' })).rejects.toThrow('cannot be used with --format docx');
  });

  test('column formats are read, and refused when they are unknown', async () => {
    const columnFormat = ['total:decimalComma', 'a:b:dayFirst'];
    const columnFormats = { total: 'decimalComma', 'a:b': 'dayFirst' };
    expect(await read({ columnFormat })).toMatchObject({ options: { columnFormats }, needsItems: false });
    for (const wrong of ['total', ':text', 'total:german'])
      await expect(read({ columnFormat: [wrong] })).rejects.toThrow(`--column-format ${wrong}`);
  });

  test('a subject without a recipient is refused', async () => {
    await expect(read({ emailSubject: 'Hello' })).rejects.toThrow('--email-to');
  });
});
