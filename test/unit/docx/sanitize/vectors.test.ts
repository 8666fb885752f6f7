import { readRelationships } from '@docmill/word/relationships';
import { describe, expect, it } from 'vitest';
import { paragraph, relationshipsXml, run } from '../../../support/documents/docx-builder.ts';
import { fieldMark } from '../../../support/documents/field-builder.ts';
import { clean, external, host, picture, secret } from './clean.ts';

/** A field whose instruction Word has split into these runs. */
function splitField(codes: readonly string[], result: string): string {
  const pieces = codes.map((code) => `<w:r><w:instrText>${code}</w:instrText></w:r>`).join('');
  return `<w:p>${fieldMark('begin')}${pieces}${fieldMark('separate')}${run(result)}${fieldMark('end')}</w:p>`;
}

describe('external references are removed, and the document still loads', () => {
  it.each([host, secret, '../canary.png', '//canary/share/a.png', '\\\\canary\\a.png', 'vnd.sun.star.expand:$canary'])(
    'linked picture %s',
    (target) => {
      const { codes, body } = clean({ body: picture('r:link="rX"'), rels: external('image', target) });
      expect(codes).toEqual(['linked_picture']);
      expect(body).toMatch(/<a:blip\s*\/>/);
    },
  );

  it('a linked picture in a header, beside an embedded one', () => {
    const rels = relationshipsXml([...external('image'), { id: 'rP', type: 'image', target: 'media/a.png' }]);
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const parts = { 'word/_rels/header1.xml.rels': rels, 'word/media/a.png': png };
    const { codes, docx } = clean({ headers: [picture('r:embed="rP" r:link="rX"')], parts });
    expect(codes).toEqual(['linked_picture']);
    expect(docx.readText('word/header1.xml')).toContain('r:embed="rP"');
    expect(docx.partNames).toContain('word/media/a.png');
  });

  it('an external address without TargetMode="External"', () => {
    const rels = [{ id: 'rX', type: 'image', target: secret }];
    expect(clean({ body: picture('r:embed="rX"'), rels }).codes).toEqual(['linked_picture']);
  });

  it('prefixes, quotes and character references of every kind', () => {
    const rels = `<R:Relationships xmlns:R="http://schemas.openxmlformats.org/package/2006/relationships"><R:Relationship
      xml:space='a > b' Target='h&#116;tp://127.0.0.1/canary' Id='rX' TargetMode='&#x45;xternal' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/image'></R:Relationship></R:Relationships>`;
    const body = `<q:blip xmlns:q="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:z="http://schemas.openxmlformats.org/officeDocument/2006/relationships" z:link = 'r&#88;'/>`;
    const { body: cleaned, docx } = clean({ body, parts: { 'word/_rels/document.xml.rels': rels } });
    expect(cleaned).not.toContain('z:link');
    expect(readRelationships(docx.readText('word/_rels/document.xml.rels') ?? '')).toEqual([]);
  });

  it('parts and relationships in UTF-16', () => {
    const utf16 = (xml: string) => Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    const parts = { 'word/_rels/document.xml.rels': utf16(relationshipsXml(external('image'))) };
    expect(clean({ body: picture('r:link="rX"'), parts }).codes).toEqual(['linked_picture']);
  });

  const object = (xml: string) => `<w:p><w:r><w:object>${xml}</w:object></w:r></w:p>`;
  const ole = object('<v:shape id="s"/><o:OLEObject Type="Link" r:id="rX"/>');
  const elements: [string, string, string, string][] = [
    ['altChunk', 'aFChunk', '<w:altChunk r:id="rX"><w:altChunkPr/></w:altChunk>', 'imported_content'],
    ['subdocument', 'subDocument', '<w:p><w:subDoc r:id="rX"/></w:p>', 'imported_content'],
    ['linked object', 'oleObject', ole, 'embedded_object'],
    ['linked object of Word 2010', 'oleObject', object('<w:objectLink r:id="rX"/>'), 'embedded_object'],
    ['control', 'control', object('<w:control r:id="rX" w:name="c"/>'), 'active_content'],
    ['film', 'video', '<w:p><a:videoFile r:link="rX"/></w:p>', 'media'],
    ['link on a shape', 'hyperlink', '<w:p><wp:docPr id="1"><a:hlinkClick r:id="rX"/></wp:docPr></w:p>', 'hyperlink'],
  ];
  it.each(elements)('%s', (_, type, xml, code) => {
    const around = `${paragraph('before')}${xml}${paragraph('after')}`;
    const { codes, body } = clean({ body: around, rels: external(type, secret) });
    expect([...new Set(codes)]).toEqual([code]);
    expect(body).not.toContain('rX');
    expect(body).toMatch(/before.*after/s);
  });

  const merge = `<w:mailMerge><w:connectString w:val="${secret}"/><w:dataSource r:id="rX"/></w:mailMerge>`;
  const frames = '<w:frameset><w:frameset><w:frame><w:sourceFileName r:id="rX"/></w:frame></w:frameset></w:frameset>';
  const settings: [string, string, string, string][] = [
    ['attached template', 'attachedTemplate', '<w:attachedTemplate r:id="rX"/>', 'attached_template'],
    ['mail merge', 'mailMergeSource', merge, 'mail_merge'],
    ['frames', 'frame', frames, 'imported_content'],
    ['style sheet', 'transform', '<w:saveThroughXslt r:id="rX"/>', 'external_reference'],
  ];
  it.each(settings)('%s in the settings', (_, type, xml, code) => {
    const part = `<w:settings xmlns:w="u" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:zoom/>${xml}<w:compat/></w:settings>`;
    const parts = {
      'word/settings.xml': part,
      'word/_rels/settings.xml.rels': relationshipsXml(external(type, secret)),
    };
    const { codes, docx } = clean({ parts, rels: [{ id: 'rS', type: 'settings', target: 'settings.xml' }] });
    expect([...new Set(codes)]).toEqual([code]);
    expect(docx.readText('word/settings.xml')).toMatch(/<w:zoom\/><w:compat\/>/);
  });

  it('a mail merge without a relationship', () => {
    const part = `<w:settings xmlns:w="u"><w:mailMerge><w:query w:val="SELECT canary"/></w:mailMerge></w:settings>`;
    expect(clean({ parts: { 'word/settings.xml': part } }).codes).toEqual(['mail_merge']);
  });

  it('an unknown type', () => {
    expect(clean({ rels: external('fancyThing') }).codes).toEqual(['external_reference']);
  });
});

describe('hyperlinks', () => {
  const link = `<w:p><w:hyperlink r:id="rX">${run('read me')}</w:hyperlink></w:p>`;

  it.each(['https://example.com/a?b=c', 'http://example.com', 'mailto:a@example.com', '#chapter'])(
    '%s stays',
    (target) => {
      const { codes, body } = clean({ body: link, rels: external('hyperlink', target) });
      expect(codes).toEqual([]);
      expect(body).toContain('<w:hyperlink r:id="rX">');
    },
  );

  it.each([secret, 'javascript:canary()', 'canary.docx', 'vnd.sun.star.script:canary', '\\\\canary\\c$'])(
    '%s becomes text',
    (target) => {
      const { codes, body } = clean({ body: link, rels: external('hyperlink', target) });
      expect(codes).toEqual(['hyperlink']);
      expect(body).toMatch(/<w:hyperlink\s*>.*read me/);
    },
  );
});

describe('fields that read from outside are disabled and keep their result', () => {
  const instructions = [
    [` INCLUDEPICTURE "${host}" \\d `],
    [' INCLUDE', 'PICTURE ', `"${secret}"`],
    [` includetext ${secret}`],
    [' IMPORT canary.png'],
    [` LINK Excel.Sheet.12 "${secret}" Sheet1 \\a`],
    [' DDE cmd "/c canary"'],
    ['DDEAUTO c:\\\\canary.exe'],
    [' DATABASE \\d "canary" '],
    [' RD canary.docx '],
    [`HYPERLINK "${secret}"`],
    [' HYPERLINK \\l "top" \\o "tip" canary.docx'],
  ];

  it.each(instructions)('%s %s', (...codes) => {
    const cleaned = clean({ body: splitField(codes, 'last result') });
    expect(cleaned.codes).toEqual(['outside_field']);
    expect(cleaned.body).toContain('last result');
  });

  it('simple and nested fields, fields that never end, and instructions without a field', () => {
    const simple = `<w:p><w:fldSimple w:instr=' INCLUDETEXT &quot;${secret}&quot; '>${run('kept')}</w:fldSimple></w:p>`;
    const begin = fieldMark('begin');
    const nested = `<w:p>${begin}<w:r><w:instrText> IF 1 = 1 </w:instrText></w:r>${splitField([` INCLUDEPICTURE "${host}"`], 'inner')}</w:p>`;
    const split = `<w:p>${begin}<w:r><w:instrText>INCLUDE</w:instrText></w:r>${run('TEXT ')}<w:r><w:instrText>canary</w:instrText></w:r></w:p>`;
    const bare = '<w:p><w:r><w:instrText>LINK canary</w:instrText></w:r></w:p>';
    for (const body of [simple, nested, split, bare]) expect(clean({ body }).codes, body).toEqual(['outside_field']);
  });

  const links = [' HYPERLINK "https://example.com" ', ' HYPERLINK \\l "_Toc1" '];
  const others = [' PAGE ', ' TOC \\o "1-3" \\h ', ' MERGEFIELD Name ', ' SEQ Figure ', ' DATE \\@ "d MMM" '];
  it.each([...links, ...others])('%s stays', (instruction) => {
    const { codes, body } = clean({ body: splitField([instruction], 'x') });
    expect(codes).toEqual([]);
    expect(body).toContain(instruction);
  });
});

describe('VML with external references', () => {
  it.each([`src="${host}"`, `o:href="${secret}"`, `o:althref='canary.png'`, `r:href="rX"`])(
    'picture with %s',
    (attribute) => {
      const body = `<w:p><w:r><w:pict><v:shape><v:imagedata ${attribute} o:title="t"/></v:shape></w:pict></w:r></w:p>`;
      const { codes, body: cleaned } = clean({ body, rels: external('image') });
      expect(codes).toEqual(['linked_picture']);
      expect(cleaned).toMatch(/<v:imagedata\s+o:title="t"\/>/);
    },
  );

  it('links from shapes to the web stay', () => {
    const shape = (href: string) => `<w:p><w:pict><v:shape href="${href}"/></w:pict></w:p>`;
    expect(clean({ body: shape('https://example.com') }).codes).toEqual([]);
    expect(clean({ body: shape(secret) }).codes).toEqual(['hyperlink']);
  });
});

describe('active and embedded parts are removed with every reference to them', () => {
  const microsoft = 'application/vnd.ms-';
  const office = 'application/vnd.openxmlformats-officedocument.';
  const panes = 'webextensiontaskpanes';
  const cases: [string, string, string, string][] = [
    ['word/vbaProject.bin', `${microsoft}office.vbaProject`, 'vbaProject', 'active_content'],
    ['word/activeX/activeX1.bin', `${microsoft}office.activeX`, 'activeXControlBinary', 'active_content'],
    ['word/attachedToolbars.bin', `${microsoft}word.attachedToolbars`, 'attachedToolbars', 'active_content'],
    ['customUI/customUI14.xml', 'application/xml', 'extensibility', 'active_content'],
    ['word/webextensions/taskpanes.xml', `${microsoft}office.${panes}+xml`, panes, 'active_content'],
    ['word/fonts/font1.odttf', `${office}obfuscatedFont`, 'font', 'embedded_font'],
    ['word/embeddings/oleObject1.bin', `${office}oleObject`, 'oleObject', 'embedded_object'],
    ['word/embeddings/a.docx', `${office}wordprocessingml.document`, 'package', 'embedded_object'],
    ['word/afchunk.mht', 'message/rfc822', 'aFChunk', 'imported_content'],
  ];
  it.each(cases)('%s', (name, contentType, type, code) => {
    const content = name.endsWith('.xml') ? '<canary/>' : 'canary';
    const { codes, docx } = clean({
      parts: { [name]: content },
      contentTypes: { [name]: contentType },
      rels: [{ id: 'rX', type, target: `/${name}` }],
    });
    expect(codes).toEqual([code]);
    expect(docx.partNames).not.toContain(name);
    expect(docx.readText('[Content_Types].xml')).not.toContain(name);
  });

  it('even if their relationship has another type, and together with their own relationships', () => {
    const { docx, codes } = clean({
      parts: {
        'word/embeddings/a.docx': 'canary',
        'word/embeddings/_rels/a.docx.rels': relationshipsXml(external('image')),
      },
      body: picture('r:embed="rX"'),
      rels: [{ id: 'rX', type: 'image', target: 'embeddings/a.docx' }],
    });
    expect(codes).toEqual(['embedded_object']);
    expect(docx.partNames.filter((name) => name.includes('embeddings'))).toEqual([]);
  });

  it("a chart's workbook is removed without a warning, because the chart draws its own values", () => {
    const chart =
      '<c:chartSpace xmlns:c="u" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:chart/><c:externalData r:id="rX"><c:autoUpdate/></c:externalData></c:chartSpace>';
    const rels = relationshipsXml([{ id: 'rX', type: 'package', target: '../embeddings/a.xlsx' }]);
    const { codes, docx } = clean({
      parts: {
        'word/charts/chart1.xml': chart,
        'word/charts/_rels/chart1.xml.rels': rels,
        'word/embeddings/a.xlsx': 'canary',
      },
      contentTypes: { 'word/charts/chart1.xml': `${office}drawingml.chart+xml` },
      rels: [{ id: 'rC', type: 'chart', target: 'charts/chart1.xml' }],
    });
    expect(codes).toEqual([]);
    expect(docx.readText('word/charts/chart1.xml')).toMatch(/<c:chart\/><\/c:chartSpace>/);
  });
});
