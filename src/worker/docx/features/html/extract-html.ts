import type { ParsedPiece } from '../../core/compile/parse-parts.ts';
import type { LiftedHtml } from './html-node.ts';

/**
 * Paragraphs that hold nothing but HTML tags, or sections of HTML tags, become those tags: HTML then brings paragraphs of
 * its own.
 */
export function liftHtml(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  const lifted: ParsedPiece[] = [];
  const open: number[] = [];
  for (const piece of pieces) {
    const { subparsed } = piece;
    if (isParagraph(piece, 'start')) open.push(lifted.length);
    lifted.push(subparsed === undefined ? piece : { ...piece, subparsed: liftHtml(subparsed) });
    if (!isParagraph(piece, 'end')) continue;
    const start = open.pop();
    if (start === undefined) continue;
    const paragraph = lifted.slice(start);
    const replaced = paragraph.some(isHtml) ? replaceParagraph(paragraph) : undefined;
    if (replaced !== undefined) lifted.splice(start, lifted.length - start, ...replaced);
  }
  return lifted;
}

function isParagraph({ type, tag, position }: ParsedPiece, end: 'start' | 'end'): boolean {
  return type === 'tag' && tag === 'w:p' && position === end;
}

/** Whether a tag prints HTML, or holds one that does. */
export function isHtml({ type, value, html, subparsed }: ParsedPiece): boolean {
  if (subparsed !== undefined) return subparsed.some(isHtml);
  return type === 'placeholder' && html === undefined && value.trimStart().startsWith('~');
}

function replaceParagraph(paragraph: readonly ParsedPiece[]): readonly ParsedPiece[] | undefined {
  const furniture = furnitureOf(paragraph);
  if (furniture === undefined) return undefined;
  const properties = /<w:pPr\b[^>]*>.*<\/w:pPr>/s.exec(furniture)?.[0] ?? '';
  const first = paragraph.findIndex((piece) => piece.type === 'placeholder');
  const look: LiftedHtml = {
    properties,
    before: rangeMarks(paragraph.slice(0, first)),
    after: rangeMarks(paragraph.slice(first)),
    runProperties: '',
    isKeeper: false,
  };
  const tags = tagsOf(paragraph, look, '');
  const keeper: ParsedPiece = { type: 'placeholder', value: '~', html: { ...look, isKeeper: true } };
  // A paragraph that ends a section of pages stays where it is.
  if (properties.includes('<w:sectPr')) return [...tags, ...paragraph.filter((piece) => piece.type !== 'placeholder')];
  return tags.some((tag) => tag.subparsed !== undefined) ? [...tags, keeper] : tags;
}

const allowed =
  /<\/?w:(?:p|r|t|proofErr|lastRenderedPageBreak|bookmarkStart|bookmarkEnd|permStart|permEnd)(?:\s[^<>]*)?\/?>/g;

/** The XML of a paragraph that shows nothing but HTML tags; undefined for any other paragraph. */
function furnitureOf(pieces: readonly ParsedPiece[]): string | undefined {
  const xml: string[] = [];
  for (const piece of pieces) {
    if (piece.subparsed !== undefined) {
      if (piece.module !== 'loop' || furnitureOf(piece.subparsed) === undefined) return undefined;
    } else if (piece.type !== 'placeholder') xml.push(piece.value);
    else if (!isHtml(piece)) return undefined;
  }
  const whole = xml.join('');
  const rest = whole
    .replace(/<w:pPr\b[^>]*>.*<\/w:pPr>/s, '')
    .replace(/<w:pPr\s*\/>/, '')
    .replace(/<w:rPr\b[^>]*>.*?<\/w:rPr>|<w:rPr\s*\/>/gs, '')
    .replace(allowed, '');
  return rest.trim() === '' ? whole : undefined;
}

function tagsOf(pieces: readonly ParsedPiece[], look: LiftedHtml, around: string): ParsedPiece[] {
  const tags: ParsedPiece[] = [];
  let runProperties = around;
  let xml = '';
  for (const piece of pieces) {
    if (piece.type !== 'placeholder') {
      xml += piece.value;
      continue;
    }
    runProperties = lastRunProperties(xml) ?? runProperties;
    xml = '';
    const isFirst = tags.length === 0 && around === '';
    const place = { ...look, runProperties, ...(isFirst ? {} : { before: '', after: '' }) };
    if (piece.subparsed === undefined) tags.push({ ...piece, html: place });
    else
      tags.push({ ...piece, subparsed: tagsOf(piece.subparsed, { ...place, before: '', after: '' }, runProperties) });
  }
  return tags;
}

/** The `w:rPr` of the run that is open at the end, if one begins in this XML. */
function lastRunProperties(xml: string): string | undefined {
  const start = Math.max(xml.lastIndexOf('<w:r>'), xml.lastIndexOf('<w:r '));
  if (start === -1) return undefined;
  return /<w:rPr\b[^>]*[^/]?>.*<\/w:rPr>/s.exec(xml.slice(start))?.[0] ?? '';
}

function rangeMarks(pieces: readonly ParsedPiece[]): string {
  const xml = pieces.map((piece) => (piece.type === 'placeholder' ? '' : piece.value)).join('');
  return (xml.match(/<w:(?:bookmark|perm)(?:Start|End)\b[^<>]*\/>/g) ?? []).join('');
}
