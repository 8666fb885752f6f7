import { describe, expect, it } from 'vitest';
import { endnoteReference, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { detailsOf, type How, inspect, problems, render, textOf } from '../render/fill.ts';

const noted = (text: string, id: number) => `<w:p>${run(text)}${footnoteReference(id)}</w:p>`;

/** The text of the notes in the order of their references in the body, and then all texts of the part. */
function notesOf(body: string, footnotes: readonly string[], data: unknown, how: How = {}): [string[], string[]] {
  const { docx, xml } = render({ body, footnotes: footnotes.map(paragraph) }, data, how);
  const part = docx.readText('word/footnotes.xml') ?? '';
  const notes = Array.from(part.matchAll(/<w:footnote [^>]*?w:id="(-?\d+)"[^>]*>([\s\S]*?)<\/w:footnote>/g));
  const texts = new Map(notes.map(([, id = '', note = '']) => [id, note.replace(/<[^>]*>/g, '')]));
  const referred = Array.from(
    xml.matchAll(/<w:footnoteReference w:id="(\d+)"/g),
    ([, id = '']) => texts.get(id) ?? '?',
  );
  return [referred, [...texts.values()].filter((text) => text !== '')];
}

const cases: readonly (readonly [string, string, readonly string[], unknown, readonly string[]])[] = [
  ['removed', noted('{#no}a', 1) + paragraph('{/no}') + noted('b', 2), ['one', 'two'], {}, ['two']],
  ['out of order', noted('a{x}', 2) + noted('b', 1), ['one', 'two'], {}, ['two', 'one']],
  ['used twice', noted('a{x}', 1) + noted('b', 1), ['one', 'two'], {}, ['one', 'one']],
  [
    'repeated between others',
    noted('a', 3) + paragraph('{#items}') + noted('{.}', 1) + paragraph('{/items}') + noted('c', 2),
    ['one', 'two', 'three'],
    { items: ['x', 'y'] },
    ['three', 'one', 'one', 'two'],
  ],
  [
    'with tags, in rows',
    table([[noted('{#items}{n}', 1), paragraph('{/items}')]]),
    ['of {n}, {#list}{.}{/list} for {name}'],
    { name: 'Ada', items: [{ n: 1, list: ['x', 'y'] }, { n: 2 }] },
    ['of 1, xy for Ada', 'of 2,  for Ada'],
  ],
  [
    'with tags in the second note only',
    noted('x', 1) + noted('y', 2),
    ['one', 'for {name}'],
    { name: 'Ada' },
    ['one', 'for Ada'],
  ],
];

describe('notes', () => {
  it.each(cases)('%s', async (_, body, notes, data, expected) => {
    for (const target of ['docx', 'pdf'] as const)
      expect(notesOf(body, notes, data, { target })).toEqual([expected, expected]);
    expect(await problems({ body, footnotes: notes.map(paragraph) }, data)).toEqual([]);
  });

  it('at the end of the document and comments read their item too, and the schema shows it', async () => {
    const range = (end: string) => `<w:commentRange${end} w:id="0"/>`;
    const body =
      `<w:p>${run('{#items}')}${range('Start')}${run('{n}')}${range('End')}<w:r><w:commentReference w:id="0"/></w:r>` +
      `${endnoteReference(1)}${run('{/items}')}</w:p>`;
    const template = { body, endnotes: [paragraph('end {n} {only}')], comments: [paragraph('comment {n}')] };
    const data = {
      items: [
        { n: 1, only: 'x' },
        { n: 2, only: 'y' },
      ],
    };
    const { docx, xml, warnings } = render(template, data);
    expect(warnings).toEqual([]);
    expect(textOf(docx, 'word/endnotes.xml').trim()).toBe('end 1 x\nend 2 y');
    expect(textOf(docx, 'word/comments.xml').trim()).toBe('comment 1\ncomment 2');
    for (const mark of ['RangeStart', 'RangeEnd', 'Reference'])
      expect(Array.from(xml.matchAll(new RegExp(`<w:comment${mark} w:id="(\\d+)"`, 'g')), ([, id]) => id)).toEqual([
        '0',
        '1',
      ]);
    expect(await problems(template, data)).toEqual([]);
    expect(JSON.stringify(inspect(template))).toMatch(/"items":\{.*"only"/);
  });

  it('must hold whole sections', () => {
    const [detail] = detailsOf({ body: noted('a', 1) + noted('b', 2), footnotes: ['{#x}a', 'b{/x}'].map(paragraph) });
    expect(detail).toMatchObject({ message: expect.stringContaining('begins in one footnote and ends in another') });
  });
});
