import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { render, textOf } from './fill.ts';

const fillForPdf = (input: DocxInput, data: unknown) => render(input, data, { target: 'pdf' });

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
    const { part, warnings } = fillForPdf(template, { name: 'Ada' });
    expect(part(relsPart)).not.toContain('file:');
    expect(warnings).toMatchObject([{ code: 'attached_template' }]);
    const kept = render(template, { name: 'Ada' });
    expect(kept.part(relsPart)).toContain('file:///etc/hostname');
    expect(kept.warnings).toMatchObject([{ code: 'external_content', part: 'word/document.xml' }]);
  });

  it('does not let a value become a field instruction', () => {
    const body = `<w:p>${field('', run('shown')).replace('<w:r><w:fldChar w:fldCharType="separate"', `${run('{code}')}$&`)}</w:p>`;
    const { xml } = fillForPdf({ body }, { code: 'INCLUDEPICTURE "http://127.0.0.1:9/x.png"' });
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
    const { text, xml, warnings } = fillForPdf(template, { items: [1, 2] });
    expect(text).toBe('12');
    expect(xml).not.toContain('comment');
    expect(warnings).toMatchObject([{ code: 'missing_value', paths: ['data.name'] }]);
  });
});
