import { expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, namespaces, paragraph } from '../../../support/documents/docx-builder.ts';
import { textOf } from './office-fixture.ts';
import { engines, poolForTest } from './pool-for-test.ts';

const header = (type: string, id: string) => `<w:headerReference w:type="${type}" r:id="${id}"/>`;
const size =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720"/>';
const part = (text: string) => `<w:hdr ${namespaces}>${paragraph(text)}</w:hdr>`;
const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml';

/** The first section has a header for a first page and does not show it; the second inherits and shows it. */
const docx = buildDocx({
  parts: {
    'word/document.xml':
      `<w:document ${namespaces}><w:body>` +
      `<w:p><w:pPr><w:sectPr>${header('default', 'rIdA')}${header('first', 'rIdB')}${size}</w:sectPr></w:pPr></w:p>` +
      `${paragraph('Dear {name}')}<w:sectPr>${size}<w:titlePg/></w:sectPr></w:body></w:document>`,
    'word/usual.xml': part('Usual header'),
    'word/first.xml': part('First header'),
  },
  contentTypes: { 'word/usual.xml': mime, 'word/first.xml': mime },
  rels: [
    { id: 'rIdA', type: 'header', target: 'usual.xml' },
    { id: 'rIdB', type: 'header', target: 'first.xml' },
  ],
});

test.each(engines)('$name prints the header of a first page that a section inherits', async ({ sofficePath }) => {
  const { pool } = await poolForTest({ sofficePath });
  const source = prepareTemplate(docx, 'pdf');
  const { pdf } = await pool.convert({ docx: renderTemplate(source, Buffer.from('{"name":"Ada"}')).file });
  const pages = (await textOf(pdf)).split('\f');
  expect(pages[0]).toContain('Usual header');
  expect(pages[1]).toContain('First header');
  expect(pages[1]).not.toContain('Usual header');
});
