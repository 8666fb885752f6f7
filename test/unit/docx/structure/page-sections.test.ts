import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { fillXml, problems } from '../render/fill.ts';

/** A page setup: its name is the width of its pages, and `frames` are the numbers of headers in it. */
const setup = (width: number, ...frames: readonly number[]) => {
  const headers = frames.map((frame) => `<w:headerReference w:type="default" r:id="rIdHeader${frame}"/>`);
  return `<w:sectPr>${headers.join('')}<w:pgSz w:w="${width}" w:h="9000"/></w:sectPr>`;
};
const broken = (text: string, width: number, ...frames: readonly number[]) =>
  `<w:p><w:pPr>${setup(width, ...frames)}</w:pPr>${text === '' ? '' : run(text)}</w:p>`;
const [a, b] = [paragraph('A'), paragraph('B')];
const item = paragraph('{n}');

/** A document whose body ends with its last page setup. */
function inputOf(body: string): DocxInput {
  const at = body.lastIndexOf('<w:sectPr>');
  return { body: body.slice(0, at), section: body.slice(at).replace(/<\/?w:sectPr>/g, '') };
}

/** The text of each page section, with the width of its pages and the headers that it names. */
function sectionsOf(body: string, data: unknown): string[] {
  const xml = fillXml(inputOf(body), data).replace(/^[\s\S]*<w:body>/, '');
  expect(xml).not.toContain('<?');
  const found: string[] = [];
  let text: string[] = [];
  for (const [one] of xml.matchAll(/<w:p[ >][\s\S]*?<\/w:p>|<w:p\/>|<w:sectPr>[\s\S]*?<\/w:sectPr>/g)) {
    const own = /<w:sectPr>[\s\S]*<\/w:sectPr>/.exec(one)?.[0];
    text.push(one.replace(/<[^>]*>/g, ''));
    if (own === undefined) continue;
    const headers = Array.from(own.matchAll(/rIdHeader(\d)/g), ([, header]) => ` h${header}`).join('');
    found.push(`${text.filter((words) => words !== '').join(' ')} | ${/w:w="(\d+)"/.exec(own)?.[1]}${headers}`);
    text = [];
  }
  return found.map((one) => one.trim());
}

const cases: readonly (readonly [what: string, body: string, data: unknown, expected: readonly string[]])[] = [
  [
    'with the closing tag of a list, once after it',
    a + broken('', 1) + paragraph('{#items}') + item + broken('{/items}', 2) + b + setup(3),
    { items: [{ n: 1 }, { n: 2 }] },
    ['A | 1', '1 2 | 2', 'B | 3'],
  ],
  [
    'with the closing tag of an empty list, whose page goes',
    a + broken('', 1) + paragraph('{#items}') + item + broken('{/items}', 2) + b + setup(3),
    { items: [] },
    ['A | 1', 'B | 3'],
  ],
  [
    'with the closing tag of an empty list, below other content',
    a + paragraph('{#items}') + item + broken('{/items}', 2) + b + setup(3),
    { items: [] },
    ['A | 2', 'B | 3'],
  ],
  [
    'with the opening tag, once before the list',
    a + broken('{#items}', 1) + item + paragraph('{/items}') + b + setup(3),
    { items: [{ n: 1 }, { n: 2 }] },
    ['A | 1', '1 2 B | 3'],
  ],
  [
    'with both tags of a true condition',
    a + broken('{#on}', 1) + paragraph('x') + broken('{/on}', 2) + b + setup(1),
    { on: true },
    ['A | 1', 'x | 2', 'B | 1'],
  ],
  [
    'with both tags of a false condition between pages that look the same',
    a + broken('{#on}', 1) + paragraph('x') + broken('{/on}', 2) + b + setup(1),
    {},
    ['A B | 1'],
  ],
  [
    'with both tags of a false condition between pages that differ',
    a + broken('{#on}', 1) + paragraph('x') + broken('{/on}', 2) + b + setup(3),
    {},
    ['A | 1', 'B | 3'],
  ],
  [
    'in a false condition, whose headers stay',
    a + paragraph('{#on}') + broken('', 1, 1) + paragraph('x') + broken('', 2, 2) + paragraph('{/on}') + b + setup(1),
    {},
    ['A B | 1 h1'],
  ],
  [
    'in a false condition, before pages without a different first page',
    `${a}${paragraph('{#on}')}${broken('', 1, 1).replace('</w:sectPr>', '<w:titlePg/></w:sectPr>')}${paragraph('{/on}')}${b}${setup(1)}`,
    {},
    ['A B | 1 h1'],
  ],
  [
    'of a first section that is left out, from which others took their header',
    paragraph('{#on}') + a + broken('', 1, 1) + paragraph('{/on}') + b + broken('', 2) + paragraph('C') + setup(3),
    {},
    ['B | 2 h1', 'C | 3'],
  ],
  [
    'at the end of each item, without an empty last page',
    paragraph('{#items}') + item + broken('', 1, 1) + paragraph('{/items}') + setup(1, 1),
    { items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    ['1 | 1 h1', '2 | 1', '3 | 1'],
  ],
  [
    'at the end of each item, before an empty paragraph',
    `${paragraph('{#items}')}${item}${broken('', 1)}${paragraph('{/items}')}<w:p/>${setup(2)}`,
    { items: [{ n: 1 }, { n: 2 }] },
    ['1 | 1', '2 | 1'],
  ],
  [
    'with the closing tag at the end of the document',
    `${paragraph('{#items}')}${item}${broken('{/items}', 1)}<w:p/>${setup(2)}`,
    { items: [{ n: 1 }, { n: 2 }] },
    ['1 2 | 1'],
  ],
  [
    'in a list without items, which is all there is',
    paragraph('{#items}') + item + broken('', 1, 1) + paragraph('{/items}') + setup(2),
    { items: [] },
    ['| 2 h1'],
  ],
  [
    'that the author left empty',
    a + broken('', 1) + broken('', 2) + item + setup(3),
    { n: 1 },
    ['A | 1', '| 2', '1 | 3'],
  ],
];

describe('page setups', () => {
  it.each(cases)('%s', async (_, body, data, expected) => {
    expect(sectionsOf(body, data)).toEqual(expected);
    const withoutHeaders = body.replace(/<w:headerReference[^>]*>/g, '');
    expect(await problems(inputOf(withoutHeaders), data)).toEqual([]);
  });
});
