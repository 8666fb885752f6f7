import { run } from './docx-builder.ts';

const wordNs = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const tab = '<w:r><w:tab/></w:r>';

export const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

export function fieldMark(type: 'begin' | 'separate' | 'end'): string {
  return `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
}

export function instruction(code: string): string {
  const text = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`;
}

/** A complex field whose last result is `result` (XML of runs). */
export function field(code: string, result: string): string {
  return `${fieldMark('begin')}${instruction(code)}${fieldMark('separate')}${result}${fieldMark('end')}`;
}

/**
 * A paragraph of a style; content is text, or XML when it starts with `<`. A bookmark, if given, encloses the content.
 */
export function styled(style: string, content: string, bookmark?: string): string {
  const runs = content.startsWith('<') ? content : run(content);
  const id =
    bookmark === undefined ? 0 : [...bookmark].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7) % 65_521;
  const inner =
    bookmark === undefined
      ? runs
      : `<w:bookmarkStart w:id="${id}" w:name="${bookmark}"/>${runs}<w:bookmarkEnd w:id="${id}"/>`;
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inner}</w:p>`;
}

export interface ContentsEntry {
  readonly label: string;
  readonly page: string;
  /** The bookmark of its heading, which the entry links to. */
  readonly bookmark?: string;
  readonly style?: string;
}

/**
 * A TOC field with its entries as Word writes them: one paragraph each, with a link and a PAGEREF field if there is a
 * bookmark.
 */
export function contents(code: string, entries: readonly ContentsEntry[]): string {
  const paragraphs = entries.map(({ label, page, bookmark, style = 'TOC1' }, i) => {
    const text = label.split('\t').map(run).join(tab);
    const number = bookmark === undefined ? run(page) : field(`PAGEREF ${bookmark} \\h`, run(page));
    const entry = `${text}${page === '' ? '' : tab + number}`;
    const link = bookmark === undefined ? entry : `<w:hyperlink w:anchor="${bookmark}">${entry}</w:hyperlink>`;
    const start = i === 0 ? `${fieldMark('begin')}${instruction(code)}${fieldMark('separate')}` : '';
    return styled(style, start + link);
  });
  return `${paragraphs.join('')}<w:p>${fieldMark('end')}</w:p>`;
}

const style = (id: string, name: string, properties = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr>${properties}</w:pPr></w:style>`;

/** Styles for headings, entries of a table of contents, and two custom styles. */
export const fieldStyles = [
  `<?xml version="1.0" encoding="UTF-8"?><w:styles xmlns:w="${wordNs}">`,
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
  ...[1, 2, 3, 4].map((level) => style(`Heading${level}`, `heading ${level}`, `<w:outlineLvl w:val="${level - 1}"/>`)),
  ...[1, 2, 3, 4].map((level) =>
    style(`TOC${level}`, `toc ${level}`, '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9016"/></w:tabs>'),
  ),
  style('TOCHeading', 'TOC Heading'),
  style('Title', 'Title'),
  style('Caption', 'caption'),
  style('MyHeading', 'My Heading'),
  style('Other', 'Other Style'),
  '</w:styles>',
].join('');
