import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { textOf } from './fill.ts';

function fillForPdf(input: DocxInput, data: unknown) {
  const prepared = prepareTemplate(buildDocx(input), 'pdf');
  const { file, warnings } = renderTemplate(prepared, Buffer.from(JSON.stringify(data)));
  return { docx: openPackage(file), warnings };
}

const fieldChar = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

describe('a document for the converter', () => {
  it('is filled like any other', () => {
    const { docx, warnings } = fillForPdf(
      { body: paragraph('Dear {name}'), headers: [paragraph('{name}')] },
      { name: 'A&B' },
    );
    expect(textOf(docx)).toBe('Dear A&B');
    expect(textOf(docx, 'word/header1.xml')).toBe('A&B');
    expect(warnings).toEqual([]);
  });

  it('loses external references, which the .docx keeps, with a warning', () => {
    const template: DocxInput = {
      body: paragraph('{name}'),
      rels: [{ id: 'rIdT', type: 'attachedTemplate', target: 'file:///etc/hostname', external: true }],
    };
    const relsPart = 'word/_rels/document.xml.rels';
    const { docx, warnings } = fillForPdf(template, { name: 'Ada' });
    expect(docx.readText(relsPart)).not.toContain('file:');
    expect(warnings).toMatchObject([{ code: 'attached_template' }]);
    const kept = renderTemplate(prepareTemplate(buildDocx(template), 'docx'), Buffer.from('{"name":"Ada"}'));
    expect(openPackage(kept.file).readText(relsPart)).toContain('file:///etc/hostname');
    expect(kept.warnings).toMatchObject([{ code: 'external_content', part: 'word/document.xml' }]);
  });

  it('does not let a value become a field instruction', () => {
    const start = '<w:r><w:instrText> </w:instrText></w:r>';
    const field = `${fieldChar('begin')}${start}${run('{code}')}${fieldChar('separate')}${run('shown')}${fieldChar('end')}`;
    const { docx } = fillForPdf({ body: `<w:p>${field}</w:p>` }, { code: 'INCLUDEPICTURE "http://127.0.0.1:9/x.png"' });
    const xml = docx.readText('word/document.xml') ?? '';
    expect(xml).not.toMatch(/fldCharType="begin"[\s\S]*INCLUDEPICTURE[\s\S]*fldCharType="separate"/);
    expect(xml).toContain('shown');
  });

  it('has no comments, which can crash LibreOffice, but errors in them are reported', () => {
    const template: DocxInput = {
      body:
        `<w:p>${run('{#items}')}<w:commentRangeStart w:id="0"/>${run('{.}')}<w:commentRangeEnd w:id="0"></w:commentRangeEnd>` +
        `<w:r><w:commentReference w:id="0"/></w:r>${run('{/items}')}</w:p>`,
      comments: [paragraph('for {name}')],
    };
    const { docx, warnings } = fillForPdf(template, { items: [1, 2] });
    expect(textOf(docx)).toBe('12');
    expect(docx.readText('word/document.xml')).not.toContain('comment');
    expect(warnings).toMatchObject([{ code: 'missing_value', paths: ['data.name'] }]);
  });
});
