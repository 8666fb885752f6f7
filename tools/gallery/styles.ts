/** The look that all templates of the gallery share: one typeface, one accent colour, greys, and thin lines. */
export const colors = { accent: '1F4E63', text: '1F2933', muted: '5B6773', line: 'CFD7DC', tint: 'EFF4F6' } as const;

/** Installed with Word. The service prints Carlito in its place, whose letters have the same widths. */
const font = 'Calibri';
/** The large lines of the certificate: Caladea in the service. */
const display = '<w:rFonts w:ascii="Cambria" w:hAnsi="Cambria" w:eastAsia="Cambria" w:cs="Cambria"/>';

interface ParagraphStyle {
  readonly basedOn?: string;
  readonly paragraph?: string;
  readonly run?: string;
  readonly next?: string;
}

const spacing = (before: number, after: number, line = 264): string =>
  `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/>`;
const size = (halfPoints: number): string => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`;
const color = (value: string): string => `<w:color w:val="${value}"/>`;
const bold = '<w:b/><w:bCs/>';
const right = '<w:jc w:val="right"/>';
const center = '<w:jc w:val="center"/>';
const keep = '<w:keepNext/><w:keepLines/>';
const heading = (level: number): string => `<w:outlineLvl w:val="${level - 1}"/>`;
const border = (side: string, width: number, space: number, value: string): string =>
  `<w:pBdr><w:${side} w:val="single" w:sz="${width}" w:space="${space}" w:color="${value}"/></w:pBdr>`;
const numbered = (list: number, level: number): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;

const inLabel = '<w:ind w:left="284" w:right="113"/>';

/** By name in Word; the identifier is the name without spaces. */
const paragraphStyles: Readonly<Record<string, ParagraphStyle>> = {
  'heading 1': {
    paragraph: keep + spacing(0, 80, 240) + heading(1),
    run: color(colors.accent) + size(48),
    next: 'Normal',
  },
  'heading 2': {
    paragraph: keep + spacing(280, 80, 252) + heading(2),
    run: bold + color(colors.accent) + size(26),
    next: 'Normal',
  },
  'heading 3': { paragraph: keep + spacing(200, 60, 252) + heading(3), run: bold + size(22), next: 'Normal' },
  Subject: {
    paragraph: keep + spacing(0, 200, 252) + heading(1),
    run: bold + color(colors.accent) + size(26),
    next: 'Normal',
  },
  Subtitle: { paragraph: keep + spacing(0, 240), run: color(colors.muted) + size(26), next: 'Normal' },
  'List Bullet': { paragraph: numbered(1, 0) + spacing(0, 60) },
  'Clause Heading': {
    paragraph: keep + numbered(2, 0) + spacing(300, 80, 252) + heading(2),
    run: bold + color(colors.accent) + size(24),
    next: 'Clause',
  },
  Clause: { paragraph: numbered(2, 1) + spacing(0, 100) },
  header: { paragraph: spacing(0, 0, 252), run: color(colors.muted) + size(17) },
  footer: { paragraph: spacing(0, 0, 264), run: color(colors.muted) + size(16) },
  Wordmark: { paragraph: spacing(0, 0, 240), run: bold + color(colors.accent) + size(34) },
  Rule: { paragraph: border('bottom', 6, 4, colors.line) + spacing(0, 80, 240), run: size(8) },
  Gap: { paragraph: spacing(0, 0, 240), run: size(4) },
  Small: { paragraph: spacing(0, 40, 252), run: color(colors.muted) + size(17) },
  Label: { paragraph: `<w:keepNext/>${spacing(0, 20, 240)}`, run: color(colors.muted) + size(16) },
  Address: { paragraph: spacing(0, 0, 252) },
  'Table Text': { paragraph: spacing(0, 0, 252), run: size(20) },
  'Table Number': { basedOn: 'TableText', paragraph: right },
  'Table Heading': { basedOn: 'TableText', paragraph: '<w:keepNext/>', run: bold + color(colors.accent) + size(18) },
  'Table Heading Number': { basedOn: 'TableHeading', paragraph: right },
  'Table Detail': { basedOn: 'TableText', run: color(colors.muted) + size(17) },
  Sum: {
    paragraph: `<w:keepNext/><w:keepLines/><w:tabs><w:tab w:val="right" w:pos="9298"/></w:tabs>${spacing(0, 60, 252)}<w:ind w:left="4535" w:right="113"/>`,
    run: size(20),
  },
  Total: {
    basedOn: 'Sum',
    paragraph: border('top', 12, 5, colors.accent) + spacing(80, 60, 252),
    run: bold + color(colors.accent) + size(26),
  },
  Signature: {
    paragraph: `<w:keepLines/>${border('top', 4, 4, colors.muted)}${spacing(720, 40, 252)}`,
    run: color(colors.muted) + size(17),
  },
  'Label Name': { paragraph: spacing(0, 20, 240) + inLabel, run: bold + size(22) },
  'Label Line': { paragraph: spacing(0, 0, 240) + inLabel, run: size(20) },
  'Certificate Kind': {
    paragraph: center + spacing(0, 400, 240) + heading(1),
    run: display + color(colors.accent) + size(84),
  },
  'Certificate Text': { paragraph: center + spacing(0, 120, 264), run: color(colors.muted) + size(26) },
  'Certificate Name': { paragraph: center + spacing(160, 280, 240), run: display + color(colors.text) + size(68) },
  'Certificate Course': { paragraph: center + spacing(120, 200, 252), run: bold + color(colors.accent) + size(36) },
};

const styleId = (name: string): string =>
  name
    .replace(/^(\w)/, (letter) => letter.toUpperCase())
    .replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

// The schema prescribes the order of the properties of a paragraph.
const order = 'keepNext keepLines pageBreakBefore numPr pBdr tabs spacing ind jc outlineLvl'.split(' ');

function inOrder(properties: string): string {
  const elements = properties.match(/<w:(\w+)(?: [^>]*)?\/>|<w:(\w+)>.*?<\/w:\2>/g) ?? [];
  const place = (element: string): number => order.indexOf(/^<w:(\w+)/.exec(element)?.[1] ?? '');
  return elements.toSorted((a, b) => place(a) - place(b)).join('');
}

function paragraphStyle([name, { basedOn = 'Normal', paragraph = '', run = '', next }]: [
  string,
  ParagraphStyle,
]): string {
  const isBuiltIn = /^(heading \d|Subtitle|List Bullet|header|footer)$/.test(name);
  return [
    `<w:style w:type="paragraph"${isBuiltIn ? '' : ' w:customStyle="1"'} w:styleId="${styleId(name)}"><w:name w:val="${name}"/>`,
    `<w:basedOn w:val="${basedOn}"/>${next === undefined ? '' : `<w:next w:val="${next}"/>`}<w:uiPriority w:val="9"/><w:qFormat/>`,
    `<w:pPr>${inOrder(paragraph)}</w:pPr><w:rPr>${run}</w:rPr></w:style>`,
  ].join('');
}

const line = (side: string, width: number, value: string): string =>
  `<w:${side} w:val="single" w:sz="${width}" w:space="0" w:color="${value}"/>`;
const cellMargins = (vertical: number, horizontal: number): string =>
  `<w:tblCellMar><w:top w:w="${vertical}" w:type="dxa"/><w:left w:w="${horizontal}" w:type="dxa"/><w:bottom w:w="${vertical}" w:type="dxa"/><w:right w:w="${horizontal}" w:type="dxa"/></w:tblCellMar>`;
const tableStyle = (name: string, content: string): string =>
  `<w:style w:type="table" w:customStyle="1" w:styleId="${styleId(name)}"><w:name w:val="${name}"/><w:basedOn w:val="TableNormal"/><w:uiPriority w:val="40"/>${content}</w:style>`;
const shading = `<w:shd w:val="clear" w:color="auto" w:fill="${colors.tint}"/>`;

const tableStyles = [
  `<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/>${cellMargins(0, 108)}</w:tblPr></w:style>`,
  tableStyle('Columns', `<w:tblPr><w:tblInd w:w="0" w:type="dxa"/>${cellMargins(0, 0)}</w:tblPr>`),
  tableStyle(
    'Data Table',
    `<w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblBorders>${line('bottom', 8, colors.accent)}${line('insideH', 4, colors.line)}</w:tblBorders>${cellMargins(68, 113)}</w:tblPr>` +
      `<w:tblStylePr w:type="firstRow"><w:tcPr><w:tcBorders>${line('top', 8, colors.accent)}</w:tcBorders>${shading}</w:tcPr></w:tblStylePr>`,
  ),
  tableStyle(
    'Box',
    `<w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblBorders>${line('left', 24, colors.accent)}</w:tblBorders>${cellMargins(113, 198)}</w:tblPr><w:tcPr>${shading}</w:tcPr>`,
  ),
].join('');

/** The content of `word/styles.xml`. */
export function styles(locale: string): string {
  return [
    `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`,
    `${color(colors.text)}${size(21)}<w:lang w:val="${locale}" w:eastAsia="en-US" w:bidi="ar-SA"/></w:rPr></w:rPrDefault>`,
    `<w:pPrDefault><w:pPr>${spacing(0, 120)}</w:pPr></w:pPrDefault></w:docDefaults>`,
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>',
    ...Object.entries(paragraphStyles).map(paragraphStyle),
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    '<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="22"/><w:qFormat/><w:rPr><w:b/><w:bCs/></w:rPr></w:style>',
    tableStyles,
  ].join('');
}

const level = (at: number, format: string, text: string, style: string, indent: number): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:pStyle w:val="${style}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:tabs><w:tab w:val="num" w:pos="${indent}"/></w:tabs><w:ind w:left="${indent}" w:hanging="${indent}"/></w:pPr></w:lvl>`;

/** The content of `word/numbering.xml`: bullets, and the clauses of a contract. */
export const numbering = [
  `<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="singleLevel"/>${level(0, 'bullet', '•', 'ListBullet', 340)}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="2"><w:multiLevelType w:val="multilevel"/>${level(0, 'decimal', '%1.', 'ClauseHeading', 567)}${level(1, 'decimal', '%1.%2', 'Clause', 567)}</w:abstractNum>`,
  '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>',
].join('');

/** The content of `word/settings.xml`: the mode of Word 2013 and later. */
export const settings = (locale: string): string =>
  [
    '<w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/><w:compat>',
    '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>',
    `</w:compat><w:themeFontLang w:val="${locale}"/>`,
  ].join('');
