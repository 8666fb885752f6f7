import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { varyData } from '../../../../src/worker/direct-pdf/vary-data.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { Comparer } from '../../../../src/worker/pdf/compare/comparer.ts';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { volume } from '../../../support/extended.ts';
import { useOffice } from '../office/pool-for-test.ts';
import { useDirectConverter } from './direct-converter.ts';

/** The templates of the gallery are laid out directly, with the pages of LibreOffice, as accessible archives. */

const folder = 'examples/gallery/';
const kinds = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const places = kinds.flatMap(({ name }) => readdirSync(folder + name).map((language) => `${name}/${language}`));
const comparer = new Comparer();
afterAll(() => comparer.close());
const office = useOffice();
const convertDirectly = useDirectConverter();

async function isLaidOutEqually(docx: Uint8Array): Promise<boolean> {
  const direct = convertDirectly(docx);
  if (direct === undefined) return false;
  const { pdf } = await office.pool.convert({ docx, refresh: false });
  expect((await comparer.compare(pdf, direct)).differences).toEqual([]);
  return true;
}

describe.each(places)('the template %s', (place) => {
  const template = readFileSync(`${folder}${place}/template.docx`);
  const data = readFileSync(`${folder}${place}/data.json`);
  const prepared = prepareTemplate(template, 'pdf');

  test('is laid out directly with its data, as by LibreOffice', async () => {
    expect(await isLaidOutEqually(renderTemplate(prepared, data).file)).toBe(true);
  });

  test('becomes a PDF that conforms to PDF/A and PDF/UA', async () => {
    const options = { archive: 'PDF/A-2u', accessible: { title: 'document' } } as const;
    const pdf = convertDirectly(renderTemplate(prepared, data).file, options);
    const { standards } = await checkPdf(pdf ?? new Uint8Array(), ['PDF/A-2u', 'PDF/UA-1']);
    const broken = standards.flatMap(({ failures }) => failures.map(({ rule }) => rule));
    expect(broken).toEqual([]);
  });
});

test.each(places.slice(0, volume(3, places.length)))('the proof of %s finds no difference', async (place) => {
  const template = readFileSync(`${folder}${place}/template.docx`);
  const { schema } = inspectTemplate(template);
  const prepared = prepareTemplate(template, 'pdf');
  const example = JSON.parse(readFileSync(`${folder}${place}/data.json`, 'utf8'));
  let direct = 0;
  for (const { data } of varyData(schema, example)) {
    if (direct >= volume(3, 100)) break;
    try {
      if (await isLaidOutEqually(renderTemplate(prepared, Buffer.from(JSON.stringify(data))).file)) direct += 1;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'data_invalid')) throw error;
    }
  }
  expect(direct).toBeGreaterThanOrEqual(3);
});
