import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../../../src/worker/docx/package/overlay-package.ts';
import { hasUsualForm, inUsualForm } from '../../../../src/worker/docx/package/usual-form.ts';
import type { RenderTarget } from '../../../../src/worker/docx/render-template.ts';
import { infoset, inOtherForm, type XmlForm } from '../../../support/documents/xml-forms.ts';
import { errorOf, render } from '../render/fill.ts';

const forms: readonly (readonly [string, XmlForm])[] = [
  ['prefixes of its own', { prefix: (n) => `ns${n}` }],
  ['Word as the default namespace', { prefix: (n) => (n === 0 ? '' : `w${n}`) }],
  ['UTF-16, single quotes and blanks', { prefix: (n) => `q${n}`, encoding: 'utf-16le', quote: "'", blank: '\n ' }],
  ['big-endian UTF-16', { prefix: (n) => `q${n}`, encoding: 'utf-16be' }],
];
const examples = ['invoice', 'report'];
const targets: readonly RenderTarget[] = ['docx', 'pdf'];
const example = (name: string) => readFileSync(new URL(`../../../../examples/${name}`, import.meta.url));

/** The contents of the XML parts of the filled template. */
function filled(template: Buffer, target: RenderTarget, data: unknown): Record<string, string> {
  const docx = render(template, data, { target }).docx;
  const parts = docx.partNames.filter((name) => /\.(?:xml|rels)$/.test(name)).sort();
  return Object.fromEntries(parts.map((name) => [name, infoset(docx.readText(name) ?? '')]));
}

describe.each(forms)('a template with %s', (_title, form) => {
  it.each(examples)('gives the same tags and documents as a template in the usual form: %s', (name) => {
    const usual = example(`${name}.docx`);
    const data = JSON.parse(example(`${name}.json`).toString());
    const other = inOtherForm(usual, form);
    expect(inspectTemplate(other)).toEqual(inspectTemplate(usual));
    for (const target of targets) expect(filled(other, target, data)).toEqual(filled(usual, target, data));
  });
});

it('content types reach LibreOffice in the form that it reads', () => {
  for (const [, form] of forms) {
    const template = inOtherForm(example('letter.docx'), form);
    const { part } = render(template, JSON.parse(example('letter.json').toString()), { target: 'pdf' });
    expect(part('[Content_Types].xml')).toMatch(/<Types xmlns="[^"]*">/);
  }
});

it('parts of a changed template have the usual form', () => {
  const other = openPackage(inOtherForm(example('letter.docx'), { prefix: (n) => `ns${n}` }));
  const changed = overlayPackage(other, new Map([['word/settings.xml', null]]));
  expect(changed.readText('word/document.xml')).toBe(other.readText('word/document.xml'));
  expect(changed.readText('word/document.xml')).toContain('<w:body>');
});

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
const maxChars = 10_000;

describe('the usual form of a part', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['two prefixes of one namespace', `<a:p xmlns:a="${word}" xmlns:b="${word}"><b:r/></a:p>`, '<w:p><w:r/></w:p>'],
    ['a default namespace that ends', `<p xmlns="${word}" x="1"><q xmlns=""/></p>`, '<w:p x="1"><q xmlns=""/></w:p>'],
    [
      'one that begins again',
      `<p xmlns="${word}"><r xmlns="u"><p xmlns="${word}"/></r></p>`,
      '<w:p><r xmlns="u"><w:p/></r></w:p>',
    ],
    [
      'the usual prefix for another namespace',
      `<n:p xmlns:n="${word}" xmlns:w="urn:x"><w:ns7 w:a="1"/></n:p>`,
      '<w:p xmlns:ns8="urn:x"><ns8:ns7 ns8:a="1"/></w:p>',
    ],
    ['both forms of the standard', `<n:p xmlns:n="${strict}"><m:r xmlns:m="${word}"/></n:p>`, '<w:p><w:r/></w:p>'],
    [
      'a prefix that ends',
      `<n:p xmlns:n="${word}"><n:p xmlns:n="u"/><n:r/></n:p>`,
      '<w:p><n:p xmlns:n="u"/><w:r/></w:p>',
    ],
    [
      'names in attributes',
      `<n:p xmlns:n="${word}" xmlns:k="urn:k" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="k  n"><mc:Choice Requires="n"/></n:p>`,
      '<w:p xmlns:k="urn:k" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="k  w"><mc:Choice Requires="w"/></w:p>',
    ],
    ['single quotes', `<w:p xmlns:w='${word}' w:a='"'/>`, '<w:p w:a="&quot;"/>'],
    ['blanks around equal signs', `<w:p xmlns:w = "${word}" w:a ="1" w:b= "2"/>`, '<w:p w:a="1" w:b="2"/>'],
    ['blanks before the ends of tags', `<w:p xmlns:w="${word}" ><w:r /></w:p\n>`, '<w:p><w:r/></w:p>'],
  ];
  it.each(cases)('has one prefix for each namespace: %s', (_title, xml, expected) => {
    expect(hasUsualForm(xml)).toBe(false);
    const usual = inUsualForm(xml, 'part', maxChars);
    expect(usual.replace(/ xmlns:w="[^"]*"/g, '')).toBe(expected);
    expect(hasUsualForm(usual)).toBe(true);
    expect(inUsualForm(usual, 'part', maxChars)).toBe(usual);
  });

  it('may not exceed the limit of a part', () => {
    const long = `<p xmlns="${word}">${'<p/>'.repeat(3_000)}</p>`;
    const error = errorOf(() => inUsualForm(long, 'word/document.xml', long.length));
    expect(error.code).toBe('template_invalid');
  });

  it('may use any number of namespaces', () => {
    const inner = Array.from({ length: 10_000 }, (_, i) => `<w:x xmlns:w="u${i}"/>`).join('');
    const xml = `<n:p xmlns:n="${word}">${inner}</n:p>`;
    expect(inUsualForm(xml, 'part', 1e8)).toContain('<ns1:x xmlns:ns1="u0"/>');
  });
});
