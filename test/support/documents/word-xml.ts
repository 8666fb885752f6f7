import type { DocxInput } from './docx-builder.ts';

/** Pieces of WordprocessingML, for documents whose markup matters. Lengths are in twips, text sizes in half points. */

export const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

const element = (name: string, content: string): string => (content === '' ? '' : `<w:${name}>${content}</w:${name}>`);

/** A run; `content` is text, or XML when it starts with `<`. */
export function run(content: string, format = ''): string {
  const inside = content.startsWith('<') ? content : `<w:t xml:space="preserve">${content}</w:t>`;
  return `<w:r>${element('rPr', format)}${inside}</w:r>`;
}

/** A paragraph; `content` is text, or XML of runs when it starts with `<`. */
export function paragraph(content: string, properties = ''): string {
  const inside = content === '' || content.startsWith('<') ? content : run(content);
  return `<w:p>${element('pPr', properties)}${inside}</w:p>`;
}

export const font = (family: string): string => `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/>`;
export const size = (halfPoints: number): string => `<w:sz w:val="${halfPoints}"/>`;
export const aligned = (alignment: string): string => `<w:jc w:val="${alignment}"/>`;
export const shaded = (fill: string): string => `<w:shd w:val="clear" w:fill="${fill}"/>`;
/** The space around a paragraph and the height of its lines. */
export const spaced = (before: number, after: number, line = 240, rule = 'auto'): string =>
  `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="${rule}"/>`;

export const tab = '<w:r><w:tab/></w:r>';
export const lineBreak = '<w:r><w:br/></w:r>';
export const pageBreak = '<w:r><w:br w:type="page"/></w:r>';

/** A simple field with the result 1. */
export const field = (code: string, format = ''): string =>
  `<w:fldSimple w:instr=" ${code} "><w:r>${element('rPr', format)}<w:t>1</w:t></w:r></w:fldSimple>`;

/** A content control around `content`; its properties select the kind of control. */
export const control = (content: string, properties = ''): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

export const outerSides = ['top', 'left', 'bottom', 'right'] as const;
export const allSides = [...outerSides, 'insideH', 'insideV'] as const;

/** A border of a side, in eighths of a point. */
export const border = (side: string, width: number, color = '000000', kind = 'single', space = 0): string =>
  `<w:${side} w:val="${kind}" w:sz="${width}" w:space="${space}" w:color="${color}"/>`;
/** The same border on several sides. */
export const borders = (sides: readonly string[], width: number, color = '000000'): string =>
  sides.map((side) => border(side, width, color)).join('');

export const autoWidth = '<w:tblW w:w="0" w:type="auto"/>';
export const width = (twips: number): string => `<w:tblW w:w="${twips}" w:type="dxa"/>`;
export const fixedWidth = (twips: number): string => `${width(twips)}<w:tblLayout w:type="fixed"/>`;
export const cellMargins = (twips: number): string =>
  `<w:tblCellMar><w:left w:w="${twips}" w:type="dxa"/><w:right w:w="${twips}" w:type="dxa"/></w:tblCellMar>`;

/** A cell; `content` is text, or XML of blocks when it starts with `<`. */
export function cell(width: number, content: string, properties = ''): string {
  const inside = content.startsWith('<') ? content : paragraph(content);
  return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${properties}</w:tcPr>${inside}</w:tc>`;
}

export const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr>${element('trPr', properties)}${cells.join('')}</w:tr>`;

/** A table with columns of these widths and no other properties than `properties`. */
export function table(columns: readonly number[], rows: readonly string[], properties = autoWidth): string {
  const grid = columns.map((column) => `<w:gridCol w:w="${column}"/>`).join('');
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`;
}

interface StyleParts {
  readonly type?: 'paragraph' | 'character' | 'table';
  readonly name?: string;
  readonly basedOn?: string;
  readonly paragraph?: string;
  readonly run?: string;
  /** XML after the properties of paragraphs and runs. */
  readonly more?: string;
}

export function style(id: string, { type = 'paragraph', name = id, basedOn, paragraph, run, more }: StyleParts = {}) {
  const base = basedOn === undefined ? '' : `<w:basedOn w:val="${basedOn}"/>`;
  const properties = element('pPr', paragraph ?? '') + element('rPr', run ?? '') + (more ?? '');
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${base}${properties}</w:style>`;
}

/** The default paragraph style. */
export const normal = (paragraph = '', run = ''): string =>
  style('Normal', { paragraph, run }).replace('w:styleId', 'w:default="1" w:styleId');

interface DefaultFormats {
  readonly run?: string;
  readonly paragraph?: string;
}

/** Styles with document defaults. */
export const styles = ({ run = '', paragraph = '' }: DefaultFormats, ...styles: readonly string[]): string =>
  `<w:styles xmlns:w="${namespace}"><w:docDefaults><w:rPrDefault>${element('rPr', run)}</w:rPrDefault><w:pPrDefault>${element('pPr', paragraph)}</w:pPrDefault></w:docDefaults>${styles.length === 0 ? normal() : styles.join('')}</w:styles>`;

/** The settings for a version of Word; 15 stands for Word 2013 and later. */
const mode = (version: number | undefined): string =>
  version === undefined
    ? ''
    : `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/>`;
export const compatibility = (version: number | undefined, options = ''): string =>
  `<w:compat>${options}${mode(version)}</w:compat>`;

/** A level of a list, with an indent for its number unless `hanging` is 0. */
export const level = (index: number, format: string, label: string, hanging = 0, start = 1): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/><w:lvlJc w:val="left"/>${
    hanging === 0 ? '' : `<w:pPr><w:ind w:left="${(index + 1) * hanging}" w:hanging="${hanging}"/></w:pPr>`
  }</w:lvl>`;
/** Lists with these levels; the first has the id 1. */
export const lists = (...all: readonly (readonly string[])[]): string =>
  [
    ...all.map((levels, at) => `<w:abstractNum w:abstractNumId="${at + 1}">${levels.join('')}</w:abstractNum>`),
    ...all.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`),
  ].join('');
/** Makes a paragraph an item of a list. */
export const item = (level: number, list = 1): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;

interface DocumentParts {
  /** The whole file, as for `styles`. */
  readonly styles?: string;
  /** XML inside the root. */
  readonly settings?: string;
  readonly numbering?: string;
}

/** A document with styles, settings and lists. */
export function document(body: string, { styles, settings, numbering }: DocumentParts) {
  const files = { settings, numbering };
  const names = (['settings', 'numbering'] as const).filter((name) => files[name] !== undefined);
  const contents = names.map((name) => [
    `word/${name}.xml`,
    `<w:${name} xmlns:w="${namespace}">${files[name]}</w:${name}>`,
  ]);
  return {
    body,
    rels: names.map((name) => ({ id: `rId-${name}`, type: name, target: `${name}.xml` })),
    parts: { ...(styles !== undefined && { 'word/styles.xml': styles }), ...Object.fromEntries(contents) },
  } satisfies DocxInput;
}

/** A document for a version of Word. */
export const forWord = (body: string, version: number | undefined, styles?: string) =>
  document(body, { settings: compatibility(version), ...(styles !== undefined && { styles }) });

const unitsPerTwip = 635;
/** The attributes of a size that is given in twips. */
export const extent = (width: number, height: number): string =>
  `cx="${width * unitsPerTwip}" cy="${height * unitsPerTwip}"`;

interface PictureParts {
  /** XML next to the reference to the picture. */
  readonly crop?: string;
  /** XML of its lines and colours. */
  readonly shape?: string;
}

/** The graphic of a drawing that shows the picture with this relationship. */
export const graphic = (id: string, extent: string, { crop = '', shape = '' }: PictureParts = {}): string =>
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/>${crop}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"/>${shape}</pic:spPr></pic:pic></a:graphicData></a:graphic>`;
