import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { convertWithPages } from '../../../src/worker/documents/convert-with-pages.ts';
import { inspectTemplate } from '../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, type RenderTarget, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, relationshipsXml, run } from '../../support/documents/docx-builder.ts';
import { field, fieldMark, fieldStyles, styled } from '../../support/documents/field-builder.ts';
import { fieldCodes } from '../../support/documents/field-codes.ts';
import { textOf } from '../pdf/office/office-fixture.ts';
import { newDocxPool, useOffice } from '../pdf/office/pool-for-test.ts';

const office = useOffice();
const docx = newDocxPool();
afterAll(() => docx.close());

const page = 'docs/reference/field-codes.md';
const saved = 'SAVED';

const core = 'docProps/core.xml';
const properties = ['dc:title', 'dc:subject', 'dc:creator', 'cp:keywords', 'dc:description', 'cp:lastModifiedBy'];
const withProperties: DocxInput = {
  parts: {
    'word/styles.xml': fieldStyles,
    [core]: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${properties.map((name) => `<${name}>own</${name}>`).join('')}</cp:coreProperties>`,
    '_rels/.rels': relationshipsXml([
      { id: 'rId1', type: 'officeDocument', target: 'word/document.xml' },
      {
        id: 'rId2',
        type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
        target: core,
      },
    ]),
  },
  contentTypes: { [core]: 'application/vnd.openxmlformats-package.core-properties+xml' },
};

function templateOf(instruction: string): Buffer {
  const [before = '', after] = instruction.split('@PAGE@');
  const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
  const whole =
    after === undefined
      ? field(instruction, run(saved))
      : `${fieldMark('begin')}${code(` ${before}`)}${field('PAGE', run('1'))}${code(`${after} `)}${fieldMark('separate')}${run(saved)}${fieldMark('end')}`;
  const marked = `<w:p><w:bookmarkStart w:id="1" w:name="here"/>${run('Marked')}<w:bookmarkEnd w:id="1"/></w:p>`;
  return buildDocx({
    ...withProperties,
    body: `${styled('Heading1', 'Heading')}${marked}<w:p>${run('(')}${whole}${run(')')}</w:p><w:p>${run('{x}')}</w:p>`,
  });
}

const render = (bytes: Buffer, target: RenderTarget) =>
  renderTemplate(prepareTemplate(bytes, target), Buffer.from('{"x":1,"FirstName":"Ada","First_Name":"Ada"}'), {
    fileName: 'letter.docx',
    documentDate: '2026-03-31T00:00:00Z',
  });

/** What a reader sees of the field: "data", "result", "as saved" or "nothing". */
function describeText(text: string): string {
  if (text.includes('Ada')) return 'data';
  if (text.includes(saved)) return 'as saved';
  return /\(\s*\)/.test(text) ? 'nothing' : 'result';
}

async function pdfText(bytes: Buffer): Promise<string> {
  const { file, hasPageFields } = render(bytes, 'pdf');
  const convert = (one: Uint8Array) =>
    office.pool.convert({ docx: one, filename: 'letter.pdf', localDate: '2026-03-31T00:00:00' });
  if (!hasPageFields) return textOf((await convert(file)).pdf);
  const document = { accountId: 'a', pdfOptions: undefined, renderOptions: undefined, docx: file };
  return textOf((await convertWithPages({ docx }, {}, document, convert)).pdf);
}

it('the page of field codes says what each of them shows', async () => {
  const rows: string[] = [];
  for (const [name, instruction] of fieldCodes) {
    const bytes = templateOf(instruction);
    const written = (openPackage(render(bytes, 'docx').file).readText('word/document.xml') ?? '').replace(
      /<w:instrText[\s\S]*?<\/w:instrText>|<[^>]*>/g,
      '',
    );
    const warnings = inspectTemplate(bytes).warnings.map(({ code }) => `\`${code}\``);
    const example = instruction.replace('@PAGE@', '{ PAGE }').replaceAll('|', '\\|');
    rows.push(
      `| ${name} | \`{ ${example} }\` | ${describeText(written)} | ${describeText(await pdfText(bytes))} | ${[...new Set(warnings)].join(', ')} |`,
    );
  }
  const text = await readFile(page, 'utf8');
  const start = text.indexOf('| Field |');
  const table = [
    '| Field | Example | .docx | PDF | Warning at upload |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  // Written again by `npx vitest run --project integration test/integration/docx/field-codes.test.ts --update`.
  await expect(`${text.slice(0, start)}${table}`).toMatchFileSnapshot(`../../../${page}`);
});
