import type { ParsedPiece } from '../../core/parsed-piece.ts';
import type { Space, SpaceReader } from '../../core/pictures/available-space.ts';
import type { Expression, TagParser } from '../../language/scope.ts';
import type { DataType, UseKind } from '../../language/use.ts';
import { type HtmlTag, htmlNode, type ReplacedParagraph } from './html-node.ts';

/**
 * Replaces paragraphs that contain only HTML tags, or sections of HTML tags, by those tags, because HTML writes its own
 * paragraphs.
 */
export function extractHtml(
  pieces: readonly ParsedPiece[],
  parser: TagParser,
  reader: SpaceReader,
): readonly ParsedPiece[] {
  const extracted: ParsedPiece[] = [];
  const open: { readonly start: number; readonly space: Space }[] = [];
  for (const piece of pieces) {
    const { subparsed } = piece;
    if (piece.type !== 'placeholder') reader.read(piece.value);
    if (isParagraph(piece, 'start')) open.push({ start: extracted.length, space: reader.space });
    extracted.push(subparsed === undefined ? piece : { ...piece, subparsed: extractHtml(subparsed, parser, reader) });
    if (!isParagraph(piece, 'end')) continue;
    const opened = open.pop();
    if (opened === undefined) continue;
    const { start, space } = opened;
    const paragraph = extracted.slice(start);
    const replaced = paragraph.some(isHtmlPiece) ? replaceParagraph(paragraph, parser, space) : undefined;
    if (replaced !== undefined) extracted.splice(start, extracted.length - start, ...replaced);
  }
  return extracted;
}

function isParagraph({ type, tag, position }: ParsedPiece, end: 'start' | 'end'): boolean {
  return type === 'tag' && tag === 'w:p' && position === end;
}

/** Whether a tag prints HTML or contains one that does. */
export function isHtmlPiece({ type, value, node, subparsed }: ParsedPiece): boolean {
  if (subparsed !== undefined) return subparsed.some(isHtmlPiece);
  return type === 'placeholder' && node === undefined && value.trimStart().startsWith('~');
}

function replaceParagraph(
  paragraph: readonly ParsedPiece[],
  parser: TagParser,
  space: Space,
): readonly ParsedPiece[] | undefined {
  const furniture = furnitureOf(paragraph);
  if (furniture === undefined) return undefined;
  const properties = /<w:pPr\b[^>]*>.*<\/w:pPr>/s.exec(furniture)?.[0] ?? '';
  const first = paragraph.findIndex((piece) => piece.type === 'placeholder');
  const replaced: ReplacedParagraph = {
    properties,
    before: rangeMarks(paragraph.slice(0, first)),
    after: rangeMarks(paragraph.slice(first)),
  };
  const tags = tagsOf(paragraph, { replaced, parser, space }, '');
  // A paragraph that carries a page setup stays.
  if (properties.includes('<w:sectPr')) return [...tags, ...paragraph.filter((piece) => piece.type !== 'placeholder')];
  return tags.some((tag) => tag.subparsed !== undefined) ? [...tags, keeperOf(replaced, space)] : tags;
}

const allowed =
  /<\/?w:(?:p|r|t|proofErr|lastRenderedPageBreak|bookmarkStart|bookmarkEnd|permStart|permEnd)(?:\s[^<>]*)?\/?>/g;

/** The XML of a paragraph that contains only HTML tags; undefined for any other paragraph. */
function furnitureOf(pieces: readonly ParsedPiece[]): string | undefined {
  const xml: string[] = [];
  for (const piece of pieces) {
    if (piece.subparsed !== undefined) {
      if (piece.module !== 'loop' || furnitureOf(piece.subparsed) === undefined) return undefined;
    } else if (piece.type !== 'placeholder') xml.push(piece.value);
    else if (!isHtmlPiece(piece)) return undefined;
  }
  const whole = xml.join('');
  const rest = whole
    .replace(/<w:pPr\b[^>]*>.*<\/w:pPr>/s, '')
    .replace(/<w:pPr\s*\/>/, '')
    .replace(/<w:rPr\b[^>]*>.*?<\/w:rPr>|<w:rPr\s*\/>/gs, '')
    .replace(allowed, '');
  return rest.trim() === '' ? whole : undefined;
}

interface Replacement {
  readonly replaced: ReplacedParagraph;
  readonly parser: TagParser;
  readonly space: Space;
}

function tagsOf(
  pieces: readonly ParsedPiece[],
  { replaced, parser, space }: Replacement,
  around: string,
): ParsedPiece[] {
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
    const unmarked = { ...replaced, before: '', after: '' };
    const { subparsed } = piece;
    if (subparsed === undefined) {
      const paragraph = isFirst ? replaced : unmarked;
      const read = readHtmlTag(piece.value, parser);
      const node = htmlNode({ ...read, runProperties, paragraph, mayLink: true, space });
      tags.push({ ...piece, node });
    } else tags.push({ ...piece, subparsed: tagsOf(subparsed, { replaced: unmarked, parser, space }, runProperties) });
  }
  return tags;
}

const nothing: Expression = { evaluate: () => '', locate: () => 'data', uses: () => [] };

/** Follows sections with HTML and writes a paragraph where one is required but all of them are empty. */
function keeperOf(paragraph: ReplacedParagraph, space: Space): ParsedPiece {
  const tag = { expression: nothing, tag: '', isMarkdown: false, runProperties: '', paragraph, mayLink: true, space };
  const node = htmlNode(tag);
  return { type: 'placeholder', value: '~', node };
}

const markdownPrefix = /^md\s*:\s*/;

/** The expression of the text after the `~`, which starts with `md:` for Markdown. */
export function expressionOfHtml(text: string): string {
  return text.replace(markdownPrefix, '');
}

/** Reads `~html` or `~md:markdown`. */
export function readHtmlTag(value: string, parser: TagParser): Pick<HtmlTag, 'tag' | 'expression' | 'isMarkdown'> {
  const tag = value.trim();
  const text = tag.slice(1).trim();
  const isMarkdown = markdownPrefix.test(text);
  const data = isMarkdown ? markdownData : htmlData;
  const expression = parser(expressionOfHtml(text));
  const uses = (kind: UseKind) => expression.uses(kind === 'print' ? data : kind);
  return { tag, expression: { ...expression, uses }, isMarkdown };
}

/** HTML as a data type. */
const htmlData: DataType = {
  name: 'html',
  schema: { type: 'string', contentMediaType: 'text/html' },
  example: (title, suffix) => `<p><strong>${title}</strong>${suffix}</p>`,
  mayBeObject: false,
};

/** Markdown as a data type. */
const markdownData: DataType = {
  name: 'markdown',
  schema: { type: 'string', contentMediaType: 'text/markdown' },
  example: (title, suffix) => `**${title}**${suffix}`,
  mayBeObject: false,
};

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
