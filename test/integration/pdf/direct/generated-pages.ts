import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { perhaps, several, sometimes, wordsOf } from './generated-words.ts';

/** Documents whose pages and sections differ, and the ends of their pages. */

const { outerSides, paragraph, run } = word;

/** A document of one page or two with borders around its pages. */
export const borderedPages: fc.Arbitrary<DocxInput> = fc
  .record({
    kind: fc.constantFrom('single', 'double', 'thinThickSmallGap', 'thickThinSmallGap', 'apples'),
    size: fc.integer({ min: 2, max: 60 }),
    color: fc.constantFrom('auto', '1F5B45'),
    sides: fc.subarray([...outerSides], { minLength: 1 }),
    spaces: fc.tuple(...outerSides.map(() => fc.integer({ min: 0, max: 31 }))),
    offset: perhaps(1, 'w:offsetFrom="page"', 'w:offsetFrom="text"'),
    page: fc.constantFrom([11_906, 16_838], [12_240, 15_840], [16_838, 11_906]),
    margins: fc.tuple(...outerSides.map(() => fc.integer({ min: 400, max: 2_400 }))),
    distances: fc.tuple(fc.integer({ min: 200, max: 1_400 }), fc.integer({ min: 200, max: 1_400 })),
    header: sometimes(wordsOf(4), undefined),
    footer: sometimes(wordsOf(4), undefined),
    fill: perhaps(1, word.shaded('203040')),
    texts: fc.array(wordsOf(40), { minLength: 1, maxLength: 30 }),
  })
  .map(({ sides, page: [width, height], distances: [top, bottom], header, footer, ...of }) => {
    const borders = sides.map((side, index) => word.border(side, of.size, of.color, of.kind, of.spaces[index]));
    const margin = outerSides.map((side, index) => `w:${side}="${of.margins[index]}"`).join(' ');
    return {
      body: of.texts.map((text) => paragraph(text, of.fill)).join(''),
      section: `<w:pgSz w:w="${width}" w:h="${height}"/><w:pgMar ${margin} w:header="${top}" w:footer="${bottom}" w:gutter="0"/><w:pgBorders ${of.offset}>${borders.join('')}</w:pgBorders>`,
      ...(header !== undefined && { headers: [paragraph(header)] }),
      ...(footer !== undefined && { footers: [paragraph(footer)] }),
    };
  });

const superscript = '<w:vertAlign w:val="superscript"/>';
const noteNumber = (element: string): string => run(element, '<w:rStyle w:val="FootnoteReference"/>');
const noteSpacing = fc
  .tuple(fc.constantFrom(0, 60, 120), fc.constantFrom(0, 80, 160), fc.constantFrom(240, 259, 276, 360))
  .map(([before, after, line]) => word.spaced(before, after, line));
const noteStyles = (size: number, noteSize: number, ofText: string, ofNotes: string): string =>
  word.styles(
    { run: word.font('Carlito') },
    word.normal(ofText, word.size(size)),
    word.style('Lead', { basedOn: 'Normal', run: word.size(30) }),
    word.style('FootnoteText', {
      name: 'footnote text',
      basedOn: 'Normal',
      paragraph: ofNotes,
      run: word.size(noteSize),
    }),
    word.style('FootnoteReference', { type: 'character', name: 'footnote reference', run: superscript }),
  );

/** Paragraphs, some with a footnote after a word in the middle or at the end. */
const notedParagraph = fc.record({
  texts: fc.array(wordsOf(30), { minLength: 1, maxLength: 3 }),
  hasNotes: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 3, arbitrary: fc.constant(false) }),
  properties: perhaps(
    2,
    '<w:pStyle w:val="Lead"/>',
    '<w:pageBreakBefore/>',
    '<w:pageBreakBefore/>',
    '<w:widowControl/>',
  ),
});

/** A document of several pages with footnotes. */
export const footnotes: fc.Arbitrary<DocxInput> = fc
  .record({
    size: fc.integer({ min: 18, max: 28 }),
    noteSize: fc.integer({ min: 14, max: 24 }),
    spacing: noteSpacing,
    ofNotes: noteSpacing,
    paragraphs: fc.array(notedParagraph, { minLength: 1, maxLength: 30, size: 'max' }),
    version: fc.constantFrom(undefined, 12, 15),
    notes: fc.array(wordsOf(40), { minLength: 5, maxLength: 5 }),
    footer: sometimes(wordsOf(4), undefined),
  })
  .map(({ size, noteSize, spacing, ofNotes, paragraphs, version, notes, footer }) => {
    let count = 0;
    const body = paragraphs.map(({ texts, hasNotes, properties }) => {
      const content = texts.map((text, index) => {
        const reference = hasNotes ? noteNumber(`<w:footnoteReference w:id="${++count}"/>`) : '';
        return `${run(index === 0 ? text : ` ${text}`)}${reference}`;
      });
      return paragraph(content.join(''), properties);
    });
    const note = (_: unknown, index: number): string =>
      paragraph(
        `${noteNumber('<w:footnoteRef/>')}${run(` ${notes[index % notes.length]}`)}`,
        '<w:pStyle w:val="FootnoteText"/>',
      );
    return {
      ...word.document(body.join(''), {
        styles: noteStyles(size, noteSize, spacing, ofNotes),
        ...(version !== undefined && { settings: word.compatibility(version) }),
      }),
      ...(count > 0 && { footnotes: Array.from({ length: count }, note) }),
      ...(footer !== undefined && { footers: [paragraph(footer)] }),
    };
  });

const chapterStyles = word.styles(
  { run: word.font('Liberation Sans'), paragraph: '<w:spacing w:after="160"/>' },
  word.normal(),
  word.style('Chapter', {
    basedOn: 'Normal',
    paragraph: '<w:pageBreakBefore/><w:spacing w:before="360" w:after="40"/>',
  }),
);
const letterSection =
  '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';

/**
 * A paragraph that may begin a page. It has no text, or a page break before, between or after its words.
 */
const beginning = fc
  .record({
    properties: fc.array(
      fc.constantFrom('<w:pStyle w:val="Chapter"/>', '<w:pageBreakBefore/>', '<w:contextualSpacing/>'),
      { maxLength: 1 },
    ),
    before: perhaps(1, 'w:before="0"', 'w:before="100"', 'w:before="500"'),
    after: perhaps(1, 'w:after="0"', 'w:after="300"'),
    content: fc.constantFrom('<w:t>text</w:t>', '<w:t>text</w:t>', '', '<w:br w:type="page"/><w:t>text</w:t>'),
    behind: perhaps(2, '<w:br w:type="page"/>', '<w:br w:type="page"/><w:t>more</w:t>'),
    endsSection: perhaps(2, letterSection),
  })
  .map(({ properties, before, after, content, behind, endsSection }) => {
    const spacing = before === '' && after === '' ? '' : `<w:spacing ${before} ${after}/>`;
    return paragraph(content === '' ? '' : run(content + behind), properties.join('') + spacing + endsSection);
  });

/** A document whose paragraphs begin pages in every way, with space above and below them. */
export const brokenPages: fc.Arbitrary<DocxInput> = fc
  .record({
    blocks: several(
      fc.oneof(
        { weight: 4, arbitrary: beginning },
        { weight: 1, arbitrary: fc.constant(word.table([3000], [word.row([word.cell(3000, 'cell')])])) },
      ),
      6,
      2,
    ),
    version: fc.constantFrom(undefined, 12, 14, 15, 15),
    addsSpaces: fc.boolean(),
    protection: perhaps(2, '<w:documentProtection w:edit="forms" w:enforcement="1"/>'),
  })
  .map(({ blocks, version, addsSpaces, protection }) =>
    word.document(blocks + paragraph('end'), {
      styles: chapterStyles,
      settings: `${protection}${word.compatibility(version, addsSpaces ? '<w:doNotUseHTMLParagraphAutoSpacing/>' : '')}`,
    }),
  );

interface Lines {
  readonly height: number;
  readonly before: number;
  readonly after: number;
}

const space = fc.constantFrom(0, 0, 60, 120, 240);
const linesOf = (least: number, most: number): fc.Arbitrary<Lines> =>
  fc.record({ height: fc.integer({ min: least, max: most }), before: space, after: space });
const exact = (text: string, { height, before, after }: Lines, properties = ''): string =>
  paragraph(text, properties + word.spaced(before, after, height, 'exact'));
const keptTable = fc
  .record({ rows: fc.integer({ min: 1, max: 6 }), height: fc.integer({ min: 250, max: 500 }) })
  .map(({ rows, height }) => {
    const row = word.row([word.cell(4000, exact('row', { height, before: 0, after: 0 }))], '<w:cantSplit/>');
    return word.table([4000], [row.repeat(rows)], word.fixedWidth(4000));
  });

/** Paragraphs that stay together with a paragraph or a table, followed by others. */
const chain = fc
  .record({
    kept: fc.array(linesOf(250, 500), { minLength: 1, maxLength: 3 }),
    last: fc.oneof(
      linesOf(250, 900).map((one) => exact('last', one)),
      keptTable,
    ),
    others: fc.array(linesOf(250, 700), { minLength: 1, maxLength: 6 }),
  })
  .map(({ kept, last, others }) =>
    [...kept.map((one) => exact('kept', one, '<w:keepNext/>')), last, ...others.map((one) => exact('other', one))].join(
      '',
    ),
  );

/** A document of several pages with paragraphs that stay together, of which some end a page. */
export const chainsAtPageEnds: fc.Arbitrary<DocxInput> = several(chain, 20, 8).map((body) =>
  word.forWord(body, undefined, word.styles({ run: word.font('Liberation Sans') + word.size(22) })),
);

const types = ['default', 'first', 'even'] as const;

/** A document whose pages have headers and footers of some kinds, with or without styles for them. */
export const storiesOfSomePages: fc.Arbitrary<DocxInput> = fc
  .record({
    headers: fc.subarray([...types]),
    footers: fc.subarray([...types]),
    texts: fc.array(fc.constantFrom('one', 'one two', ''), { minLength: 1, maxLength: 3 }),
    hasFirst: fc.boolean(),
    hasEven: fc.boolean(),
    margin: fc.constantFrom(300, 720, 1000, 1440),
    names: fc.subarray(['header', 'footer']),
    size: fc.constantFrom(12, 22, 60),
    after: fc.constantFrom(0, 200),
    isStyled: fc.boolean(),
    lines: fc.integer({ min: 20, max: 120 }),
  })
  .map(({ headers, footers, texts, hasFirst, hasEven, margin, names, size, after, isStyled, lines }) => {
    const stories = [
      ...headers.map((type) => ({ type, kind: 'header', root: 'hdr' })),
      ...footers.map((type) => ({ type, kind: 'footer', root: 'ftr' })),
    ];
    const xml = stories.map(({ type, kind, root }) => {
      const style = isStyled && names.includes(kind) ? `<w:pStyle w:val="S${kind}"/>` : '';
      const content = texts.map((text) => paragraph(run(text), style)).join('');
      return [`word/${kind}-${type}.xml`, `<w:${root} xmlns:w="${word.namespace}">${content}</w:${root}>`];
    });
    const references = stories.map(({ type, kind }) => `<w:${kind}Reference w:type="${type}" r:id="r${kind}${type}"/>`);
    const styles = names.map((name) =>
      word.style(`S${name}`, {
        name,
        basedOn: 'Normal',
        paragraph: `<w:spacing w:after="${after}"/>`,
        run: word.size(size),
      }),
    );
    const body = Array.from({ length: lines }, (_, index) => paragraph(`line ${index}`)).join('');
    const { rels, parts } = word.document(body, {
      styles: word.styles(
        { run: word.font('Carlito') + word.size(22), paragraph: '<w:spacing w:after="80"/>' },
        word.normal(),
        ...styles,
      ),
      settings: `${hasEven ? '<w:evenAndOddHeaders/>' : ''}${word.compatibility(15)}`,
    });
    return {
      body,
      section: `${references.join('')}${hasFirst ? '<w:titlePg/>' : ''}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="${margin}" w:right="1440" w:bottom="${margin}" w:left="1440" w:header="300" w:footer="300" w:gutter="0"/>`,
      rels: [
        ...rels,
        ...stories.map(({ type, kind }) => ({ id: `r${kind}${type}`, type: kind, target: `${kind}-${type}.xml` })),
      ],
      parts: { ...parts, ...Object.fromEntries(xml) },
    };
  });
