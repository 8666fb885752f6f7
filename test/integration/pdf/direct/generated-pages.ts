import fc from 'fast-check';
import { PNG } from 'pngjs';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

/** Documents whose pages, sections and pictures differ. */

const words = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price'.split(' ');
const textOf = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(' '));
const sometimes = <T>(value: fc.Arbitrary<T>, fallback: T): fc.Arbitrary<T> => fc.oneof(fc.constant(fallback), value);
const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

const pageSides = ['top', 'left', 'bottom', 'right'] as const;

/** A document of one page or two with borders around its pages. */
export const borderedPages: fc.Arbitrary<DocxInput> = fc
  .record({
    kind: fc.constantFrom('single', 'double', 'thinThickSmallGap', 'thickThinSmallGap', 'apples'),
    size: fc.integer({ min: 2, max: 60 }),
    color: fc.constantFrom('auto', '1F5B45'),
    sides: fc.subarray([...pageSides], { minLength: 1 }),
    spaces: fc.tuple(...pageSides.map(() => fc.integer({ min: 0, max: 31 }))),
    offset: fc.constantFrom('', 'w:offsetFrom="page"', 'w:offsetFrom="text"'),
    page: fc.constantFrom([11_906, 16_838], [12_240, 15_840], [16_838, 11_906]),
    margins: fc.tuple(...pageSides.map(() => fc.integer({ min: 400, max: 2_400 }))),
    distances: fc.tuple(fc.integer({ min: 200, max: 1_400 }), fc.integer({ min: 200, max: 1_400 })),
    header: sometimes(textOf(4), undefined),
    footer: sometimes(textOf(4), undefined),
    fill: fc.constantFrom('', '<w:shd w:val="clear" w:fill="203040"/>'),
    texts: fc.array(textOf(40), { minLength: 1, maxLength: 30 }),
  })
  .map(
    ({
      kind,
      size,
      color,
      sides,
      spaces,
      offset,
      page: [width, height],
      margins,
      distances,
      header,
      footer,
      fill,
      texts,
    }) => {
      const borders = sides
        .map(
          (side, index) => `<w:${side} w:val="${kind}" w:sz="${size}" w:space="${spaces[index]}" w:color="${color}"/>`,
        )
        .join('');
      const margin = pageSides.map((side, index) => `w:${side}="${margins[index]}"`).join(' ');
      return {
        body: texts.map((text) => paragraph(text, fill)).join(''),
        section: `<w:pgSz w:w="${width}" w:h="${height}"/><w:pgMar ${margin} w:header="${distances[0]}" w:footer="${distances[1]}" w:gutter="0"/><w:pgBorders ${offset}>${borders}</w:pgBorders>`,
        ...(header !== undefined && { headers: [paragraph(header)] }),
        ...(footer !== undefined && { footers: [paragraph(footer)] }),
      };
    },
  );

/** Squares of several colours. */
function pictureBytes(width: number, height: number): Buffer {
  const picture = new PNG({ width, height });
  for (let at = 0; at < width * height; at++) {
    const [column, row] = [Math.floor((at % width) / 8), Math.floor(at / width / 8)];
    picture.data.set([(column * 90) % 256, (row * 70) % 256, (column + row) % 2 === 0 ? 255 : 60, 255], at * 4);
  }
  return PNG.sync.write(picture);
}

const withPicture: Pick<DocxInput, 'rels' | 'parts'> = {
  rels: [{ id: 'rIdPicture', type: 'image', target: 'media/picture.png' }],
  parts: { 'word/media/picture.png': pictureBytes(120, 80) },
};

const unitsPerTwip = 635;
const graphic = (extent: string, crop = ''): string =>
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rIdPicture"/>${crop}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic>`;
const extentOf = (width: number, height: number): string =>
  `cx="${width * unitsPerTwip}" cy="${height * unitsPerTwip}"`;
const inlinePicture = (width: number, height: number, crop = ''): string => {
  const extent = extentOf(width, height);
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr id="1" name="p"/>${graphic(extent, crop)}</wp:inline></w:drawing></w:r>`;
};

const side = fc.integer({ min: 600, max: 4_000 });
const cropped = fc
  .tuple(side, side, ...pageSides.map(() => sometimes(fc.integer({ min: 0, max: 25_000 }), 0)))
  .map(([width, height, top, left, bottom, right]) =>
    inlinePicture(width, height, `<a:srcRect l="${left}" t="${top}" r="${right}" b="${bottom}"/>`),
  );

/** A document with pictures that are cut at their sides, among words. */
export const croppedPictures: fc.Arbitrary<DocxInput> = fc
  .array(fc.tuple(sometimes(textOf(8), ''), cropped), { minLength: 1, maxLength: 4 })
  .map((parts) => ({
    ...withPicture,
    body: parts
      .map(([text, picture]) => `<w:p><w:r><w:t>${text}</w:t></w:r>${picture}<w:r><w:t>${text}</w:t></w:r></w:p>`)
      .join(''),
  }));

const distance = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', '', ` ${name}="0"`),
    fc.integer({ min: 0, max: 400_000 }).map((units) => ` ${name}="${units}"`),
  );
const noOutline = fc.constantFrom(
  '',
  '<a:noFill/><a:ln><a:noFill/></a:ln>',
  '<a:ln w="9525"><a:noFill/><a:miter lim="800000"/><a:headEnd/><a:tailEnd/></a:ln>',
);
const spacedPicture = fc
  .record({
    size: fc.tuple(side, side),
    distances: fc.tuple(...['distT', 'distB', 'distL', 'distR'].map(distance)),
    effect: fc.constantFrom('', '<wp:effectExtent l="19050" t="0" r="2474" b="10795"/>'),
    outline: noOutline,
  })
  .map(({ size: [width, height], distances, effect, outline }) =>
    inlinePicture(width, height)
      .replace(/ distT.*?>/, `${distances.join('')}>`)
      .replace('<wp:docPr', `${effect}<wp:docPr`)
      .replace('</pic:spPr>', `${outline}</pic:spPr>`),
  );
const textRun = fc
  .constantFrom(' ', '')
  .chain((end) => textOf(6).map((text) => `<w:r><w:t xml:space="preserve">${text}${end}</w:t></w:r>`));

/** A document with pictures among words, with and without distances. */
export const picturesInLines: fc.Arbitrary<DocxInput> = fc
  .array(
    fc.tuple(
      fc.constantFrom('left', 'center', 'right'),
      fc.array(fc.oneof(spacedPicture, textRun), { minLength: 1, maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((paragraphs) => ({
    ...withPicture,
    body: paragraphs
      .map(([alignment, content]) => `<w:p><w:pPr><w:jc w:val="${alignment}"/></w:pPr>${content.join('')}</w:p>`)
      .join(''),
  }));

const cellWithPicture = fc
  .record({
    alignment: fc.constantFrom('top', 'center', 'bottom', 'bottom'),
    height: sometimes(fc.integer({ min: 200, max: 1_500 }), 0),
    texts: fc.array(textOf(6), { minLength: 1, maxLength: 4 }),
  })
  .map(({ alignment, height, texts }) => {
    const picture = height === 0 ? '' : `<w:p>${inlinePicture(600, height)}</w:p>`;
    return `<w:tc><w:tcPr><w:tcW w:w="2500" w:type="dxa"/><w:vAlign w:val="${alignment}"/></w:tcPr>${picture}${texts.map((text) => paragraph(text)).join('')}</w:tc>`;
  });

/** A document with a table near the end of a page whose cells have pictures. */
export const picturesInCells: fc.Arbitrary<DocxInput> = fc
  .record({
    free: fc.integer({ min: 1_500, max: 8_000 }),
    rows: fc.array(fc.tuple(fc.boolean(), fc.array(cellWithPicture, { minLength: 3, maxLength: 3 })), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ free, rows }) => {
    const above = paragraph('above', `<w:spacing w:after="${13_400 - free}"/>`);
    const row = ([isWhole, cells]: [boolean, string[]]): string =>
      `<w:tr><w:trPr>${isWhole ? '<w:cantSplit/>' : ''}</w:trPr>${cells.join('')}</w:tr>`;
    const table = `<w:tbl><w:tblPr><w:tblW w:w="7500" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2500"/>'.repeat(3)}</w:tblGrid>${rows.map(row).join('')}</w:tbl>`;
    return { ...withPicture, body: `${above}${table}${paragraph('below')}` };
  });

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const settingsFor = (version: number): string =>
  `<w:settings xmlns:w="${wordNamespace}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`;
const noteStyles = (size: number, noteSize: number, spacing: string, noteSpacing: string): string =>
  `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr>${spacing}</w:pPr><w:rPr><w:sz w:val="${size}"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Lead"><w:name w:val="Lead"/><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="30"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/><w:basedOn w:val="Normal"/><w:pPr>${noteSpacing}</w:pPr><w:rPr><w:sz w:val="${noteSize}"/></w:rPr></w:style><w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`;
const noteNumber = (element: string): string =>
  `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>${element}</w:r>`;
const spacingOf = fc
  .tuple(fc.constantFrom(0, 60, 120), fc.constantFrom(0, 80, 160), fc.constantFrom(240, 259, 276, 360))
  .map(
    ([before, after, line]) =>
      `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/>`,
  );

/** Paragraphs of which some have notes, behind a word in the middle or at the end. */
const notedParagraph = fc.record({
  texts: fc.array(textOf(30), { minLength: 1, maxLength: 3 }),
  hasNotes: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 3, arbitrary: fc.constant(false) }),
  properties: fc.constantFrom(
    '',
    '',
    '<w:pStyle w:val="Lead"/>',
    '<w:pageBreakBefore/>',
    '<w:pageBreakBefore/>',
    '<w:widowControl/>',
  ),
});

/** A document of some pages with footnotes. */
export const footnotes: fc.Arbitrary<DocxInput> = fc
  .record({
    size: fc.integer({ min: 18, max: 28 }),
    noteSize: fc.integer({ min: 14, max: 24 }),
    spacing: spacingOf,
    noteSpacing: spacingOf,
    paragraphs: fc.array(notedParagraph, { minLength: 1, maxLength: 30, size: 'max' }),
    version: fc.constantFrom('', ...[12, 15].map((version) => settingsFor(version))),
    notes: fc.array(textOf(40), { minLength: 5, maxLength: 5 }),
    footer: sometimes(textOf(4), undefined),
  })
  .map(({ size, noteSize, spacing, noteSpacing, paragraphs, version, notes, footer }) => {
    let count = 0;
    const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const body = paragraphs.map(({ texts, hasNotes, properties }) => {
      const content = texts.map((text, index) => {
        const reference = hasNotes ? noteNumber(`<w:footnoteReference w:id="${++count}"/>`) : '';
        return `${run(index === 0 ? text : ` ${text}`)}${reference}`;
      });
      return `<w:p><w:pPr>${properties}</w:pPr>${content.join('')}</w:p>`;
    });
    const note = (_: unknown, index: number): string =>
      `<w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>${noteNumber('<w:footnoteRef/>')}${run(` ${notes[index % notes.length]}`)}</w:p>`;
    return {
      body: body.join(''),
      ...(count > 0 && { footnotes: Array.from({ length: count }, note) }),
      ...(footer !== undefined && { footers: [paragraph(footer)] }),
      ...(version !== '' && { rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }] }),
      parts: {
        'word/styles.xml': noteStyles(size, noteSize, spacing, noteSpacing),
        ...(version !== '' && { 'word/settings.xml': version }),
      },
    };
  });
