import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../../../src/worker/docx/package/overlay-package.ts';
import { repairPackage } from '../../../../src/worker/docx/sanitize/repair/repair-package.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  namespaces,
  paragraph,
  relationshipsXml,
} from '../../../support/documents/docx-builder.ts';

import { inspect } from '../render/fill.ts';

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const document = (body: string) => `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`;

/** Repairs a file, and checks that the repaired file needs no further repair. */
function repair(input: DocxInput) {
  const source = openPackage(buildDocx(input));
  const { changes, warnings } = repairPackage(source);
  const docx = overlayPackage(source, changes);
  expect(repairPackage(docx)).toEqual({ changes: new Map(), warnings: [] });
  const textOf = (name: string) => docx.readText(name) ?? '';
  return { docx, changes, textOf, found: warnings.map(({ code, part }) => `${code} ${part}`) };
}

it('a consistent package stays unchanged', () => {
  const whole = { headers: [paragraph('h')], footers: [paragraph('f')], footnotes: [paragraph('n')] };
  const { changes, found } = repair({ ...whole, body: `<w:p>${footnoteReference(1)}</w:p>` });
  expect({ changes, found }).toEqual({ changes: new Map(), found: [] });
});

describe('a dangling reference is left out and reported', () => {
  const broken = ['broken_reference word/document.xml'];

  it.each([
    ['without a relationship', '<w:headerReference w:type="default" r:id="rIdNone"/>'],
    ['without an id', '<w:headerReference w:type="default"/>'],
    ['to a part of another kind', '<w:footerReference w:type="default" r:id="rIdH1"/>'],
    ['to styles', '<w:headerReference w:type="default" r:id="rIdStyles"></w:headerReference>'],
  ])('a page header %s', (_name, reference) => {
    const body = `<w:p><w:pPr><w:sectPr>${reference}</w:sectPr></w:pPr></w:p>`;
    const { textOf, found } = repair({ body, headers: [paragraph('h')] });
    expect(textOf('word/document.xml')).toContain('<w:sectPr></w:sectPr>');
    expect(found).toEqual(broken);
  });

  it('a page header whose part is missing', () => {
    const { textOf, found } = repair({ headers: [paragraph('h')], parts: { 'word/header1.xml': null } });
    expect(textOf('word/document.xml')).not.toContain('headerReference');
    expect(textOf('word/_rels/document.xml.rels')).not.toContain('header1');
    expect(found).toEqual(broken);
  });

  it('a page header in itself', () => {
    const header = '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="r1"/></w:sectPr></w:pPr></w:p>';
    const rels = relationshipsXml([{ id: 'r1', type: 'header', target: 'header1.xml' }]);
    const { textOf, found } = repair({ headers: [header], parts: { 'word/_rels/header1.xml.rels': rels } });
    expect(textOf('word/header1.xml')).not.toContain('headerReference');
    expect(found).toEqual(['broken_reference word/header1.xml']);
  });

  it.each([
    ['r:embed', '<a:blip r:embed="rIdNone"/>', '<a:blip/>'],
    ['o:relid', '<v:fill o:relid="rIdNone" type="tile"/>', '<v:fill type="tile"/>'],
    ['r:pict', '<v:fill r:pict="rIdNone"/>', '<v:fill/>'],
    ['of a hyperlink', '<w:hyperlink r:id="rIdNone"/>', '<w:hyperlink/>'],
    ['of a chart', '<a:g><a:chart r:id="rIdNone"/></a:g>', '<a:g></a:g>'],
    ['that is empty', '<a:hlinkClick r:id=""/>', '<a:hlinkClick r:id=""/>'],
  ])('an id %s', (_name, xml, expected) => {
    const { textOf } = repair({ body: `<w:p>${xml}</w:p>` });
    const text = textOf('word/document.xml').replace(/\s+\/>/g, '/>');
    expect(text.replace(/\s{2,}/g, ' ')).toContain(expected);
  });

  it('a note in a document without notes, and a note in a note', () => {
    expect(repair({ body: `<w:p>${footnoteReference(1)}</w:p>` }).found).toEqual(broken);
    const { textOf, found } = repair({
      body: `<w:p>${footnoteReference(1)}</w:p>`,
      footnotes: [`<w:p>${footnoteReference(1)}</w:p>`],
    });
    expect(textOf('word/footnotes.xml')).not.toContain('footnoteReference');
    expect(found).toEqual(['broken_reference word/footnotes.xml']);
  });
});

describe('relationships that other readers do not understand are rewritten', () => {
  const parts = (rels: string) => ({
    headers: [paragraph('h')],
    parts: { 'word/_rels/document.xml.rels': rels.replaceAll('\n', '') },
  });
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const package2006 = 'http://schemas.openxmlformats.org/package/2006/relationships';

  const item = `Relationship Id="rIdH1" Type="${types}/header" Target="header1.xml"/>`;
  const headerAt = (target: string) => relationshipsXml([{ id: 'rIdH1', type: 'header', target }]);

  it.each([
    ['with a prefix', `<p:Relationships xmlns:p="${package2006}"><p:${item}</p:Relationships>`],
    ['in another namespace', `<Relationships xmlns="urn:x"><${item}</Relationships>`],
    ['in upper case', headerAt('HEADER1.XML')],
    ['with dots', headerAt('./x/../header1.xml')],
    ['with escapes', headerAt('%68eader1.xml')],
    ['with a fragment', headerAt('header1.xml#top')],
  ])('%s', (_name, rels) => {
    const { textOf, found } = repair(parts(rels));
    expect(found).toEqual([]);
    const written = textOf('word/_rels/document.xml.rels').replace('"/word/', '"');
    expect(written.endsWith(`<Relationships xmlns="${package2006}"><${item}</Relationships>`)).toBe(true);
  });

  it('a relationship without an id, or with an id that occurs twice, gets its own', () => {
    const rels = relationshipsXml([
      { id: 'rIdH1', type: 'header', target: 'header1.xml' },
      { id: '', type: 'styles', target: 'styles.xml' },
      { id: 'rIdH1', type: 'hyperlink', target: 'https://example.com/?a=1&b="2"', external: true },
    ]);
    const { textOf } = repair(parts(rels));
    const written = textOf('word/_rels/document.xml.rels');
    expect(new Set(written.match(/ Id="[^"]+"/g)).size).toBe(3);
    expect(written).toContain('Target="https://example.com/?a=1&amp;b=&quot;2&quot;" TargetMode="External"');
  });

  it('a part whose name is below another part is left out', () => {
    const { docx } = repair({ parts: { 'word/document.xml/image1.gif': 'GIF89a' } });
    expect(docx.partNames.some((name) => name.endsWith('.gif'))).toBe(false);
  });
});

describe('data bindings', () => {
  const bound = (xpath: string, mappings = `xmlns:x='urn:x'`) => {
    const body = `<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="${mappings}" w:xpath="${xpath}"/></w:sdtPr></w:sdt>`;
    return repair({ parts: { 'word/document.xml': document(body) } });
  };

  it.each(['/x:root[1]/x:a[1]', '//x:a', '/x:root/@z', "/x:root/x:a[@id='b']/text()", '/*/node()', ''])(
    'keep %s',
    (xpath) => {
      expect(bound(xpath).changes.size).toBe(0);
    },
  );

  const functions = ["document('file:///etc/passwd')", "/x:root[document('a')]", 'foo()', '1+1'];
  it.each([...functions, '/x:root[', '/y:root', '$a', '//*//*'])('lose %s', (xpath) => {
    const { textOf, found } = bound(xpath);
    expect(textOf('word/document.xml')).not.toContain('dataBinding');
    expect(found).toEqual(['data_binding word/document.xml']);
  });

  it.each(['', 'xmlns:x=', 'garbage'])('lose prefixes declared by "%s"', (mappings) => {
    expect(bound('/x:root', mappings).found).toHaveLength(1);
  });
});

describe('styles that are based on each other', () => {
  /** Styles, each with its base style, such as `A<B`. */
  const sheet = (...styles: readonly string[]) => {
    const items = styles.map((style) => {
      const [id, base] = style.split('<');
      return `<w:style w:styleId="${id}"><w:basedOn w:val="${base}"/></w:style>`;
    });
    return repair({ parts: { 'word/styles.xml': `<w:styles ${w}>${items.join('')}</w:styles>` } });
  };
  const count = (xml: string) => xml.split('<w:basedOn').length - 1;

  it.each([
    ['one', ['A<A'], 0],
    ['two', ['A<B', 'B<A'], 1],
    ['three, with a tail', ['T<A', 'A<B', 'B<C', 'C<A'], 3],
    ['two definitions of one style', ['A<B', 'A<C', 'B<D', 'C<A'], 3],
  ])('are separated in a circle of %s', (_name, styles, left) => {
    const { textOf, found } = sheet(...styles);
    expect(count(textOf('word/styles.xml'))).toBe(left);
    expect(found).toEqual(['style_cycle word/styles.xml']);
  });

  it('are cut after a chain of a hundred styles', () => {
    const { textOf } = sheet(...Array.from({ length: 10_000 }, (_, i) => `S${i}<S${i + 1}`));
    expect(count(textOf('word/styles.xml'))).toBeGreaterThan(9_500);
    expect(count(textOf('word/styles.xml'))).toBeLessThan(10_000);
  });

  it('stay in short chains and trees', () => {
    expect(sheet('A<N', 'B<N', 'C<B', 'D<B').changes.size).toBe(0);
  });
});

it('the upload reports what PDFs leave out, with its part', () => {
  const body = `${paragraph('{n}')}<w:p>${footnoteReference(1)}</w:p>`;
  expect(inspect({ body }).warnings).toEqual([
    { code: 'broken_reference', part: 'word/document.xml', message: expect.stringContaining('PDFs leave it out') },
  ]);
});
