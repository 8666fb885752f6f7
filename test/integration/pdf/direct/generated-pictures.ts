import fc from 'fast-check';
import { PNG } from 'pngjs';
import { type DocxInput, relationshipsXml } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { exactly, joined, perhaps, several, sometimes, wordsOf } from './generated-words.ts';

/** Documents with pictures: in lines, and anchored in the text, headers, footers and cells. */

const { extent, graphic, outerSides, paragraph } = word;

type Colour = (column: number, row: number) => readonly [red: number, green: number, blue: number, opacity: number];

/** Squares in several colours, more or less opaque. */
function pictureOf(width: number, height: number, square: number, colour: Colour): Buffer {
  const picture = new PNG({ width, height });
  for (let at = 0; at < width * height; at++)
    picture.data.set(colour(Math.floor((at % width) / square), Math.floor(at / width / square)), at * 4);
  return PNG.sync.write(picture);
}

const checkered = pictureOf(120, 80, 8, (column, row) => [
  (column * 90) % 256,
  (row * 70) % 256,
  (column + row) % 2 === 0 ? 255 : 60,
  255,
]);
const plainPicture = {
  rels: [{ id: 'rIdPicture', type: 'image', target: 'media/picture.png' }],
  parts: { 'word/media/picture.png': checkered },
};
const withPicture = (body: string): DocxInput => ({ ...plainPicture, body });

const inline = (size: string, content: string, distances = ' distT="0" distB="0" distL="0" distR="0"'): string =>
  `<w:r><w:drawing><wp:inline${distances}><wp:extent ${size}/>${content}</wp:inline></w:drawing></w:r>`;
const named = '<wp:docPr id="1" name="p"/>';
const inlinePicture = (width: number, height: number, crop = ''): string => {
  const size = extent(width, height);
  return inline(size, named + graphic('rIdPicture', size, { crop }));
};

const side = fc.integer({ min: 600, max: 4_000 });
const cropped = fc
  .tuple(side, side, ...outerSides.map(() => sometimes(fc.integer({ min: 0, max: 25_000 }), 0)))
  .map(([width, height, top, left, bottom, right]) =>
    inlinePicture(width, height, `<a:srcRect l="${left}" t="${top}" r="${right}" b="${bottom}"/>`),
  );

/** A document with cropped pictures among words. */
export const croppedPictures: fc.Arbitrary<DocxInput> = several(
  fc
    .tuple(sometimes(wordsOf(8), ''), cropped)
    .map(([text, picture]) => paragraph(word.run(text) + picture + word.run(text))),
  4,
).map(withPicture);

const distance = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    perhaps(2, ` ${name}="0"`),
    fc.integer({ min: 0, max: 400_000 }).map((units) => ` ${name}="${units}"`),
  );
const spacedPicture = fc
  .record({
    size: fc.tuple(side, side),
    distances: joined(['distT', 'distB', 'distL', 'distR'].map(distance)),
    effect: perhaps(1, '<wp:effectExtent l="19050" t="0" r="2474" b="10795"/>'),
    shape: perhaps(
      1,
      '<a:noFill/><a:ln><a:noFill/></a:ln>',
      '<a:ln w="9525"><a:noFill/><a:miter lim="800000"/><a:headEnd/><a:tailEnd/></a:ln>',
    ),
  })
  .map(({ size: [width, height], distances, effect, shape }) => {
    const size = extent(width, height);
    return inline(size, `${effect}${named}${graphic('rIdPicture', size, { shape })}`, distances);
  });
const textRun = fc.constantFrom(' ', '').chain((end) => wordsOf(6).map((text) => word.run(text + end)));

/** A document with pictures among words, with and without distances. */
export const picturesInLines: fc.Arbitrary<DocxInput> = several(
  fc
    .tuple(fc.constantFrom('left', 'center', 'right'), several(fc.oneof(spacedPicture, textRun), 6))
    .map(([alignment, content]) => paragraph(content, word.aligned(alignment))),
  3,
).map(withPicture);

/** Pictures among words, with space between their lines. */
export const spacedPictures: fc.Arbitrary<DocxInput> = fc
  .tuple(picturesInLines, fc.constantFrom(259, 276, 360, 480))
  .map(([{ body = '', ...input }, line]) => ({
    ...input,
    body: body.replaceAll('<w:pPr><w:jc', `<w:pPr><w:spacing w:line="${line}" w:lineRule="auto"/><w:jc`),
  }));

const cellWithPicture = fc
  .record({
    alignment: fc.constantFrom('top', 'center', 'bottom', 'bottom'),
    height: sometimes(fc.integer({ min: 200, max: 1_500 }), 0),
    texts: several(
      wordsOf(6).map((text) => paragraph(text)),
      4,
    ),
  })
  .map(({ alignment, height, texts }) => {
    const picture = height === 0 ? '' : paragraph(inlinePicture(600, height));
    return word.cell(2500, picture + texts, `<w:vAlign w:val="${alignment}"/>`);
  });

/** A document with a table near the end of a page whose cells have pictures. */
export const picturesInCells: fc.Arbitrary<DocxInput> = fc
  .record({
    free: fc.integer({ min: 1_500, max: 8_000 }),
    rows: fc.array(fc.tuple(fc.boolean(), exactly(3, cellWithPicture)), { minLength: 1, maxLength: 3 }),
  })
  .map(({ free, rows }) => {
    const above = paragraph('above', `<w:spacing w:after="${13_400 - free}"/>`);
    const all = rows.map(([isWhole, cells]) => word.row(cells, isWhole ? '<w:cantSplit/>' : ''));
    return withPicture(above + word.table([2500, 2500, 2500], all, word.fixedWidth(7500)) + paragraph('below'));
  });

const names = ['opaque', 'translucent'] as const;
const pictureRels = names.map((name) => ({ id: `rId-${name}`, type: 'image', target: `media/${name}.png` }));
const withOpacities = (...opacities: readonly number[]): Buffer =>
  pictureOf(96, 64, 16, (column, row) => {
    const opacity = opacities[(column + row) % opacities.length] ?? 255;
    return [(column * 40 + 60) % 256, (row * 70) % 256, 200, opacity];
  });
const pictures = {
  'word/media/opaque.png': withOpacities(255),
  'word/media/translucent.png': withOpacities(255, 90, 160, 0),
};

const unitsPerTwip = 635;
/** About this number of twips, in English metric units. */
const unitsOf = (least: number, most: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: unitsPerTwip - 1 }))
    .map(([whole, rest]) => whole * unitsPerTwip + rest);

interface Place {
  readonly frames: readonly string[];
  readonly sides: readonly string[];
  readonly offset: readonly [least: number, most: number];
}

const position = (name: string, { frames, sides, offset }: Place): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...frames),
      fc.oneof(
        {
          weight: 2,
          arbitrary: unitsOf(...offset).map((units) => `<wp:posOffset>${units}</wp:posOffset>`),
        },
        { weight: 1, arbitrary: fc.constantFrom(...sides).map((at) => `<wp:align>${at}</wp:align>`) },
      ),
    )
    .map(([from, place]) => `<wp:${name} relativeFrom="${from}">${place}</wp:${name}>`);

interface Places {
  readonly across: Place;
  readonly down: Place;
  readonly besideText: Place;
}

const across = ['left', 'center', 'right'];
const pagePlaces: Places = {
  across: {
    frames: ['page', 'margin', 'column', 'column', 'leftMargin', 'rightMargin'],
    sides: across,
    offset: [-1_500, 9_000],
  },
  down: {
    frames: ['page', 'margin', 'topMargin', 'bottomMargin'],
    sides: ['top', 'center', 'bottom'],
    offset: [-300, 1_200],
  },
  besideText: { frames: ['paragraph', 'paragraph', 'paragraph', 'line'], sides: ['top'], offset: [-1_500, 3_000] },
};
const besideCell: Place = { frames: ['paragraph'], sides: ['top'], offset: [-600, 1_500] };
const cellPlaces: Places = {
  across: { frames: ['column'], sides: across, offset: [-600, 3_000] },
  down: besideCell,
  besideText: besideCell,
};
const storyPlaces: Places = {
  across: pagePlaces.across,
  down: { frames: ['page', 'topMargin', 'bottomMargin'], sides: ['top'], offset: [0, 2_500] },
  besideText: { frames: ['paragraph', 'line'], sides: ['top'], offset: [-400, 1_500] },
};

/** A run with an anchored picture. */
const anchored = (places: Places): fc.Arbitrary<string> =>
  fc
    .record({
      size: fc.tuple(unitsOf(300, 4_000), unitsOf(300, 2_500)),
      horizontal: position('positionH', places.across),
      vertical: fc.oneof(position('positionV', places.down), position('positionV', places.besideText)),
      isBehind: fc.boolean(),
      order: fc.integer({ min: 1, max: 400_000_000 }),
      distance: fc.constantFrom(0, 0, 114_300, 400_000),
      effect: fc.constantFrom(0, 0, 0, 19_050),
      name: fc.constantFrom(...names),
      hasRelativeSize: fc.boolean(),
    })
    .map(
      ({ size: [width, height], horizontal, vertical, isBehind, order, distance, effect, name, hasRelativeSize }) => {
        const size = `cx="${width}" cy="${height}"`;
        const distances = ['T', 'B', 'L', 'R'].map((at) => `dist${at}="${distance}"`).join(' ');
        const relative = hasRelativeSize
          ? '<wp14:sizeRelH relativeFrom="page"><wp14:pctWidth>0</wp14:pctWidth></wp14:sizeRelH><wp14:sizeRelV relativeFrom="page"><wp14:pctHeight>0</wp14:pctHeight></wp14:sizeRelV>'
          : '';
        return `<w:r><w:drawing><wp:anchor ${distances} simplePos="0" relativeHeight="${order}" behindDoc="${isBehind ? 1 : 0}" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>${horizontal}${vertical}<wp:extent ${size}/><wp:effectExtent l="${effect}" t="0" r="${effect}" b="0"/><wp:wrapNone/>${named}<wp:cNvGraphicFramePr/>${graphic(`rId-${name}`, size)}${relative}</wp:anchor></w:drawing></w:r>`;
      },
    );

const anyFormat = fc
  .record({
    before: fc.constantFrom(0, 0, 120, 400),
    after: fc.constantFrom(0, 100, 160),
    line: fc.constantFrom(240, 240, 276, 360),
    indent: perhaps(2, '<w:ind w:left="500" w:right="800"/>', '<w:ind w:left="-300" w:firstLine="400"/>'),
    other: perhaps(3, '<w:contextualSpacing/>', '<w:keepNext/>', word.aligned('center')),
    starts: perhaps(6, '<w:pageBreakBefore/>'),
    border: fc.oneof(
      { weight: 20, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constant(`<w:pBdr>${word.border('top', 8, '884400', 'single', 4)}</w:pBdr>`) },
    ),
  })
  .map(({ before, after, line, indent, other, starts, border }) => {
    const [first, last] = other.startsWith('<w:keep') ? [other, ''] : ['', other];
    return `${first}${starts}${border}${word.spaced(before, after, line)}${indent}${last}`;
  });
const run = (text: string): string => (text === '' ? '' : word.run(text));

/** A paragraph with text before and after its pictures, or without text. */
const paragraphWith = (places: Places, most: number, words: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      anyFormat,
      sometimes(wordsOf(words), ''),
      several(anchored(places), most, 0),
      fc.oneof({ weight: 3, arbitrary: wordsOf(words) }, { weight: 1, arbitrary: fc.constant('') }),
    )
    .map(([properties, before, all, behind]) => paragraph(run(before) + all + run(behind), properties));
const withoutBreaks = (xml: string): string => xml.replaceAll(/<w:pageBreakBefore\/>|<w:pBdr>.*?<\/w:pBdr>/g, '');

const cells = (alignments: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(exactly(2, fc.tuple(fc.constantFrom(...alignments), several(paragraphWith(cellPlaces, 1, 6), 3))), {
      minLength: 1,
      maxLength: 3,
    })
    .map((rows) => {
      const all = rows.map((content) =>
        word.row(
          content.map(([alignment, xml]) => word.cell(4500, withoutBreaks(xml), `<w:vAlign w:val="${alignment}"/>`)),
          '<w:cantSplit/>',
        ),
      );
      return word.table([4500, 4500], all, word.fixedWidth(9000));
    });

const version = fc.constantFrom(undefined, 14, 15, 15);
const margins = fc
  .tuple(
    ...['top', 'bottom', 'left', 'right', 'header', 'footer'].map((at) =>
      fc.integer({ min: 500, max: 1_900 }).map((twips) => `w:${at}="${twips}"`),
    ),
  )
  .map((all) => `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar ${all.join(' ')} w:gutter="0"/>`);

/** Documents with headers and footers that may be missing. */
const documentsOf = (
  text: fc.Arbitrary<string>,
  story: fc.Arbitrary<string | undefined> = fc.constant(undefined),
): fc.Arbitrary<DocxInput> =>
  fc
    .record({ body: text, header: story, footer: story, version, section: margins })
    .map(({ body, header, footer, version: mode, section }) => {
      const { rels, parts } = word.document('', mode === undefined ? {} : { settings: word.compatibility(mode) });
      const ofStory = relationshipsXml(pictureRels);
      return {
        body,
        section,
        ...(header !== undefined && { headers: [header] }),
        ...(footer !== undefined && { footers: [footer] }),
        rels: [...pictureRels, ...rels],
        parts: {
          ...pictures,
          ...parts,
          ...(header !== undefined && { 'word/_rels/header1.xml.rels': ofStory }),
          ...(footer !== undefined && { 'word/_rels/footer1.xml.rels': ofStory }),
        },
      };
    });

const plainParagraph = wordsOf(30).chain((text) => anyFormat.map((properties) => paragraph(text, properties)));
const bodyParagraph = fc.oneof(
  { weight: 4, arbitrary: plainParagraph },
  { weight: 1, arbitrary: paragraphWith(pagePlaces, 1, 60) },
);
const storyParagraph = paragraphWith(pagePlaces, 1, 5).map(withoutBreaks);

/** Some pages of text with pictures, and a picture now and then in the header or footer. */
export const anchoredPictures = documentsOf(
  fc.array(bodyParagraph, { minLength: 1, maxLength: 40, size: 'max' }).map((all) => all.join('')),
  sometimes(several(storyParagraph, 2), undefined),
);

/** A letter with pictures in its header and footer, some of them in cells. */
export const picturesInStories = documentsOf(
  several(fc.oneof(plainParagraph, paragraphWith(pagePlaces, 1, 10)), 4),
  fc.oneof(several(storyParagraph, 3), joined([cells(['top']), storyParagraph])),
);

/** A document with pictures in the cells of tables, and some that lie over its tables. */
export const anchoredInCells = documentsOf(
  several(joined([paragraphWith(pagePlaces, 1, 10), cells(['top']), plainParagraph]), 4),
);

/** A document with pictures anchored in its text that overlap cells of every alignment. */
export const picturesOverTables = documentsOf(
  several(
    joined([
      paragraphWith(pagePlaces, 2, 10),
      cells(['top', 'center', 'bottom']).map((xml) => xml.replaceAll(/<w:r><w:drawing>.*?<\/w:drawing><\/w:r>/g, '')),
      plainParagraph,
    ]),
    3,
  ),
);

const shape = fc
  .record({
    fill: perhaps(1, '<a:noFill/>', '<a:solidFill><a:srgbClr val="FFCC00"/></a:solidFill>'),
    width: fc.integer({ min: 3_175, max: 76_200 }),
    attributes: perhaps(1, ' cap="flat" cmpd="sng" algn="ctr"'),
    parts: perhaps(1, '<a:prstDash val="solid"/><a:miter lim="800000"/><a:headEnd/><a:tailEnd/>', '<a:round/>'),
    hasLine: fc.constantFrom(true, true, false),
  })
  .map(({ fill, width, attributes, parts, hasLine }) => {
    const line = `<a:ln w="${width}"${attributes}><a:solidFill><a:srgbClr val="1F5B45"/></a:solidFill>${parts}</a:ln>`;
    return `${fill}${hasLine ? line : ''}`;
  });
const asInline = (xml: string): string =>
  xml
    .replace(/<wp:anchor .*?<wp:extent/, '<wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent')
    .replace(/<wp:wrapNone\/>/, '')
    .replace(/(?:<wp14.*)?<\/wp:anchor>/, '</wp:inline>');
const framed = fc
  .tuple(anchored(pagePlaces), shape, fc.boolean())
  .map(([picture, around, isInline]) =>
    (isInline ? asInline(picture) : picture).replace('</pic:spPr>', `${around}</pic:spPr>`),
  );

/** A document with pictures that have an outline or a background, in lines and anchored. */
export const framedPictures = documentsOf(
  several(
    fc.oneof(
      wordsOf(20).map((text) => paragraph(text)),
      several(framed, 2).map((all) => paragraph(all)),
    ),
    5,
  ),
  sometimes(
    framed.map((picture) => paragraph(word.run('text') + picture)),
    undefined,
  ),
);

const wrapped = fc
  .tuple(
    anchored(storyPlaces),
    fc.constantFrom(
      '<wp:wrapNone/>',
      '<wp:wrapSquare wrapText="bothSides"/>',
      '<wp:wrapSquare wrapText="largest"/>',
      '<wp:wrapTopAndBottom/>',
    ),
  )
  .map(([picture, around]) => picture.replace('<wp:wrapNone/>', around));
const wrappedStory = several(
  fc
    .tuple(sometimes(wrapped, ''), wordsOf(30), sometimes(wrapped, ''))
    .map(([first, text, last]) => paragraph(first + run(text) + last)),
  4,
);
const wideMargins = fc
  .tuple(
    fc.integer({ min: 1_000, max: 4_500 }),
    fc.integer({ min: 1_000, max: 4_500 }),
    fc.integer({ min: 200, max: 900 }),
  )
  .map(
    ([top, bottom, edge]) =>
      `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="${top}" w:bottom="${bottom}" w:left="1200" w:right="1500" w:header="${edge}" w:footer="${edge}" w:gutter="0"/>`,
  );

/** A letter whose header and footer have pictures with text around them. */
export const wrappedInStories: fc.Arbitrary<DocxInput> = fc
  .tuple(documentsOf(several(plainParagraph, 6), sometimes(wrappedStory, undefined)), wideMargins)
  .map(([input, section]) => ({ ...input, section }));
