/** A seeded generator of numbers from 0 to `below` - 1. */
type Pick = (below: number) => number;

export function seeded(seed: number): Pick {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const instructions = [
  ...['TOC \\o "1-9" \\h', 'TOC \\b nowhere', 'TOC \\t "No Style;1"', 'TOC \\c "Figure"', 'INDEX \\c 4 \\h A', 'INDEX'],
  ...['BIBLIOGRAPHY', 'TOA \\c 1', 'XE "a:b:c"', 'TC "Entry" \\l 9', 'RD other.docx', 'TA \\l "Case"', 'CITATION x'],
  ...['REF _none \\h', 'REF', 'PAGEREF _none', 'NOTEREF _none', 'STYLEREF "Heading 1"', 'SEQ', 'SEQ Figure \\r 99999'],
  ...['IF 1 = 1 "yes" "no"', 'IF', 'COMPARE 1 = 1', '= 1/0', '= SUM(ABOVE)', 'SET mark "text"', 'ASK mark "Question"'],
  ...[
    'QUOTE "text"',
    'EQ \\f(1;2)',
    'SYMBOL 65 \\f Arial',
    'ADVANCE \\d 400',
    'LISTNUM',
    'AUTONUM',
    'NEXT',
    'GREETINGLINE',
  ],
  ...[
    'DATE \\@ "d. MMMM yyyy"',
    'DATE \\@ "\'',
    'TIME',
    'SAVEDATE',
    'EDITTIME',
    'FILENAME \\p',
    'NUMPAGES',
    'SECTIONPAGES',
  ],
  ...['PAGE \\* ROMAN', 'DOCPROPERTY Title', 'DOCVARIABLE x', 'USERNAME', 'TEMPLATE', 'MERGEFIELD name', 'FORMTEXT'],
  ...[
    'HYPERLINK "https://example.org/" \\o "tip"',
    'HYPERLINK \\l _none',
    'MACROBUTTON x y',
    'GOTOBUTTON x',
    'FORMDROPDOWN',
  ],
  ...['BARCODE x', 'FILLIN "Question"', '', '\\', '"', '{', 'Größe', '\u202e', 'A'.repeat(5_000), 'TOC '.repeat(200)],
];

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '');
const mark = (type: string, more = ''): string => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${escapeText(text)}</w:instrText></w:r>`;
const fieldRuns =
  /<w:r(?: [^>]*)?>(?:<w:rPr>(?:(?!<\/w:rPr>).)*<\/w:rPr>)?<w:(?:fldChar|instrText)\b(?:(?!<\/w:r>).)*<\/w:r>/gs;

/**
 * Damages the marks, instructions and nesting of some fields of a part. Text outside fields is not touched.
 */
export function mutateFields(xml: string, pick: Pick): string {
  const one = (): string => instructions[pick(instructions.length)] ?? '';
  const mutations: readonly ((run: string) => string)[] = [
    () => '',
    (run) => run + run,
    (run) => run.replace(/fldCharType="\w+"/, `fldCharType="${['begin', 'separate', 'end', 'other'][pick(4)]}"`),
    (run) => run.replace('<w:fldChar ', '<w:fldChar w:dirty="true" '),
    (run) => run.replace('<w:fldChar ', '<w:fldChar w:fldLock="true" '),
    (run) => (run.includes('<w:instrText') ? code(one()) : run),
    (run) => `${run}${mark('begin')}${code(one())}${mark('end')}`,
    (run) => `${mark('begin', ' w:dirty="1"')}${code(one())}${mark('separate')}${mark('end')}${run}`,
    (run) =>
      `${run}${mark('begin')}${code(one())}${mark('begin')}${code(one())}${mark('separate')}${mark('end')}${mark('end')}`,
    (run) =>
      `<w:del w:id="900" w:author="x" w:date="2020-01-01T00:00:00Z">${run.replaceAll('w:instrText', 'w:delInstrText')}</w:del>`,
    (run) => `<w:ins w:id="901" w:author="x" w:date="2020-01-01T00:00:00Z">${run}</w:ins>`,
    (run) => `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${run}</w:sdtContent></w:sdt>`,
    (run) => `<w:fldSimple w:instr="${escapeText(one()).replaceAll('"', '&quot;')}">${run}</w:fldSimple>`,
  ];
  return xml.replace(fieldRuns, (run) => (pick(4) === 0 ? (mutations[pick(mutations.length)]?.(run) ?? run) : run));
}
