import { escapeXml } from './xml.ts';

export type TextFormat = {
  readonly style?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly color?: string;
  readonly sizePt?: number;
};

/** A run as WordprocessingML; strings are plain text. */
export type Run = { readonly runXml: string };
export type Inline = string | Run;

export type ParagraphFormat = {
  readonly keepNext?: boolean;
  readonly keepLines?: boolean;
  readonly pageBreakBefore?: boolean;
  readonly numbering?: { readonly id: number; readonly level: number };
  readonly tabs?: readonly { readonly atMm: number; readonly align: 'left' | 'center' | 'right' }[];
  readonly beforePt?: number;
  readonly afterPt?: number;
  readonly align?: 'left' | 'center' | 'right' | 'both';
};

const twipsPerMm = 1440 / 25.4;

/** Millimetres as twentieths of a point, the unit of WordprocessingML. */
export const twips = (mm: number): number => Math.round(mm * twipsPerMm);

/** One run of text; `\t` becomes a tab and `\n` a line break. */
export function text(value: string, format: TextFormat = {}): Run {
  const properties = [
    format.style === undefined ? '' : `<w:rStyle w:val="${format.style}"/>`,
    format.bold === true ? '<w:b/><w:bCs/>' : '',
    format.italic === true ? '<w:i/><w:iCs/>' : '',
    format.color === undefined ? '' : `<w:color w:val="${format.color}"/>`,
    format.sizePt === undefined ? '' : `<w:sz w:val="${format.sizePt * 2}"/><w:szCs w:val="${format.sizePt * 2}"/>`,
  ].join('');
  const content = value
    .split(/([\t\n])/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (piece === '\t') return '<w:tab/>';
      if (piece === '\n') return '<w:br/>';
      return `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`;
    })
    .join('');
  return { runXml: `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}${content}</w:r>` };
}

/** A complex field such as `PAGE`, with the text shown until it is updated. */
export function field(instruction: string, shown: string): Run {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = `<w:r><w:instrText xml:space="preserve"> ${escapeXml(instruction)} </w:instrText></w:r>`;
  return { runXml: mark('begin') + code + mark('separate') + text(shown).runXml + mark('end') };
}

/** Strings are text in which `**…**` is bold. */
export function runs(content: readonly Inline[]): string {
  return content
    .flatMap((part) => {
      if (typeof part !== 'string') return [part.runXml];
      const pieces = part.split('**');
      return pieces.map((piece, index) => {
        if (piece === '') return '';
        return text(piece, index % 2 === 1 ? { style: 'Strong' } : {}).runXml;
      });
    })
    .join('');
}

/** A paragraph in a named style; `format` is its additional direct formatting. */
export function paragraph(style: string, content: Inline | readonly Inline[], format: ParagraphFormat = {}): string {
  const inlines = typeof content === 'string' || 'runXml' in content ? [content] : content;
  return `<w:p><w:pPr>${paragraphProperties(style, format)}</w:pPr>${runs(inlines)}</w:p>`;
}

function paragraphProperties(style: string, format: ParagraphFormat): string {
  const tabs = (format.tabs ?? []).map((tab) => `<w:tab w:val="${tab.align}" w:pos="${twips(tab.atMm)}"/>`).join('');
  const before = format.beforePt === undefined ? '' : ` w:before="${format.beforePt * 20}"`;
  const after = format.afterPt === undefined ? '' : ` w:after="${format.afterPt * 20}"`;
  return [
    style === 'Normal' ? '' : `<w:pStyle w:val="${style}"/>`,
    format.keepNext === true ? '<w:keepNext/>' : '',
    format.keepLines === true ? '<w:keepLines/>' : '',
    format.pageBreakBefore === true ? '<w:pageBreakBefore/>' : '',
    format.numbering === undefined
      ? ''
      : `<w:numPr><w:ilvl w:val="${format.numbering.level}"/><w:numId w:val="${format.numbering.id}"/></w:numPr>`,
    tabs === '' ? '' : `<w:tabs>${tabs}</w:tabs>`,
    before + after === '' ? '' : `<w:spacing${before}${after}/>`,
    format.align === undefined ? '' : `<w:jc w:val="${format.align}"/>`,
  ].join('');
}
