import fc from 'fast-check';
import { PNG } from 'pngjs';
import { type DocxInput, relationshipsXml } from '../../../support/documents/docx-builder.ts';

/** Documents with anchored pictures: in the text, headers, footers and cells. */

const words = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price'.split(' ');
const textOf = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(' '));
const sometimes = <T>(value: fc.Arbitrary<T>, fallback: T): fc.Arbitrary<T> => fc.oneof(fc.constant(fallback), value);

/** Squares of several colours that are more or less opaque. */
function pictureBytes(opacities: readonly number[]): Buffer {
  const [width, height] = [96, 64];
  const picture = new PNG({ width, height });
  for (let at = 0; at < width * height; at++) {
    const [column, row] = [Math.floor((at % width) / 16), Math.floor(at / width / 16)];
    const opacity = opacities[(column + row) % opacities.length] ?? 255;
    picture.data.set([(column * 40 + 60) % 256, (row * 70) % 256, 200, opacity], at * 4);
  }
  return PNG.sync.write(picture);
}

const opaque = pictureBytes([255]);
const translucent = pictureBytes([255, 90, 160, 0]);
const pictureRels = ['opaque', 'translucent'].map((name) => ({
  id: `rId-${name}`,
  type: 'image',
  target: `media/${name}.png`,
}));

const unitsPerTwip = 635;
/** About so many twips, in English metric units. */
const unitsOf = (twips: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.tuple(twips, fc.integer({ min: 0, max: unitsPerTwip - 1 })).map(([whole, rest]) => whole * unitsPerTwip + rest);

interface Place {
  readonly frames: readonly string[];
  readonly sides: readonly string[];
  readonly offset: fc.Arbitrary<number>;
}

const position = (name: string, { frames, sides, offset }: Place): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...frames),
      fc.oneof(
        {
          weight: 2,
          arbitrary: unitsOf(offset).map((units) => `<wp:posOffset>${units}</wp:posOffset>`),
        },
        { weight: 1, arbitrary: fc.constantFrom(...sides).map((side) => `<wp:align>${side}</wp:align>`) },
      ),
    )
    .map(([from, place]) => `<wp:${name} relativeFrom="${from}">${place}</wp:${name}>`);

interface Places {
  readonly across: Place;
  readonly down: Place;
  readonly besideText: Place;
}

const pagePlaces: Places = {
  across: {
    frames: ['page', 'margin', 'column', 'column', 'leftMargin', 'rightMargin'],
    sides: ['left', 'center', 'right'],
    offset: fc.integer({ min: -1_500, max: 9_000 }),
  },
  down: {
    frames: ['page', 'margin', 'topMargin', 'bottomMargin'],
    sides: ['top', 'center', 'bottom'],
    offset: fc.integer({ min: -300, max: 1_200 }),
  },
  besideText: {
    frames: ['paragraph', 'paragraph', 'paragraph', 'line'],
    sides: ['top'],
    offset: fc.integer({ min: -1_500, max: 3_000 }),
  },
};
const besideCell: Place = { frames: ['paragraph'], sides: ['top'], offset: fc.integer({ min: -600, max: 1_500 }) };
const cellPlaces: Places = {
  across: { frames: ['column'], sides: ['left', 'center', 'right'], offset: fc.integer({ min: -600, max: 3_000 }) },
  down: besideCell,
  besideText: besideCell,
};

/** A run with an anchored picture. */
const anchored = ({ across, down, besideText }: Places): fc.Arbitrary<string> =>
  fc
    .record({
      size: fc.tuple(unitsOf(fc.integer({ min: 300, max: 4_000 })), unitsOf(fc.integer({ min: 300, max: 2_500 }))),
      horizontal: position('positionH', across),
      vertical: fc.oneof(position('positionV', down), position('positionV', besideText)),
      isBehind: fc.boolean(),
      height: fc.integer({ min: 1, max: 400_000_000 }),
      distance: fc.constantFrom(0, 0, 114_300, 400_000),
      effect: fc.constantFrom(0, 0, 0, 19_050),
      name: fc.constantFrom('opaque', 'translucent'),
      relativeSize: fc.boolean(),
    })
    .map(
      ({
        size: [width, height],
        horizontal,
        vertical,
        isBehind,
        height: order,
        distance,
        effect,
        name,
        relativeSize,
      }) => {
        const extent = `cx="${width}" cy="${height}"`;
        const distances = ['T', 'B', 'L', 'R'].map((side) => `dist${side}="${distance}"`).join(' ');
        const relative = relativeSize
          ? '<wp14:sizeRelH relativeFrom="page"><wp14:pctWidth>0</wp14:pctWidth></wp14:sizeRelH><wp14:sizeRelV relativeFrom="page"><wp14:pctHeight>0</wp14:pctHeight></wp14:sizeRelV>'
          : '';
        return `<w:r><w:drawing><wp:anchor ${distances} simplePos="0" relativeHeight="${order}" behindDoc="${isBehind ? 1 : 0}" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>${horizontal}${vertical}<wp:extent ${extent}/><wp:effectExtent l="${effect}" t="0" r="${effect}" b="0"/><wp:wrapNone/><wp:docPr id="1" name="p"/><wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId-${name}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic>${relative}</wp:anchor></w:drawing></w:r>`;
      },
    );

const format = fc
  .record({
    before: fc.constantFrom(0, 0, 120, 400),
    after: fc.constantFrom(0, 100, 160),
    line: fc.constantFrom(240, 240, 276, 360),
    indent: fc.constantFrom('', '', '<w:ind w:left="500" w:right="800"/>', '<w:ind w:left="-300" w:firstLine="400"/>'),
    other: fc.constantFrom('', '', '', '<w:contextualSpacing/>', '<w:keepNext/>', '<w:jc w:val="center"/>'),
    starts: fc.constantFrom('', '', '', '', '', '', '<w:pageBreakBefore/>'),
    border: fc.oneof(
      { weight: 20, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.constant('<w:pBdr><w:top w:val="single" w:sz="8" w:space="4" w:color="884400"/></w:pBdr>'),
      },
    ),
  })
  .map(({ before, after, line, indent, other, starts, border }) => {
    const spacing = `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/>`;
    const [jc, first] = other.startsWith('<w:jc')
      ? [other, '']
      : other.startsWith('<w:keep')
        ? ['', other]
        : [other, ''];
    return `<w:pPr>${first}${starts}${border}${spacing}${indent}${jc}</w:pPr>`;
  });
const run = (text: string): string => (text === '' ? '' : `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`);

/** A paragraph with text before and behind its pictures, or without any. */
const paragraphWith = (places: Places, most: number, words: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      format,
      sometimes(textOf(words), ''),
      fc.array(anchored(places), { minLength: 0, maxLength: most }),
      fc.oneof({ weight: 3, arbitrary: textOf(words) }, { weight: 1, arbitrary: fc.constant('') }),
    )
    .map(
      ([properties, before, pictures, behind]) =>
        `<w:p>${properties}${run(before)}${pictures.join('')}${run(behind)}</w:p>`,
    );

const cells = (places: Places, alignments: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.array(
        fc.tuple(fc.constantFrom(...alignments), fc.array(paragraphWith(places, 1, 6), { minLength: 1, maxLength: 3 })),
        { minLength: 2, maxLength: 2 },
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((rows) => {
      const cell = ([alignment, content]: [string, string[]]): string =>
        `<w:tc><w:tcPr><w:tcW w:w="4500" w:type="dxa"/><w:vAlign w:val="${alignment}"/></w:tcPr>${content.join('').replaceAll(/<w:pageBreakBefore\/>|<w:pBdr>.*?<\/w:pBdr>/g, '')}</w:tc>`;
      const row = (content: [string, string[]][]): string =>
        `<w:tr><w:trPr><w:cantSplit/></w:trPr>${content.map(cell).join('')}</w:tr>`;
      return `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid>${rows.map(row).join('')}</w:tbl>`;
    });

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const settings = fc
  .constantFrom(0, 14, 15, 15)
  .map((version) =>
    version === 0
      ? ''
      : `<w:settings xmlns:w="${wordNamespace}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
  );
const margins = fc
  .tuple(
    ...['top', 'bottom', 'left', 'right', 'header', 'footer'].map((side) =>
      fc.integer({ min: 500, max: 1_900 }).map((twips) => `w:${side}="${twips}"`),
    ),
  )
  .map((all) => `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar ${all.join(' ')} w:gutter="0"/>`);

interface Stories {
  readonly body: fc.Arbitrary<string>;
  readonly story: fc.Arbitrary<string | undefined>;
}

const documentsOf = ({ body, story }: Stories): fc.Arbitrary<DocxInput> =>
  fc
    .record({ body, header: story, footer: story, settings, section: margins })
    .map(({ body: text, header, footer, settings: xml, section }) => {
      const pictures = relationshipsXml(pictureRels);
      return {
        body: text,
        section,
        ...(header !== undefined && { headers: [header] }),
        ...(footer !== undefined && { footers: [footer] }),
        rels: [
          ...pictureRels,
          ...(xml === '' ? [] : [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }]),
        ],
        parts: {
          'word/media/opaque.png': opaque,
          'word/media/translucent.png': translucent,
          ...(xml !== '' && { 'word/settings.xml': xml }),
          ...(header !== undefined && { 'word/_rels/header1.xml.rels': pictures }),
          ...(footer !== undefined && { 'word/_rels/footer1.xml.rels': pictures }),
        },
      };
    });

const several = (content: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(content, { minLength: 1, maxLength: most }).map((all) => all.join(''));
const plainParagraph = textOf(30).chain((text) => format.map((properties) => `<w:p>${properties}${run(text)}</w:p>`));
const bodyParagraph = fc.oneof(
  { weight: 4, arbitrary: plainParagraph },
  { weight: 1, arbitrary: paragraphWith(pagePlaces, 1, 60) },
);
const storyParagraph = paragraphWith(pagePlaces, 1, 5).map((xml) =>
  xml.replaceAll(/<w:pageBreakBefore\/>|<w:pBdr>.*?<\/w:pBdr>/g, ''),
);

/** Some pages of text with pictures, and a picture now and then in the header or footer. */
export const anchoredPictures: fc.Arbitrary<DocxInput> = documentsOf({
  body: fc.array(bodyParagraph, { minLength: 1, maxLength: 40, size: 'max' }).map((all) => all.join('')),
  story: sometimes(several(storyParagraph, 2), undefined),
});

/** A letter with pictures in its header and footer, some of them in cells. */
export const picturesInStories: fc.Arbitrary<DocxInput> = documentsOf({
  body: several(fc.oneof(plainParagraph, paragraphWith(pagePlaces, 1, 10)), 4),
  story: fc.oneof(
    several(storyParagraph, 3),
    fc.tuple(cells(cellPlaces, ['top']), storyParagraph).map((all) => all.join('')),
  ),
});

/** A document with pictures in the cells of tables, and some that lie over its tables. */
export const anchoredInCells: fc.Arbitrary<DocxInput> = documentsOf({
  body: several(
    fc.tuple(paragraphWith(pagePlaces, 1, 10), cells(cellPlaces, ['top']), plainParagraph).map((all) => all.join('')),
    4,
  ),
  story: fc.constant(undefined),
});

/** A document with pictures of its text that lie over cells of all alignments. */
export const picturesOverTables: fc.Arbitrary<DocxInput> = documentsOf({
  body: several(
    fc
      .tuple(
        paragraphWith(pagePlaces, 2, 10),
        cells(cellPlaces, ['top', 'center', 'bottom']).map((xml) =>
          xml.replaceAll(/<w:r><w:drawing>.*?<\/w:drawing><\/w:r>/g, ''),
        ),
        plainParagraph,
      )
      .map((all) => all.join('')),
    3,
  ),
  story: fc.constant(undefined),
});

const shape = fc
  .record({
    fill: fc.constantFrom('', '<a:noFill/>', '<a:solidFill><a:srgbClr val="FFCC00"/></a:solidFill>'),
    width: fc.integer({ min: 3_175, max: 76_200 }),
    attributes: fc.constantFrom('', ' cap="flat" cmpd="sng" algn="ctr"'),
    parts: fc.constantFrom(
      '',
      '<a:prstDash val="solid"/><a:miter lim="800000"/><a:headEnd/><a:tailEnd/>',
      '<a:round/>',
    ),
    hasLine: fc.constantFrom(true, true, false),
  })
  .map(({ fill, width, attributes, parts, hasLine }) => {
    const line = `<a:ln w="${width}"${attributes}><a:solidFill><a:srgbClr val="1F5B45"/></a:solidFill>${parts}</a:ln>`;
    return `${fill}${hasLine ? line : ''}`;
  });
const asInline = (run: string): string =>
  run
    .replace(/<wp:anchor .*?<wp:extent/, '<wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent')
    .replace(/<wp:wrapNone\/>/, '')
    .replace(/(?:<wp14.*)?<\/wp:anchor>/, '</wp:inline>');
const framed = fc
  .tuple(anchored(pagePlaces), shape, fc.boolean())
  .map(([picture, around, isInline]) =>
    (isInline ? asInline(picture) : picture).replace('</pic:spPr>', `${around}</pic:spPr>`),
  );

/** A document with pictures that have lines around them or a colour behind them, in lines and anchored. */
export const framedPictures: fc.Arbitrary<DocxInput> = documentsOf({
  body: several(
    fc.oneof(
      textOf(20).map((text) => `<w:p>${run(text)}</w:p>`),
      fc.array(framed, { minLength: 1, maxLength: 2 }).map((pictures) => `<w:p>${pictures.join('')}</w:p>`),
    ),
    5,
  ),
  story: sometimes(
    framed.map((picture) => `<w:p>${run('text')}${picture}</w:p>`),
    undefined,
  ),
});

const storyPlaces: Places = {
  across: pagePlaces.across,
  down: { frames: ['page', 'topMargin', 'bottomMargin'], sides: ['top'], offset: fc.integer({ min: 0, max: 2_500 }) },
  besideText: { frames: ['paragraph', 'line'], sides: ['top'], offset: fc.integer({ min: -400, max: 1_500 }) },
};
const wrap = fc.constantFrom(
  '<wp:wrapNone/>',
  '<wp:wrapSquare wrapText="bothSides"/>',
  '<wp:wrapSquare wrapText="largest"/>',
  '<wp:wrapTopAndBottom/>',
);
const wrapped = fc
  .tuple(anchored(storyPlaces), wrap)
  .map(([picture, around]) => picture.replace('<wp:wrapNone/>', around));
const wrappedStory = fc
  .array(fc.tuple(sometimes(wrapped, ''), textOf(30), sometimes(wrapped, '')), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([first, text, last]) => `<w:p>${first}${run(text)}${last}</w:p>`).join(''));
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
  .tuple(documentsOf({ body: several(plainParagraph, 6), story: sometimes(wrappedStory, undefined) }), wideMargins)
  .map(([input, section]) => ({ ...input, section }));
