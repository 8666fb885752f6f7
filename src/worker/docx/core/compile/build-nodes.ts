import { liftControls } from '../../features/controls/extract-controls.ts';
import { buildHtml } from '../../features/html/build-html.ts';
import { isHtml, liftHtml } from '../../features/html/extract-html.ts';
import { ColumnReader } from '../../features/images/column-reader.ts';
import type { Size } from '../../features/images/fit-picture.ts';
import { buildPicture, isPictureTag } from '../../features/images/picture-node.ts';
import type { Placeholder } from '../../features/images/placeholder.ts';
import type { FillableAddress } from '../../features/links/scan-addresses.ts';
import { splitLinks } from '../../features/links/split-links.ts';
import type { TagParser } from '../../language/scope.ts';
import { dropOptionalIds } from '../ids/drop-optional-ids.ts';
import type { Node, SectionNode, TextNode } from '../nodes.ts';
import type { Container, Mark } from '../structure.ts';
import { type FoldedStretch, unfold } from './collapse-static.ts';
import { LinkGuard } from './link-guard.ts';
import { loneParagraphs } from './lone-paragraphs.ts';
import { mergeText } from './merge-text.ts';
import type { ParsedPiece } from './parse-parts.ts';
import { RunReader } from './run-reader.ts';
import { sectionLayout } from './section-layout.ts';
import { StoryReader, splitStories } from './stories.ts';

export interface BuildOptions {
  readonly parser: TagParser;
  readonly stretches: readonly FoldedStretch[];
  readonly sectionProperties: readonly string[];
  /** The addresses with tags, by the ids of their relationships. */
  readonly addresses: ReadonlyMap<string, FillableAddress>;
  /** Set for parts with pictures: the room on a page, and the pictures of the template that tags replace. */
  readonly pictures: { readonly room: Size; readonly placeholders: readonly Placeholder[] } | undefined;
}

interface BuildState extends BuildOptions {
  /** Tags of paragraphs that show nothing but sections. */
  readonly lone: ReadonlySet<ParsedPiece>;
  /** The element whose text is being read: `w:t`, `dc:title` … */
  host: string | undefined;
  readonly stories: StoryReader;
  readonly run: RunReader;
  readonly tables: Container[];
  readonly links: LinkGuard;
  readonly columns: ColumnReader | undefined;
}

/** Turns the pieces of one part into what the renderer walks: long stretches of text between values and sections. */
export function buildNodes(pieces: readonly ParsedPiece[], options: BuildOptions): readonly Node[] {
  const lifted = liftControls(pieces.some(isHtml) ? liftHtml(pieces) : pieces, options.parser);
  const state = {
    host: undefined,
    stories: new StoryReader(),
    run: new RunReader(),
    tables: [],
    links: new LinkGuard(),
    columns: options.pictures === undefined ? undefined : new ColumnReader(options.pictures.room),
  };
  return build(lifted, { ...options, ...state, lone: loneParagraphs(lifted) }, true);
}

function build(pieces: readonly ParsedPiece[], state: BuildState, isWholePart: boolean): readonly Node[] {
  const nodes: Node[] = [];
  for (const piece of pieces) {
    state.run.read(piece);
    if (piece.type !== 'placeholder') state.columns?.read(piece.value);
    if (piece.node !== undefined) nodes.push(isWholePart ? piece.node : inRepetition(piece.node));
    else if (piece.type === 'placeholder') {
      nodes.push(piece.module === 'loop' ? buildSection(piece, state) : buildValue(piece, state));
    } else if (piece.type === 'content') {
      state.links.read(piece.value);
      for (const text of unfold(piece.value, state.stretches)) {
        for (const node of toTexts(text, state)) nodes.push(...withAddresses(node, state));
      }
    } else {
      if (piece.text === true) state.host = piece.position === 'start' ? piece.tag : undefined;
      nodes.push({ kind: 'text', xml: piece.value, mark: markOf(piece, state, state.lone.has(piece)) });
    }
  }
  return mergeText(isWholePart ? nodes : nodes.map(withoutOptionalIds), isWholePart);
}

function inRepetition(node: Node): Node {
  return node.kind === 'section' ? { ...node, body: node.body.map(withoutOptionalIds) } : node;
}

function withoutOptionalIds(node: Node): Node {
  return node.kind === 'text' ? { ...node, xml: dropOptionalIds(node.xml) } : node;
}

function toTexts(text: string | FoldedStretch, { stories }: BuildState): TextNode[] {
  if (typeof text !== 'string') return [{ kind: 'text', xml: text.xml, mark: text.signal }];
  return splitStories(text).map((xml) => ({ kind: 'text', xml, mark: stories.read(xml) }));
}

function withAddresses(node: TextNode, { addresses }: BuildState): readonly Node[] {
  const { xml, mark } = node;
  if (addresses.size === 0 && !xml.includes('HYPERLINK')) return [node];
  const pieces = splitLinks(xml, addresses);
  if (pieces.length === 1 && pieces[0] === xml) return [node];
  const nodes = pieces.map((piece) => (typeof piece === 'string' ? { ...node, xml: piece, mark: undefined } : piece));
  return mark === undefined ? nodes : [{ ...node, xml: '' }, ...nodes];
}

function buildValue(piece: ParsedPiece, state: BuildState): Node {
  const tag = piece.value.trim();
  const host = state.host === 'w:t' ? 'run' : 'plain';
  const runProperties = host === 'run' ? state.run.properties : undefined;
  const { pictures, columns, parser } = state;
  if (pictures !== undefined && columns !== undefined && isPictureTag(tag))
    return buildPicture(tag, { parser, runProperties, column: columns.column, placeholders: pictures.placeholders });
  const { mayLink } = state.links;
  if (isHtml(piece) || piece.html !== undefined) return buildHtml(piece, { parser, runProperties, mayLink });
  return { kind: 'value', expression: parser(tag), tag, host, runProperties, mayLink };
}

function buildSection(piece: ParsedPiece, state: BuildState): SectionNode {
  const expression = state.parser(piece.value);
  const layout = sectionLayout(piece, state.sectionProperties);
  const body = build(piece.subparsed ?? [], state, false);
  const { column } = piece;
  return { kind: 'section', tag: piece.value, expression, isInverted: piece.inverted === true, body, layout, column };
}

const tableMarks: Readonly<Record<string, 'cell' | 'row' | 'table'>> = {
  'w:tc': 'cell',
  'w:tr': 'row',
  'w:tbl': 'table',
};
const pageMarks: Readonly<Record<string, Mark>> = {
  'w:type': 'page-type',
  'w:headerReference': 'page-frame',
  'w:footerReference': 'page-frame',
};

function markOf({ tag = '', position, value }: ParsedPiece, state: BuildState, isLone: boolean): Mark | undefined {
  const isEnd = position === 'end';
  if (tag === 'w:p') {
    if (position === 'start') state.stories.paragraphs++;
    if (isEnd) state.stories.paragraphs--;
    if (isLone) return isEnd ? 'lone-end' : 'lone';
    return isEnd ? undefined : 'has-paragraph';
  }
  if (tag === 'w:r' || tag === 'w:sdt' || tag === 'w:commentRangeStart') return isEnd ? undefined : 'has-inline';
  if (tag === 'w:hdr' || tag === 'w:ftr') return state.stories.read(value);
  if (position === 'selfclosing') return pageMarks[tag];
  if (tag === 'w:sectPr') return isEnd ? 'page-setup-end' : 'page-setup';
  if (tag === 'w:sdtContent') return controlMark(isEnd, state);
  const mark = tableMarks[tag];
  if (mark === undefined) return pageMarks[tag];
  if (isEnd) state.tables.pop();
  else state.tables.push(mark);
  return isEnd ? `${mark}-end` : mark;
}

// A content control inside a paragraph may be empty; one between rows or cells cannot hold a paragraph.
function controlMark(isEnd: boolean, state: BuildState): Mark {
  if (isEnd) return 'control-end';
  const around = state.tables.at(-1);
  const holdsParagraphs = state.stories.paragraphs === 0 && around !== 'table' && around !== 'row';
  return holdsParagraphs ? 'control' : 'control-part';
}
