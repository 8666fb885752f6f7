import type { Node } from '../nodes.ts';

const pageBreak = /<w:br\s[^>]*?w:type=(?:"page"|'page')[^>]*?(?:\/>|>\s*<\/w:br>)/g;
const bodyEnd =
  /(?:<w:sectPr\b(?:(?!<w:sectPr\b)[\s\S])*<\/w:sectPr>|<w:sectPr\b[^>]*\/>)?\s*<\/w:body>\s*<\/w:document>\s*$/;
const element = /<w:(?:br|sym|drawing|pict|object|fldChar|fldSimple|ptab|tbl|sectPr|altChunk)\b|<m:|<mc:|Reference\b/;

/** Whether the XML displays anything. A filled value is text without tags. */
export function shows(xml: string): boolean {
  return element.test(xml) || xml.replace(/<[^>]*>/g, '').trim() !== '';
}

/** Whether the last section may leave a page break at the end of the document. */
export function mayEndWithBreak(nodes: readonly Node[]): boolean {
  const last = nodes.findLastIndex((node) => node.kind === 'section');
  if (last === -1) return false;
  const after = nodes.slice(last + 1).map((node) => (node.kind === 'text' ? node.xml : '<w:br/>'));
  return !shows(after.join('').replace(bodyEnd, '')) && hasBreak(nodes);
}

function hasBreak(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'text') return node.xml.search(pageBreak) !== -1;
    return node.kind === 'section' && (node.layout !== undefined || hasBreak(node.body));
  });
}

/** Removes a final page break and its paragraph, so that the document does not end with an empty page. */
export function dropTrailingBreak(pieces: string[]): void {
  let isEnd = true;
  for (let i = pieces.length - 1; i >= 0; i--) {
    const piece = pieces[i] ?? '';
    const found = [...piece.matchAll(pageBreak)].at(-1);
    const after = found === undefined ? piece : piece.slice(found.index + found[0].length);
    if (shows(isEnd ? after.replace(bodyEnd, '') : after)) return;
    if (piece !== '') isEnd = false;
    if (found === undefined) continue;
    pieces[i] = piece.slice(0, found.index) + after;
    dropParagraph(pieces, i, found.index);
    return;
  }
}

/** Drops the paragraph around a position if it displays nothing and follows another paragraph. */
function dropParagraph(pieces: string[], at: number, offset: number): void {
  let from = at;
  let xml = pieces[at] ?? '';
  let place = offset;
  const startOf = () => Math.max(xml.lastIndexOf('<w:p>', place), xml.lastIndexOf('<w:p ', place));
  while (startOf() === -1 && from > 0) {
    const before = pieces[--from] ?? '';
    xml = before + xml;
    place += before.length;
  }
  const start = startOf();
  const end = xml.indexOf('</w:p>', place);
  if (start === -1 || end === -1 || shows(xml.slice(start, end))) return;
  const before = start > 0 ? xml.slice(0, start) : (pieces.slice(0, from).findLast((piece) => piece !== '') ?? '');
  if (!before.endsWith('</w:p>')) return;
  pieces.fill('', from, at + 1);
  pieces[from] = xml.slice(0, start) + xml.slice(end + '</w:p>'.length);
}
