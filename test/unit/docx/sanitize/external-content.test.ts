import { readRelationships } from '@docmill/word/relationships';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import {
  type DocxInput,
  type DocxRelationship,
  paragraph,
  relationshipsXml,
  run,
} from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { inspect, render } from '../render/fill.ts';
import { picture } from './clean.ts';

const hello = paragraph('Hello {n}');
const outside = 'https://user:secret@evil.example/a/path?token=secret';
const external = (type: string, target = outside): DocxRelationship[] => [{ id: 'rX', type, target, external: true }];
const fieldOf = (code: string) => `<w:p>${field(code, run('seen'))}</w:p>`;
const object = (xml: string) => `<w:p><w:r><w:object>${xml}</w:object></w:r></w:p>`;
const imagedata = '<v:imagedata src="https://evil.example/secret"/>';
const merge = '<w:mailMerge><w:query w:val="secret"/><w:dataSource r:id="rX"/></w:mailMerge>';
const settings = (xml: string, rels: DocxRelationship[]): DocxInput => ({
  parts: {
    'word/settings.xml': `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${xml}</w:settings>`,
    'word/_rels/settings.xml.rels': relationshipsXml(rels),
  },
  rels: [{ id: 'rSet', type: 'settings', target: 'settings.xml' }],
});

const cases: readonly (readonly [string, DocxInput])[] = [
  ['a linked picture', { body: hello + picture('r:link="rX"'), rels: external('image') }],
  [
    'a picture of this machine',
    { body: hello + picture('r:link="rX"'), rels: external('image', 'file:///etc/secret') },
  ],
  ['a picture through a hyperlink', { body: hello + picture('r:link="rX"'), rels: external('hyperlink') }],
  ['an attached template', settings('<w:attachedTemplate r:id="rX"/>', external('attachedTemplate'))],
  ['a mail merge', settings(merge, external('mailMergeSource'))],
  ['a linked object', { body: hello + object('<o:OLEObject Type="Link" r:id="rX"/>'), rels: external('oleObject') }],
  ['a subdocument', { body: `${hello}<w:subDoc r:id="rX"/>`, rels: external('subDocument', 'file:///secret.docx') }],
  [
    'an imported page',
    {
      body: `${hello}<w:altChunk r:id="rX"/>`,
      rels: [{ id: 'rX', type: 'aFChunk', target: 'secret.html' }],
      parts: { 'word/secret.html': '<img src="https://evil.example/secret">' },
      contentTypes: { html: 'text/html' },
    },
  ],
  ['a field that reads a file', { body: hello + fieldOf('INCLUDEPICTURE "https://evil.example/secret"') }],
  ['a picture of VML', { body: `${hello}<w:p><w:r><w:pict><v:shape>${imagedata}</v:shape></w:pict></w:r></w:p>` }],
];

function fill(input: DocxInput, externalContent?: 'keep' | 'remove') {
  const filled = render({ body: hello, ...input }, { n: 'Ada' }, { externalContent });
  const { docx, warnings } = filled;
  validatePackage(docx);
  const all = docx.partNames.map((name) => docx.read(name)?.toString('latin1')).join('\n');
  return { ...filled, all, codes: warnings.map(({ code }) => code) };
}

describe.each(cases)('%s', (_name, input) => {
  it('is reported at upload and with the document, without its secrets', () => {
    const { template, warnings } = fill(input);
    const reported = inspect(template).warnings.filter(({ code }) => code === 'external_content');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.part).toMatch(/^word\//);
    expect(JSON.stringify(reported)).not.toContain('secret');
    expect(warnings).toEqual(expect.arrayContaining(reported));
  });

  it('stays unless the request removes it', () => {
    expect(fill(input).all).toMatch(/secret|evil/);
    expect(fill(input, 'keep').all).toMatch(/secret|evil/);
  });

  it('is removed on request, and its text stays', () => {
    const { docx, xml, all, codes } = fill(input, 'remove');
    expect(codes).toContain('external_content');
    expect(xml).toContain('Hello Ada');
    const isLink = input.rels?.some(({ type }) => type === 'hyperlink') === true;
    if (!isLink) expect(all).not.toMatch(/secret|evil/);
    expect(all).not.toMatch(/r:link=|attachedTemplate|<w:mailMerge|<o:OLEObject|<w:subDoc|<w:altChunk/);
    for (const name of docx.partNames.filter((part) => part.endsWith('.rels')))
      for (const { kind, isExternal } of readRelationships(docx.readText(name) ?? ''))
        expect(isExternal && kind !== 'hyperlink').toBe(false);
  });
});

it.each([
  ['image', 'picture'],
  ['attachedTemplate', 'attached template'],
  ['mailMergeSource', 'data source of a mail merge'],
  ['somethingNew', 'other content'],
])('a relationship is named by its kind: %s is %s', (kind, name) => {
  const { warnings } = inspect({ body: hello, rels: external(kind) });
  const message = `The document loads content from outside when it is opened (${name}, from https://evil.example).`;
  expect(warnings.map((warning) => warning.message)).toContain(message);
});

describe('embedded content of the document stays', () => {
  const link = `<w:p><w:hyperlink r:id="rX">${run('web')}</w:hyperlink></w:p>`;
  const embedded = object('<o:OLEObject Type="Embed" r:id="rX"/>') + fieldOf('EMBED Excel.Sheet.12');

  it.each<[string, DocxInput]>([
    ['hyperlinks', { body: hello + link, rels: external('hyperlink', 'file:///share/a.pdf') }],
    ['fields that link', { body: hello + fieldOf('HYPERLINK "file:///share/a.pdf"') }],
    [
      'embedded objects',
      {
        body: hello + embedded,
        rels: [{ id: 'rX', type: 'oleObject', target: 'embeddings/a.bin' }],
        parts: { 'word/embeddings/a.bin': 'ole' },
        contentTypes: { bin: 'application/vnd.openxmlformats-officedocument.oleObject' },
      },
    ],
  ])('%s', (_name, input) => {
    const { codes, docx, template, xml } = fill(input, 'remove');
    expect(codes).toEqual([]);
    expect(docx.partNames).toEqual(openPackage(template).partNames);
    expect(xml).toMatch(/rX|HYPERLINK/);
  });
});

describe('a signed template', () => {
  const signature = 'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature';
  const signed: DocxInput = {
    parts: {
      '_rels/.rels': relationshipsXml([
        { id: 'r1', type: 'officeDocument', target: 'word/document.xml' },
        { id: 'r2', type: `${signature}/origin`, target: '_xmlsignatures/origin.sigs' },
      ]),
      '_xmlsignatures/origin.sigs': '',
      '_xmlsignatures/sig1.xml': '<Signature/>',
      '_xmlsignatures/_rels/origin.sigs.rels': relationshipsXml([
        { id: 'r1', type: `${signature}/signature`, target: 'sig1.xml' },
      ]),
      'docProps/app.xml': '<Properties><Application>Word</Application><DigSig><blob/></DigSig></Properties>',
    },
    contentTypes: {
      sigs: 'application/vnd.openxmlformats-package.digital-signature-origin',
      '_xmlsignatures/sig1.xml': 'application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml',
    },
  };

  it('is reported at upload and with the document', () => {
    const { template, codes, docx } = fill(signed);
    const message = expect.stringContaining('Sign the finished document');
    expect(inspect(template).warnings).toEqual([{ code: 'signature_invalid', part: '_xmlsignatures', message }]);
    expect(codes).toEqual(['signature_invalid']);
    expect(docx.partNames).toContain('_xmlsignatures/sig1.xml');
  });

  it('loses the signature on request, with everything that refers to it', () => {
    const { docx, all, codes } = fill(signed, 'remove');
    expect(codes).toEqual(['signature_invalid']);
    expect(docx.partNames.filter((name) => name.includes('signatures'))).toEqual([]);
    expect(all).not.toMatch(/sig1|origin\.sigs|DigSig/);
  });
});
