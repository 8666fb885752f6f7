import {
  buildZip,
  contentTypesXml,
  escapeXml,
  relationshipsXml,
  xmlHead,
} from '../../test/support/documents/docx-builder.ts';
import { numbering, settings, styles } from './styles.ts';

/** Lengths are in twentieths of a point, sizes in half points, as in WordprocessingML. */
export const textWidth = 9411;

export interface Format {
  readonly align?: 'center' | 'right' | 'both';
  readonly before?: number;
  readonly after?: number;
  readonly keepNext?: boolean;
  readonly pageBreakBefore?: boolean;
  /** The position of a right tab. */
  readonly rightTab?: number;
}

const on = (tag: string, condition: boolean | undefined): string => (condition === true ? `<w:${tag}/>` : '');

/** A paragraph. `**` surrounds bold text, `\t` and `\n` are a tab and a line break, and `[PAGE]` is a field. */
export function paragraph(style: string, text: string, format: Format = {}): string {
  const { align, before, after, keepNext, pageBreakBefore, rightTab } = format;
  const spacing = [before !== undefined && ` w:before="${before}"`, after !== undefined && ` w:after="${after}"`];
  const spaced = spacing.filter((value) => value !== false).join('');
  const properties = [
    style === 'Normal' ? '' : `<w:pStyle w:val="${style}"/>`,
    on('keepNext', keepNext),
    on('pageBreakBefore', pageBreakBefore),
    rightTab === undefined ? '' : `<w:tabs><w:tab w:val="right" w:pos="${rightTab}"/></w:tabs>`,
    spaced === '' ? '' : `<w:spacing${spaced}/>`,
    align === undefined ? '' : `<w:jc w:val="${align}"/>`,
  ].join('');
  return `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${runs(text)}</w:p>`;
}

function runs(text: string): string {
  return text
    .split('**')
    .map((piece, at) =>
      piece === '' ? '' : formatted(piece, at % 2 === 1 ? '<w:rPr><w:rStyle w:val="Strong"/></w:rPr>' : ''),
    )
    .join('');
}

function formatted(text: string, format: string): string {
  const run = (content: string): string => `<w:r>${format}${content}</w:r>`;
  const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
  return text
    .split(/(\t|\n|\[(?:NUM)?PAGES?\])/)
    .map((piece) => {
      if (piece === '') return '';
      if (piece === '\t') return run('<w:tab/>');
      if (piece === '\n') return run('<w:br/>');
      if (!piece.startsWith('[')) return run(`<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`);
      const code = run(`<w:instrText xml:space="preserve"> ${piece.slice(1, -1)} </w:instrText>`);
      return `${mark('begin')}${code}${mark('separate')}${run('<w:t>1</w:t>')}${mark('end')}`;
    })
    .join('');
}

/** A section of the template language around whole paragraphs; its tags leave no blank lines. */
export function section(tag: string, content: string, style = 'Small'): string {
  return paragraph(style, `{${tag}}`) + content + paragraph(style, '{/}');
}

export interface Column {
  readonly width: number;
  readonly isNumber?: boolean;
}

interface TableRow {
  /** XML of paragraphs for each cell. */
  readonly cells: readonly string[];
  readonly isHeading?: boolean;
  readonly heightTwips?: number;
}

/** A table in one of the styles `DataTable`, `Box` and `Columns`. The caption is read aloud, not printed. */
export function table(
  style: string,
  columns: readonly Column[],
  caption: string,
  rows: readonly TableRow[],
  verticalAlign?: 'center',
): string {
  const hasHeading = rows.some(({ isHeading }) => isHeading === true);
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const vertical = verticalAlign === undefined ? '' : `<w:vAlign w:val="${verticalAlign}"/>`;
  const row = ({ cells, isHeading, heightTwips }: TableRow): string => {
    const height = heightTwips === undefined ? '' : `<w:trHeight w:val="${heightTwips}" w:hRule="exact"/>`;
    const content = cells.map(
      (cell, at) =>
        `<w:tc><w:tcPr><w:tcW w:w="${columns[at]?.width ?? 0}" w:type="dxa"/>${vertical}</w:tcPr>${cell}</w:tc>`,
    );
    return `<w:tr><w:trPr><w:cantSplit/>${height}${on('tblHeader', isHeading)}</w:trPr>${content.join('')}</w:tr>`;
  };
  const look = `<w:tblLook w:val="${hasHeading ? '0420' : '0400'}" w:firstRow="${hasHeading ? 1 : 0}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>`;
  const properties = `<w:tblPr><w:tblStyle w:val="${style}"/><w:tblW w:w="${width}" w:type="dxa"/><w:tblLayout w:type="fixed"/>${look}<w:tblCaption w:val="${escapeXml(caption)}"/></w:tblPr>`;
  const grid = columns.map((column) => `<w:gridCol w:w="${column.width}"/>`).join('');
  return `<w:tbl>${properties}<w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join('')}</w:tbl>`;
}

/**
 * A table of data: its heading row repeats on each page, numbers are aligned to the right, and `list` repeats the row
 * for each item.
 */
export function dataTable(
  caption: string,
  list: string,
  columns: readonly (Column & { readonly heading: string; readonly text: string; readonly detail?: string })[],
): string {
  const heading = columns.map(({ heading: text, isNumber }) =>
    paragraph(isNumber === true ? 'TableHeadingNumber' : 'TableHeading', text),
  );
  const item = columns.map(({ text, detail, isNumber }, at) => {
    const first = at === 0 ? `{#${list}}` : '';
    const last = at === columns.length - 1 ? '{/}' : '';
    const more =
      detail === undefined ? '' : section(`#${detail}`, paragraph('TableDetail', `{${detail}}`), 'TableDetail');
    return paragraph(isNumber === true ? 'TableNumber' : 'TableText', first + text + last) + more;
  });
  return table('DataTable', columns, caption, [{ cells: heading, isHeading: true }, { cells: item }]);
}

/** The small paragraph that separates a table from what follows. */
export const gap = (after: number, keepNext = false): string => paragraph('Gap', '', { after, keepNext });

export interface Page {
  readonly body: string;
  readonly header?: string;
  readonly firstHeader?: string;
  readonly footer?: string;
  readonly isLandscape?: boolean;
  /** From the edges of the page: top, right, bottom, left. */
  readonly margins?: readonly [number, number, number, number];
  /** From the edge of the page to the footer. */
  readonly footerDistance?: number;
  /** The colour of a frame around the page. */
  readonly frame?: string;
}

export interface Properties {
  readonly title: string;
  readonly subject: string;
  readonly locale: string;
  readonly creator: string;
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const part = (element: string, content: string): string =>
  `${xmlHead}<w:${element} ${namespaces}>${content}</w:${element}>`;

/** The parts of an A4 document, by name. */
export function documentParts(page: Page, properties: Properties): ReadonlyMap<string, string> {
  const stories = (
    [
      ['header1', 'header', 'default', page.header],
      ['header2', 'header', 'first', page.firstHeader],
      ['footer1', 'footer', 'default', page.footer],
      // A different first page has its own footer.
      ['footer2', 'footer', 'first', page.firstHeader === undefined ? undefined : page.footer],
    ] as const
  ).filter(([, , , content]) => content !== undefined);
  const side = { styles: styles(properties.locale), numbering, settings: settings(properties.locale) };
  const names = [...Object.keys(side), ...stories.map(([name]) => name)];
  const references = stories.map(([, kind, type], at) => `<w:${kind}Reference w:type="${type}" r:id="rId${at + 4}"/>`);
  const kindOf = (name: string): string => name.replace(/\d$/, '');
  const types: Record<string, string> = {
    'word/document.xml': `${word}.document.main+xml`,
    'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
  };
  for (const name of names) types[`word/${name}.xml`] = `${word}.${kindOf(name)}+xml`;
  return new Map([
    ['[Content_Types].xml', contentTypesXml(types)],
    [
      '_rels/.rels',
      relationshipsXml([
        { id: 'rId1', type: 'officeDocument', target: 'word/document.xml' },
        {
          id: 'rId2',
          type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
          target: 'docProps/core.xml',
        },
      ]),
    ],
    ['docProps/core.xml', coreProperties(properties)],
    ['word/document.xml', part('document', `<w:body>${page.body}${pageSetup(page, references.join(''))}</w:body>`)],
    [
      'word/_rels/document.xml.rels',
      relationshipsXml(names.map((name, at) => ({ id: `rId${at + 1}`, type: kindOf(name), target: `${name}.xml` }))),
    ],
    ...Object.entries(side).map(([name, content]): [string, string] => [`word/${name}.xml`, part(name, content)]),
    ...stories.map(([name, kind, , content]): [string, string] => [
      `word/${name}.xml`,
      part(kind === 'header' ? 'hdr' : 'ftr', content ?? ''),
    ]),
  ]);
}

export const packDocument = (parts: ReadonlyMap<string, string>): Buffer => buildZip(parts);

function pageSetup(page: Page, references: string): string {
  const {
    isLandscape,
    margins: [top, right, bottom, left] = [1531, 1247, 1474, 1247],
    frame,
    footerDistance = 624,
  } = page;
  const size = isLandscape === true ? 'w:w="16838" w:h="11906" w:orient="landscape"' : 'w:w="11906" w:h="16838"';
  const edge = `w:val="thinThickSmallGap" w:sz="24" w:space="24" w:color="${frame}"`;
  const edges = ['top', 'left', 'bottom', 'right'].map((side) => `<w:${side} ${edge}/>`).join('');
  const borders = frame === undefined ? '' : `<w:pgBorders w:offsetFrom="page">${edges}</w:pgBorders>`;
  return [
    `<w:sectPr>${references}<w:pgSz ${size}/>`,
    `<w:pgMar w:top="${top}" w:right="${right}" w:bottom="${bottom}" w:left="${left}" w:header="680" w:footer="${footerDistance}" w:gutter="0"/>`,
    `${borders}<w:cols w:space="708"/>${on('titlePg', page.firstHeader !== undefined)}</w:sectPr>`,
  ].join('');
}

function coreProperties({ title, subject, locale, creator }: Properties): string {
  const time = '2026-11-29T09:00:00Z';
  return [
    `${xmlHead}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" `,
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ',
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${escapeXml(title)}</dc:title><dc:subject>${escapeXml(subject)}</dc:subject>`,
    `<dc:creator>${escapeXml(creator)}</dc:creator>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created>`,
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified>`,
    `<dc:language>${locale}</dc:language></cp:coreProperties>`,
  ].join('');
}
