import { expect, it } from 'vitest';
import { keepLinkAnnotations } from '../../../../src/worker/docx/features/links/keep-link-annotations.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, docxParts, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { field, fieldMark } from '../../../support/documents/field-builder.ts';

const styles = docxParts().get('word/styles.xml')?.toString() ?? '';
const known = '<w:style w:type="character" w:styleId="PlainLink"><w:name w:val="PlainLink"/></w:style>';

function changed(body: string, stylesXml = styles): Readonly<Record<string, string>> {
  const source = openPackage(buildDocx({ body, parts: { 'word/styles.xml': stylesXml } }));
  return Object.fromEntries(Array.from(keepLinkAnnotations(source), ([name, bytes]) => [name, bytes.toString()]));
}

const link = (inner: string) => `<w:p><w:hyperlink w:anchor="here">${inner}</w:hyperlink></w:p>`;
const plain = '<w:rStyle w:val="PlainLink"/>';
const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r>';

it('changes nothing in a document without links, or if all links have a style', () => {
  expect(changed(paragraph('{name}'))).toEqual({});
  expect(changed(`<w:p>${field('PAGE', '')}</w:p>`)).toEqual({});
  const styled = link(`<w:r><w:rPr>${plain}</w:rPr><w:t>x</w:t></w:r>`);
  expect(changed(styled, styles.replace('</w:styles>', `${known}</w:styles>`))).toEqual({});
});

it('puts the style first and does not change tracked properties', () => {
  const tracked =
    '<w:r><w:rPr><w:b/><w:rPrChange w:id="1" w:author="A"><w:rPr><w:rStyle w:val="Old"/></w:rPr></w:rPrChange></w:rPr></w:r>';
  const { 'word/document.xml': xml = '', 'word/styles.xml': added } = changed(
    link(`${run('a')}${bold}<w:r><w:rPr/><w:t>c</w:t></w:r>${tracked}<w:r/>`),
  );
  expect(added).toContain('w:styleId="PlainLink"');
  expect(xml).toContain(`<w:r><w:rPr>${plain}</w:rPr><w:t xml:space="preserve">a</w:t></w:r>`);
  expect(xml).toContain(`<w:r><w:rPr>${plain}<w:b/></w:rPr><w:t>x</w:t></w:r>`);
  expect(xml).toContain(`<w:r><w:rPr>${plain}</w:rPr><w:t>c</w:t></w:r>`);
  expect(xml).toContain(`<w:rPr>${plain}<w:b/><w:rPrChange`);
  expect(xml).toContain('<w:rPr><w:rStyle w:val="Old"/></w:rPr></w:rPrChange>');
  expect(xml.split(plain)).toHaveLength(5);
});

it('replaces styles that do not exist, and uses a free id for its own', () => {
  const paragraphStyle = '<w:style w:type="paragraph" w:styleId="PlainLink"><w:name w:val="x"/></w:style>';
  const body = link(`<w:r><w:rPr>${plain}<w:b/></w:rPr><w:t>x</w:t></w:r>`);
  const files = changed(body, styles.replace('</w:styles>', `${paragraphStyle}</w:styles>`));
  expect(files['word/document.xml']).toContain('<w:rPr><w:rStyle w:val="PlainLink2"/><w:b/></w:rPr>');
  expect(files['word/styles.xml']).toContain('w:styleId="PlainLink2"');
});

it('changes only fields whose result is a link', () => {
  const instruction = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const inner = field('PAGE', run('7'));
  const link = `${fieldMark('begin')}${instruction(' HYPER')}${instruction('LINK "https://a.example/" ')}${fieldMark('separate')}${run('in')}${inner}${fieldMark('end')}`;
  const hint = `<w:p>${instruction('hyperlink')}</w:p>`;
  const { 'word/document.xml': xml = '' } = changed(`${hint}<w:p>${run('before')}${link}${run('after')}</w:p>`);
  expect(xml).toContain(`<w:rPr>${plain}</w:rPr><w:t xml:space="preserve">in</w:t>`);
  expect(xml).toContain(`<w:rPr>${plain}</w:rPr><w:t xml:space="preserve">7</w:t>`);
  expect(xml).toContain('<w:r><w:t xml:space="preserve">before</w:t>');
  expect(xml).toContain('<w:r><w:t xml:space="preserve">after</w:t>');
});
