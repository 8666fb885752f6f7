import { footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { successes } from './language-case.ts';

export const valueCases = successes([
  ['a value', 'Dear {name},', { name: 'Ada' }, 'Dear Ada,'],
  ['spaces inside the braces', 'Dear { name },', { name: 'Ada' }, 'Dear Ada,'],
  ['a dotted path', '{customer.address.city}', { customer: { address: { city: 'Bern' } } }, 'Bern'],
  ['a key that is the whole text of the tag', '{a.b}', { 'a.b': 'key', a: { b: 'path' } }, 'key'],
  ['a name with a space', '{first name}', { 'first name': 'Ada' }, 'Ada'],
  ['a name with a hyphen', '{first-name}', { 'first-name': 'Ada' }, 'Ada'],
  ['an item by its number', '{rows.1.total}', { rows: [{ total: 7 }, { total: 8 }] }, '8'],
  ['a list of texts', '{colours}', { colours: ['red', 'blue'] }, 'red, blue'],
  ['numbers and booleans as in JSON', '{a} {b} {c} {d}', { a: 1200.5, b: 0, c: true, d: false }, '1200.5 0 true false'],
  [
    'nothing for null, empty and missing',
    '[{a}{b}{c}{d}]',
    { a: null, b: '', c: [] },
    '[]',
    { warnings: ['missing_value'] },
  ],
  ['line breaks and tabs', 'x{a}y', { a: '1\n2\r\n3\t4' }, 'x1\v2\v3\t4y'],
  ['markup in a value is text', '{a}', { a: '<w:b/> & "quotes" \u2019' }, '<w:b/> & "quotes" \u2019'],
  ['braces in a value are text', '{a}', { a: '{b} {#c}' }, '{b} {#c}'],

  ['letters of many scripts', '{a}', { a: 'Größe 東京 שלום 😀' }, 'Größe 東京 שלום 😀'],
  [
    'a tag that Word split',
    { body: paragraph(['Dear {na', 'me', '}, wel', 'come']) },
    { name: 'Ada' },
    'Dear Ada, welcome',
  ],
  ['two tags side by side', '{a}{b}', { a: 1, b: 2 }, '12'],
  ['inherited names are not data', '[{constructor}{toString}{__proto__}]', {}, '[]', { warnings: ['missing_value'] }],
  [
    'the look of its first character',
    { body: '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{na</w:t></w:r><w:r><w:t>me}</w:t></w:r></w:p>' },
    { name: 'Ada' },
    'Ada',
    { markup: [/<w:rPr><w:b\/><\/w:rPr><w:t[^>]*>Ada</] },
  ],
  [
    'header, footer, footnote and table',
    {
      body: `<w:p>${run('{a}')}${footnoteReference(1)}</w:p>${table([['{a}', 'x{b}']])}<w:p/>`,
      headers: [paragraph('H {a}')],
      footers: [paragraph('F {b}')],
      footnotes: [paragraph('N {a}')],
    },
    { a: 'one', b: 'two' },
    ['one', 'one', 'xtwo'],
    { parts: { 'word/header1.xml': ['H one'], 'word/footer1.xml': ['F two'] } },
  ],
  [
    'a tag in yellow where its value is missing',
    'Dear {name}!',
    {},
    'Dear {name}!',
    {
      options: { onMissing: 'highlight' },
      markup: [/<w:highlight w:val="yellow"\/><\/w:rPr><w:t[^>]*>\{name\}</],
      warnings: ['missing_value'],
    },
  ],
  ['keys that no tag names', '{a}', { a: 1, b: 2 }, '1', { warnings: ['unused_data'] }],
]);
