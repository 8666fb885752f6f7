import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { type RuleName, rules } from '../../../../src/worker/pdf/conformance/rules.ts';
import { type Standard, standards } from '../../../../src/worker/pdf/conformance/standards.ts';
import { compactFont } from '../../../support/documents/compact-font.ts';
import {
  conformingParts,
  iccProfile,
  type PdfParts,
  toPdf,
  trueTypeProgram,
} from '../../../support/documents/conforming-pdf.ts';
import { buildPostScriptFont } from '../../../support/documents/postscript-font.ts';

type Change = (parts: PdfParts) => void;

async function brokenRules(standard: Standard, change: Change): Promise<string[]> {
  const parts = conformingParts();
  // The metadata declares the part of PDF/A.
  const part = /PDF\/A-(\d)/.exec(standard)?.[1] ?? '2';
  editData(parts, 'metadata', '<pdfaid:part>2', `<pdfaid:part>${part}`);
  if (standard === 'PDF/A-2u') editData(parts, 'metadata', '<pdfaid:conformance>B', '<pdfaid:conformance>U');
  if (part === '1') {
    Object.assign(parts.objects, { state: '<</Type /ExtGState>>' });
    edit('wideDescriptor', '/Flags 4', '/Flags 4 /CIDSet @cidSet')(parts);
    Object.assign(parts.objects, { cidSet: '<<>>' });
    parts.streams.cidSet = Buffer.from([0xc0]);
  }
  change(parts);
  const { standards: reports } = await checkPdf(toPdf(parts), [standard]);
  return reports.flatMap(({ failures }) => failures.map(({ rule }) => rule)).sort();
}

/** Replaces text in an object. The text must occur. */
function edit(name: string, from: string | RegExp, to: string): Change {
  return ({ objects }) => {
    const before = objects[name] ?? '';
    objects[name] = before.replace(from, to);
    if (objects[name] === before) throw new Error(`${name} does not contain ${from}`);
  };
}

function editData({ streams }: PdfParts, name: string, from: string | RegExp, to: string): void {
  streams[name] = Buffer.from((streams[name] ?? Buffer.alloc(0)).toString('latin1').replace(from, to), 'latin1');
}

const data =
  (name: string, from: string | RegExp, to: string): Change =>
  (parts) =>
    editData(parts, name, from, to);

const add =
  (objects: Readonly<Record<string, string>>, ...changes: readonly Change[]): Change =>
  (parts) => {
    Object.assign(parts.objects, objects);
    for (const change of changes) change(parts);
  };

const file =
  (more: Partial<PdfParts>): Change =>
  (parts) => {
    Object.assign(parts, more);
  };
const catalog = (entries: string): Change => edit('catalog', '<<', `<<${entries} `);
const stream =
  (name: string, bytes: Buffer): Change =>
  ({ streams }) => {
    streams[name] = bytes;
  };
const content = (from: string, to: string): Change => data('content', from, to);
const append = (text: string): Change => content('/Artifact BMC', `/Artifact BMC ${text} EMC /Artifact BMC`);
const both = (...changes: readonly Change[]): Change => add({}, ...changes);
const annotation = (entries: string, more: Readonly<Record<string, string>> = {}): Change =>
  add(
    { extra: `<</Type /Annot /Rect [0 0 9 9] ${entries}>>`, ...more },
    edit('page', '[@annotation]', '[@annotation @extra]'),
  );
/** The head of a picture in JPEG 2000 with this number of channels and of bits in each, less one. */
function jpeg2000(channels: number, depth: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt32BE(22, 0);
  header.write('ihdr', 4, 'latin1');
  header.writeUInt16BE(channels, 16);
  header[18] = depth;
  const box = Buffer.alloc(8);
  box.writeUInt32BE(30, 0);
  box.write('jp2h', 4, 'latin1');
  return Buffer.concat([box, header]);
}

function scannerProfile(): Buffer {
  const profile = iccProfile();
  profile.write('scnr', 12, 'latin1');
  return profile;
}

/** Gives every element of the structure this language. */
const everyElementIn =
  (language: string): Change =>
  ({ objects }) => {
    for (const [name, text] of Object.entries(objects))
      objects[name] = text.replace('/Type /StructElem', `/Type /StructElem /Lang (${language})`);
  };

const a1 = 'PDF/A-1b';
const a2 = 'PDF/A-2b';
const u2 = 'PDF/A-2u';
const a3 = 'PDF/A-3b';
const ua = 'PDF/UA-1';
const circles = '/F 4 /Contents (x) /Subtype /Circle /StructParent 2';
const tagged = add(
  { mark: '<</Type /StructElem /S /Annot /P @document>>' },
  edit('parents', '1 @link]', '1 @link 2 @mark]'),
  edit('parents', '[0 1]', '[0 2]'),
  edit('document', '@note]', '@note @mark]'),
);

const cases: readonly (readonly [RuleName, Standard, string, Change])[] = [
  ['file-readable', a2, 'a damaged file', ({ objects }) => Reflect.deleteProperty(objects, 'catalog')],
  ['content-readable', a2, 'damaged content', edit('content', '<<', '<</Filter /FlateDecode ')],
  ['file-header', a2, 'no comment', file({ header: '%PDF-1.7\n' })],
  ['file-header', a2, 'a header of PDF 2.0', file({ header: '%PDF-2.0\n%\xe4\xfc\xf6\xdf\n' })],
  ['file-end', a2, 'data at the end', file({ end: '%%EOF\nmore' })],
  ['file-identifier', a2, 'no identifier', file({ trailer: '/Root @catalog /Info @info' })],
  ['file-identifier', a2, 'empty identifiers', file({ trailer: '/Root @catalog /Info @info /ID [<> <>]' })],
  ['hexadecimal-string', a2, 'an odd number of digits', edit('info', '(Report)', '<FEFF0>')],
  ['hexadecimal-string', a2, 'an odd number of digits in content', append('BT /F1 9 Tf 3 Tr <010> Tj ET')],
  ['page-size', a2, 'a page of two units', edit('page', '[0 0 300 200]', '[0 0 300 2]')],
  [
    'page-size',
    a2,
    'a tree of long pages',
    both(edit('page', '/MediaBox [0 0 300 200]', ''), edit('pages', '<<', '<</MediaBox [0 0 300 14401] ')),
  ],
  ['document-permissions', a2, 'other permissions', catalog('/Perms <</Mine <<>>>>')],
  ['document-permissions', a2, 'a digest', catalog('/Perms <</DocMDP <</Reference [<</DigestMethod /MD5>>]>>>>')],
  ['implementation-limit', a2, 'a large number in content', append('2157483648 w')],
  ['external-stream', a2, 'data in another file', edit('image', '<<', '<</F (other) ')],
  ['lzw-filter', a2, 'a picture with LZW', edit('image', '<<', '<</Filter /LZWDecode ')],
  ['implementation-limit', a2, 'a long name', catalog(`/${'n'.repeat(128)} 1`)],
  ['implementation-limit', a2, 'a large number', catalog('/Large 2147483649')],
  ['implementation-limit', a2, 'nested graphics states', append(`${'q '.repeat(29)}${'Q '.repeat(29)}`)],
  ['embedded-file', a2, 'an attachment', catalog('/Names <</EmbeddedFiles <</Names []>>>>')],
  [
    'embedded-file-relation',
    a3,
    'an attachment without relation',
    add({ spec: '<</F (a) /UF (a) /EF <<>>>>' }, catalog('/AF [@spec]')),
  ],
  ['optional-content', a1, 'layers', catalog('/OCProperties <</D <</Name (x)>>>>')],
  ['optional-content-configuration', a2, 'layers without a name', catalog('/OCProperties <</D <<>>>>')],
  ['document-requirements', a2, 'requirements', catalog('/Requirements []')],
  [
    'resources-explicit',
    a2,
    'resources of the page tree',
    both(edit('page', '/Resources @resources', ''), edit('pages', '<<', '<</Resources @resources ')),
  ],
  ['unknown-operator', a2, 'an unknown operator', append('1 2 foo')],
  [
    'output-intent',
    a1,
    'an output intent without a profile',
    both(
      edit('intent', '/DestOutputProfile @profile', ''),
      edit('image', 'DeviceRGB', 'X'),
      content('0 0 1 rg', '/X cs'),
    ),
  ],
  [
    'device-colour',
    a1,
    'colours without an output intent',
    both(edit('catalog', '/OutputIntents [@intent]', ''), edit('image', 'DeviceRGB', 'X')),
  ],
  [
    'device-colour',
    a2,
    'the first colour without an output intent',
    both(edit('catalog', '/OutputIntents [@intent]', ''), edit('image', 'DeviceRGB', 'X'), content('0 0 1 rg', '')),
  ],
  [
    'device-colour',
    a2,
    'a group that blends in CMYK',
    edit('form', '<<', '<</Group <</S /Transparency /CS /DeviceCMYK>> '),
  ],
  [
    'output-profile',
    a2,
    'the profile of a scanner',
    both(stream('profile', scannerProfile()), edit('image', 'DeviceRGB', 'X'), content('0 0 1 rg', '')),
  ],
  [
    'spot-colour',
    a2,
    'a spot colour without description',
    edit('image', '/DeviceRGB', '[/DeviceN [/Gold] /DeviceRGB <<>>]'),
  ],
  [
    'spot-colour',
    a2,
    'a spot colour with two descriptions',
    both(
      edit(
        'resources',
        '<<',
        '<</ColorSpace <</A [/Separation /Gold /DeviceRGB <</N 1>>] /B [/Separation /Gold /DeviceRGB <</N 2>>]>> ',
      ),
      append('/A cs /B cs'),
    ),
  ],
  [
    'image-jpeg2000',
    a2,
    'a picture with 41 bits',
    both(edit('image', '<<', '<</Filter /JPXDecode '), stream('image', jpeg2000(3, 40))),
  ],
  [
    'image-jpeg2000',
    a2,
    'a picture with two channels',
    both(edit('image', '<<', '<</Filter /JPXDecode '), stream('image', jpeg2000(2, 7))),
  ],
  [
    'image-alternates',
    a2,
    'an interpolated picture in the content',
    append('BI /W 1 /H 1 /BPC 8 /CS /G /I true ID a EI'),
  ],
  [
    'rendering-intent',
    a2,
    'a picture in the content with another intent',
    append('BI /W 1 /H 1 /BPC 8 /CS /G /Intent /Vivid ID a EI'),
  ],
  [
    'output-profile',
    a2,
    'a damaged profile',
    both(stream('profile', Buffer.alloc(132)), edit('image', 'DeviceRGB', 'X'), content('0 0 1 rg', '')),
  ],
  ['output-profile', a1, 'a profile of version 4', stream('profile', iccProfile('RGB ', 4))],
  ['device-colour', a2, 'CMYK', append('0 0 0 1 k')],
  ['device-colour', a2, 'a CMYK picture', edit('image', '/DeviceRGB', '[/Indexed /DeviceCMYK 0 (abcd)]')],
  [
    'icc-colour',
    a2,
    'a colour space with another profile',
    add({ other: '<</N 4>>' }, stream('other', iccProfile()), edit('image', '/DeviceRGB', '[/ICCBased @other]')),
  ],
  ['image-alternates', a2, 'an interpolated picture', edit('image', '<<', '<</Interpolate true ')],
  ['form-postscript', a2, 'PostScript', edit('form', '<<', '<</Subtype2 /PS ')],
  ['form-postscript', ua, 'a form of another file', edit('form', '<<', '<</Ref <<>> ')],
  ['transfer-function', a2, 'a transfer function', edit('state', '<<', '<</TR /Identity ')],
  ['rendering-intent', a2, 'an unknown intent', append('/Vivid ri')],
  ['transparency', a1, 'a transparent state', edit('state', '<<', '<</ca 0.5 ')],
  [
    'transparency',
    a1,
    'a picture with a mask',
    add({ mask: '<</Subtype /Image>>' }, stream('mask', Buffer.alloc(1)), edit('image', '<<', '<</SMask @mask ')),
  ],
  ['blend-mode', a2, 'an unknown blend mode', edit('state', '/Normal', '/Fancy')],
  ['annotation-type', a2, 'a film', annotation('/Subtype /Movie /F 4 /AP <</N @form>>')],
  ['annotation-flags', a2, 'a hidden link', edit('annotation', '/F 4', '/F 6')],
  ['annotation-appearance', a2, 'a circle without appearance', annotation(circles)],
  ['form-rendering', a2, 'a form that is not drawn', catalog('/AcroForm <</NeedAppearances true>>')],
  ['form-rendering', ua, 'an XFA form', catalog('/AcroForm <</XFA []>>')],
  ['forbidden-action', a2, 'a script', catalog('/OpenAction <</S /JavaScript /JS (x)>>')],
  [
    'forbidden-action',
    a2,
    'a program after a link',
    edit('annotation', '/Dest [@page /Fit]', '/A <</S /URI /URI (x) /Next <</S /Launch>>>>'),
  ],
  ['forbidden-action', a2, 'a bookmark with a sound', catalog('/Outlines <</First <</Title (x) /A <</S /Sound>>>>>>')],
  [
    'field-action',
    a2,
    'a field with an action',
    annotation('/Subtype /Widget /FT /Tx /F 4 /AP <</N @form>> /A <</S /URI /URI (x)>>'),
  ],
  ['additional-action', a2, 'an action of a page', edit('page', '<<', '<</AA <<>> ')],
  ['metadata-readable', a2, 'damaged metadata', data('metadata', '</rdf:RDF>', '')],
  ['metadata-filter', a1, 'compressed metadata', edit('metadata', '<<', '<</Filter [] ')],
  ['metadata-packet', a2, 'a header with the encoding', data('metadata', 'begin=""', 'begin="" encoding="UTF-8"')],
  [
    'metadata-schema',
    a2,
    'an unknown schema',
    data('metadata', '<dc:title>', '<x:y xmlns:x="http://example.com/x/">1</x:y><dc:title>'),
  ],
  [
    'metadata-schema',
    a2,
    'an unknown property of a known schema',
    data('metadata', '<dc:title>', '<dc:subtitle>x</dc:subtitle><dc:title>'),
  ],
  ['metadata-value', a2, 'a title without languages', data('metadata', /<rdf:Alt>.*<\/rdf:Alt>/, 'Report')],
  ['metadata-value', a2, 'a date with two zones', data('metadata', '03:04:05Z', '03:04:05Z+01:00')],
  ['metadata-value', a2, 'a described number that is a word', data('metadata', '<pdfuaid:part>1', '<pdfuaid:part>one')],
  [
    'metadata-description',
    a2,
    'a description without a prefix',
    data('metadata', '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>', ''),
  ],
  [
    'metadata-description',
    a2,
    'a property without a category',
    data('metadata', '<pdfaProperty:category>internal</pdfaProperty:category>', ''),
  ],
  ['archive-identifier', a2, 'another prefix', data('metadata', /pdfaid/g, 'other')],
  ['metadata-agrees', a1, 'another title', edit('info', 'Report', 'Other')],
  ['metadata-agrees', a1, 'another date', edit('info', '20260102030405Z', '20260102030406Z')],
  ['archive-identifier', a2, 'another part', data('metadata', '<pdfaid:part>2', '<pdfaid:part>3')],
  ['font-dictionary', a2, 'too few widths', edit('font', '[0 500]', '[0]')],
  ['font-embedded', a2, 'no program', edit('descriptor', '/FontFile2 @program', '')],
  ['font-embedded', ua, 'no program of a composite font', edit('wideDescriptor', '/FontFile2 @program', '')],
  ['font-program', a2, 'a damaged program', stream('program', Buffer.from('nothing'))],
  [
    'font-glyphs',
    a2,
    'a glyph beyond the last',
    both(content('<0001>', '<0002>'), edit('cidFont', '[500]', '[500 500]')),
  ],
  ['font-notdef', a2, 'a missing character', content('<0001>', '<0000>')],
  ['font-widths', a2, 'other widths', stream('program', trueTypeProgram(600))],
  ['font-character-set', a1, 'no list of characters', edit('wideDescriptor', '/CIDSet @cidSet', '')],
  [
    'font-collection',
    a2,
    'another collection',
    add(
      { map: '<</CIDSystemInfo <</Registry (Adobe) /Ordering (Japan1) /Supplement 0>>>>' },
      stream('map', Buffer.alloc(0)),
      edit('wideFont', '/Identity-H', '@map'),
    ),
  ],
  ['font-glyph-map', a2, 'no map to glyphs', edit('cidFont', '/CIDToGIDMap /Identity', '')],
  ['font-cmap', a2, 'an unknown encoding', edit('wideFont', '/Identity-H', '/Other-H')],
  ['font-encoding', a2, 'an encoding of a symbolic font', edit('font', '<<', '<</Encoding /WinAnsiEncoding ')],
  ['text-unicode', ua, 'no map to Unicode', edit('font', '/ToUnicode @unicode', '')],
  ['text-unicode', u2, 'no map to Unicode', edit('font', '/ToUnicode @unicode', '')],
  ['text-unicode', ua, 'a character without Unicode', data('unicode', '<01>', '<02>')],
  ['text-unicode-value', u2, 'the Unicode value 0', data('unicode', '<0041>', '<0000>')],
  ['text-unicode-value', ua, 'the Unicode value 0', data('unicode', '<0041>', '<0000>')],
  ['tagged', ua, 'not marked as tagged', edit('catalog', '/MarkInfo <</Marked true>>', '')],
  ['suspects', ua, 'suspects', edit('catalog', '/Marked true', '/Marked true /Suspects true')],
  ['accessibility-identifier', ua, 'no part of PDF/UA', data('metadata', '<pdfuaid:part>1', '<pdfuaid:part>9')],
  ['title', ua, 'an empty title', data('metadata', '>Report<', '><')],
  ['title-displayed', ua, 'the file name is shown', edit('catalog', 'DisplayDocTitle true', 'DisplayDocTitle false')],
  ['language', ua, 'no language', edit('catalog', '/Lang (en-GB)', '')],
  ['language-code', ua, 'a wrong language', edit('catalog', '(en-GB)', '(en_GB)')],
  ['language-code', ua, 'a wrong language of an element', edit('text', '<<', '<</Lang (f??) ')],
  ['content-tagged', ua, 'untagged content', content('/Artifact BMC', '0 0 9 9 re f /Artifact BMC')],
  [
    'content-tagged',
    ua,
    'an untagged form',
    content('/TD <</MCID 4>> BDC /X1 Do EMC', '/TD <</MCID 4>> BDC EMC /X1 Do'),
  ],
  [
    'artifact-nesting',
    ua,
    'decoration in text',
    content('/H1 <</MCID 0>> BDC', '/H1 <</MCID 0>> BDC /Artifact BMC EMC'),
  ],
  [
    'artifact-nesting',
    ua,
    'text in decoration',
    content('/H1 <</MCID 0>> BDC', '/Artifact BMC /H1 <</MCID 0>> BDC EMC EMC /H1 <</MCID 0>> BDC'),
  ],
  ['content-in-structure', ua, 'content without element', content('/MCID 7', '/MCID 8')],
  ['structure-readable', ua, 'a cycle', edit('itemBody', '/K []', '/K [@document]')],
  ['role-map', ua, 'an unmapped type', edit('text', '/S /Fancy', '/S /Unknown')],
  ['role-map', ua, 'a mapped standard type', edit('root', '/Standard /P', '/Standard /P /H1 /P')],
  ['role-map', ua, 'a cycle', edit('root', '/Standard /P', '/Standard /Fancy')],
  ['figure-alt', ua, 'no alternative text', edit('figure', '/Alt (a square)', '/Alt ( )')],
  ['formula-alt', ua, 'a formula', edit('text', '/S /Fancy', '/S /Formula')],
  ['heading-first', ua, 'heading 2 first', edit('heading', '/S /H1', '/S /H2')],
  ['heading-skipped', ua, 'heading 3 after 1', edit('text', '/S /Fancy', '/S /H3')],
  ['heading-kinds', ua, 'H and H1', edit('text', '/S /Fancy', '/S /H')],
  ['table-structure', ua, 'two heads', edit('body', '/S /TBody', '/S /THead')],
  ['table-structure', ua, 'a head without body', edit('body', '/S /TBody', '/S /TFoot')],
  ['table-regular', ua, 'a wide cell', edit('cell', '<<', '<</A [<</O /Table /ColSpan 2>>] ')],
  ['table-regular', ua, 'a high cell', edit('cell', '<<', '<</A <</O /Table /RowSpan 2>> ')],
  [
    'language',
    ua,
    'no language of the bookmarks',
    both(edit('catalog', '/Lang (en-GB)', '/Outlines <</First <</Title (x)>>>>'), everyElementIn('en')),
  ],
  [
    'table-scope',
    ua,
    'headings that do not exist',
    both(edit('headCell', '/Scope /Column', ''), edit('cell', '<<', '<</A <</O /Table /Headers [(none)]>> ')),
  ],
  ['table-scope', ua, 'no scope', edit('headCell', '/Scope /Column', '')],
  ['list-structure', ua, 'text in a list', edit('item', '/S /LI', '/S /P')],
  ['contents-structure', ua, 'an entry outside', edit('text', '/S /Fancy', '/S /TOCI')],
  ['note-id', ua, 'no identifier', edit('note', '/ID (note1)', '')],
  ['embedded-file-name', ua, 'a file without a name', add({ spec: '<</F (a) /EF <<>>>>' })],
  ['annotation-tagged', ua, 'an annotation outside', annotation('/Subtype /Circle /F 4 /Contents (x)')],
  [
    'annotation-description',
    ua,
    'an annotation without description',
    both(tagged, annotation('/Subtype /Circle /F 4 /StructParent 2')),
  ],
  [
    'field-name',
    ua,
    'a field without name',
    both(tagged, edit('mark', '/Annot', '/Form'), annotation('/Subtype /Widget /FT /Tx /F 4 /StructParent 2')),
  ],
  ['annotation-kind', ua, 'a trap network', annotation('/Subtype /TrapNet /F 4')],
  [
    'media-description',
    ua,
    'a film without description',
    both(tagged, annotation(`${circles} /A <</S /Rendition /R <</C <</CT (video/mp4)>>>>>>`)),
  ],
  ['tab-order', ua, 'no order of tabs', edit('page', '/Tabs /S', '/Tabs /R')],
  ['link-tagged', ua, 'a link outside', edit('annotation', '/StructParent 1', '')],
  ['link-description', ua, 'no description', edit('annotation', '/Contents (the page)', '')],
];

/** The first font as one with named glyphs, which shows the character `A`. */
const named = (program: 'FontFile' | 'FontFile3', bytes: Buffer, ...changes: readonly Change[]): Change =>
  both(
    ({ objects, streams }) => {
      objects.font =
        '<</Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Test /FirstChar 65 /LastChar 66 /Widths [500 500] /Encoding /WinAnsiEncoding /FontDescriptor @named>>';
      objects.named = `<</Type /FontDescriptor /FontName /AAAAAA+Test /Flags 32 /CharSet (/A) /${program} @letters>>`;
      objects.letters = program === 'FontFile3' ? '<</Subtype /Type1C>>' : '<<>>';
      streams.letters = bytes;
      for (const name of ['content', 'form'])
        streams[name] = Buffer.from(
          (streams[name] ?? Buffer.alloc(0)).toString('latin1').replaceAll('\\001', 'A').replaceAll('<01>', '<41>'),
          'latin1',
        );
    },
    ...changes,
  );

describe.each([
  ['Type 1', 'FontFile', buildPostScriptFont('Test')],
  ['CFF', 'FontFile3', compactFont()],
] as const)('a font of %s with named glyphs', (_kind, program, bytes) => {
  test.each<readonly [string, readonly RuleName[], Change]>([
    ['conforms', [], both()],
    ['has other widths', ['font-widths'], edit('font', '[500 500]', '[600 500]')],
    ['lacks a character', ['font-glyphs'], content('(AA)', '(AB)')],
    ['shows a code without a character', ['font-notdef'], content('(AA)', '(A\\001)')],
    ['lists a character that it lacks', ['font-character-set'], edit('named', '(/A)', '(/A/B)')],
    ['does not list a character', ['font-character-set'], edit('named', '(/A)', '(/B)')],
    ['names a character differently', ['font-glyphs'], edit('font', '/WinAnsiEncoding', '<</Differences [65 /B]>>')],
  ])('%s: %j', async (_what, expected, change) => {
    expect(await brokenRules(a2, named(program, bytes, change))).toEqual(expected);
  });
});

test('a drawn glyph has the width of the dictionary', async () => {
  const drawn = (width: number): Change =>
    add({ glyph: '<<>>' }, stream('glyph', Buffer.from(`${width} 0 d0 0 0 9 9 re f`)), ({ objects }) => {
      objects.font =
        '<</Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 0 /LastChar 1 /Widths [0 500] /Encoding <</Differences [1 /box]>> /CharProcs <</box @glyph>> /Resources <<>>>>';
    });
  expect(await brokenRules(a2, drawn(500))).toEqual([]);
  expect(await brokenRules(a2, drawn(600))).toEqual(['font-widths']);
});

describe('a file that breaks one rule is reported', () => {
  test.each(cases)('rule %s of %s: %s', async (rule, standard, _what, change) => {
    expect(await brokenRules(standard, change)).toEqual([rule]);
  });
});

/** No edit of a single object can break these rules alone. They have tests of their own. */
const elsewhere = [
  'metadata-present',
  'compressed-objects',
  'file-encrypted',
  'assistive-access',
  'transparency-colour-space',
  'cross-reference-table',
  'stream-keywords',
  'object-keywords',
];

test('every rule has a file that breaks it', () => {
  const tested = new Set<string>([...cases.map(([rule]) => rule), ...elsewhere]);
  expect(Object.keys(rules).filter((rule) => !tested.has(rule))).toEqual([]);
});

test('a file without metadata has no title, either', async () => {
  const change = edit('catalog', '/Metadata @metadata', '');
  expect(await brokenRules(ua, change)).toEqual(['metadata-present', 'title']);
  expect(await brokenRules(a2, change)).toEqual(['metadata-present']);
});

test('transparency without an output intent has no colour space for blending', async () => {
  const change = both(edit('catalog', '/OutputIntents [@intent]', ''), edit('state', '/ca 1', '/ca 0.5'));
  expect(await brokenRules(a2, change)).toEqual(['device-colour', 'transparency-colour-space']);
});

test('a page whose group has a colour space blends without an output intent', async () => {
  const change = both(
    ...[edit('catalog', '/OutputIntents [@intent]', ''), edit('state', '/ca 1', '/ca 0.5')],
    edit('page', '<<', '<</Group <</S /Transparency /CS [/CalGray <<>>]>> '),
  );
  expect(await brokenRules(a2, change)).toEqual(['device-colour']);
});

test.each([
  ['cross-reference-table', 'xref\n0 ', 'xref \n0 '],
  ['cross-reference-table', 'xref\n0 ', 'xref\n\n0 '],
  ['stream-keywords', '>>\nstream\n', '>>\nstream \n'],
  ['stream-keywords', '\nendstream', ' endstream'],
  ['object-keywords', '\n2 0 obj', '\n2  0 obj'],
  ['object-keywords', '\nendobj', ' endobj'],
  ['object-keywords', 'endobj\n', 'endobj '],
] as const)('a file with other line ends breaks %s: %j becomes %j', async (rule, from, to) => {
  const written = toPdf(conformingParts()).toString('latin1');
  const { standards: reports } = await checkPdf(Buffer.from(written.replace(from, to), 'latin1'), [a2]);
  // The table of offsets may be wrong now, which a reader mends.
  expect(reports[0]?.failures.map((failure) => failure.rule)).toContain(rule);
});

test('text and elements may name their languages where the document does not', async () => {
  expect(await brokenRules(ua, both(edit('catalog', '/Lang (en-GB)', ''), everyElementIn('en')))).toEqual([]);
});

test('an annotation outside of the page needs no description', async () => {
  const outside = both(
    edit('annotation', '[0 0 9 9]', '[800 800 800 800]'),
    edit('annotation', '/Contents (the page)', ''),
  );
  expect(await brokenRules(ua, outside)).toEqual([]);
});

test('a file may be associated with any part of the document', async () => {
  const change = add(
    { spec: '<</Type /Filespec /F (a) /UF (a) /AFRelationship /Data /EF <<>>>>' },
    edit('image', '<<', '<</AF [@spec] '),
  );
  expect(await brokenRules(a3, change)).toEqual([]);
});

test('level U includes level B, but not the other way round', async () => {
  const declared = (level: string): Change => data('metadata', /<pdfaid:conformance>./, `<pdfaid:conformance>${level}`);
  expect(await brokenRules(a2, declared('U'))).toEqual([]);
  expect(await brokenRules(u2, declared('B'))).toEqual(['archive-identifier']);
});

test.each(standards)('the good file passes %s', async (standard) => {
  expect(await brokenRules(standard, () => undefined)).toEqual([]);
});

test('a conforming file passes several standards at once', async () => {
  const { passed, standards: reports } = await checkPdf(toPdf(conformingParts()), [a2, ua]);
  expect(passed).toBe(true);
  expect(reports.map(({ standard, checked }) => [standard, checked > 30])).toEqual([
    [a2, true],
    [ua, true],
  ]);
});

test('failures are counted, with the location of the first one', async () => {
  const parts = conformingParts();
  edit('figure', '/Alt (a square)', '')(parts);
  edit('text', '/S /Fancy', '/S /Figure')(parts);
  const report = await checkPdf(toPdf(parts), [ua]);
  expect(report.standards[0]?.failures).toMatchObject([
    { rule: 'figure-alt', clause: 'ISO 14289-1, 7.3; Matterhorn Protocol 13-004', place: 'page 1, Figure', count: 2 },
  ]);
});

test('the reference lists every rule with its clauses and its message', () => {
  const page = readFileSync('docs/reference/conformance.md', 'utf8');
  const rows = Object.entries(rules).map(([name, { message, clauses }]) => {
    const clauseOf = (standard: Standard): string =>
      ((clauses as Partial<Record<Standard, string>>)[standard] ?? '')
        .replace(/^ISO [\d-]+, /, '')
        .replace('; Matterhorn Protocol', ';');
    const ofLevelU = clauseOf('PDF/A-2u').replace(/.+/, '$& (level U)');
    const numbers = [
      clauseOf('PDF/A-1b'),
      clauseOf('PDF/A-2b') || ofLevelU,
      clauseOf('PDF/A-3b'),
      clauseOf('PDF/UA-1'),
    ];
    return `| \`${name}\` | ${numbers.join(' | ')} | ${message} |`;
  });
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  const [list = ''] = page.split('## What is not checked');
  expect(list.match(/^\| `[a-z0-9-]+` \|/gm)).toHaveLength(rows.length);
});
