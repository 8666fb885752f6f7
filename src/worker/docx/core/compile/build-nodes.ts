import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import type { Features, NodeReader, ScannedText } from '../feature.ts';
import { dropOptionalIds } from '../ids/id-marks.ts';
import type { Node, SectionNode, TextNode } from '../nodes.ts';
import type { ParsedPiece } from '../parsed-piece.ts';
import type { Container, Mark } from '../structure.ts';
import type { ValueNode } from '../value-node.ts';
import { acrossParagraphs, type ParagraphBreak } from './across-paragraphs.ts';
import { type CollapsedStretch, expandStretches } from './collapse-static.ts';
import { mayBeText } from './delimit-tags.ts';
import { loneParagraphs } from './lone-paragraphs.ts';
import { mergeText } from './merge-text.ts';
import type { ScannedPart } from './scan-template.ts';
import { sectionContent, sectionLayout } from './section-layout.ts';
import { LinkGuard, RunReader, StoryReader, splitStories } from './tag-surroundings.ts';

export interface BuildOptions extends ScannedText {
  readonly part: ScannedPart;
  readonly features: Features;
  readonly syntax: TemplateSyntax;
}

interface BuildState extends BuildOptions {
  /** Start and end tags of paragraphs that contain only sections. */
  readonly lone: ReadonlySet<ParsedPiece>;
  /** Sections whose items must be kept apart. */
  readonly across: ReadonlyMap<ParsedPiece, ParagraphBreak>;
  /** The element whose text is being read: `w:t`, `dc:title` … */
  host: string | undefined;
  readonly stories: StoryReader;
  readonly run: RunReader;
  readonly tables: Container[];
  readonly links: LinkGuard;
  /** Functions of features that track the markup. */
  readonly followers: readonly NonNullable<NodeReader['read']>[];
  /** Tag builders of features, by prefix. */
  readonly builders: ReadonlyMap<string, NonNullable<NodeReader['build']>>;
  readonly splitters: readonly NonNullable<NodeReader['splitText']>[];
  readonly sectionReaders: readonly NonNullable<NodeReader['readSection']>[];
}

/** Turns the pieces of one part into the nodes that the renderer walks: long texts between values and sections. */
export function buildNodes(arranged: readonly ParsedPiece[], options: BuildOptions): readonly Node[] {
  const { compilers } = options.part;
  const pieces = compilers.reduce((before, compiler) => compiler.extract?.(before, options) ?? before, arranged);
  const readers = compilers.flatMap(({ readNodes }) => readNodes?.(options) ?? []);
  const state = {
    host: undefined,
    stories: new StoryReader(),
    run: new RunReader(),
    tables: [],
    links: new LinkGuard(),
    followers: readers.flatMap(({ read }) => read ?? []),
    builders: new Map(readers.flatMap(({ prefix, build }) => (prefix && build ? [[prefix, build] as const] : []))),
    splitters: readers.flatMap(({ splitText }) => splitText ?? []),
    sectionReaders: readers.flatMap(({ readSection }) => readSection ?? []),
  };
  const positions = { lone: loneParagraphs(pieces), across: acrossParagraphs(pieces) };
  return build(pieces, { ...options, ...state, ...positions }, true);
}

function build(pieces: readonly ParsedPiece[], state: BuildState, isWholePart: boolean): readonly Node[] {
  const nodes: Node[] = [];
  for (const piece of pieces) {
    state.run.read(piece);
    if (piece.type !== 'placeholder') for (const follow of state.followers) follow(piece.value);
    if (piece.node !== undefined) nodes.push(isWholePart ? piece.node : inRepetition(piece.node));
    else if (piece.type === 'placeholder') {
      nodes.push(piece.module === 'loop' ? buildSection(piece, state) : buildTag(piece, state));
    } else if (piece.type === 'content') {
      state.links.read(piece.value);
      for (const text of expandStretches(piece.value, state.stretches)) {
        for (const node of toTexts(text, state)) nodes.push(...splitText(node, state));
      }
    } else {
      if (piece.text === true) state.host = piece.position === 'start' ? piece.tag : undefined;
      const text: TextNode = { kind: 'text', xml: piece.value, mark: markOf(piece, state, state.lone.has(piece)) };
      if (piece.tag === 'w:bookmarkStart' || piece.tag === 'w:commentReference') nodes.push(...splitText(text, state));
      else nodes.push(text);
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

function toTexts(text: string | CollapsedStretch, { stories }: BuildState): TextNode[] {
  if (typeof text !== 'string') return [{ kind: 'text', xml: text.xml, mark: text.signal }];
  return splitStories(text).map((xml) => ({ kind: 'text', xml, mark: stories.read(xml) }));
}

/** The text as features split it, each the strings that earlier ones left. The mark of a split text precedes it. */
function splitText(node: TextNode, { splitters }: BuildState): readonly Node[] {
  const { xml, mark } = node;
  let pieces: readonly (string | Node)[] = [xml];
  for (const split of splitters)
    pieces = pieces.flatMap((piece) => (typeof piece === 'string' ? (split(piece) ?? [piece]) : [piece]));
  if (pieces.length === 1 && pieces[0] === xml) return [node];
  const nodes = pieces.map(
    (piece): Node => (typeof piece === 'string' ? { ...node, xml: piece, mark: undefined } : piece),
  );
  return mark === undefined ? nodes : [{ ...node, xml: '' }, ...nodes];
}

function buildTag(piece: ParsedPiece, { host: element, run, links, builders, parser, syntax }: BuildState): Node {
  const tag = piece.value.trim();
  const host = element === 'w:t' ? 'run' : 'plain';
  const around = { runProperties: host === 'run' ? run.properties : undefined, mayLink: links.mayLink };
  const buildSpecial = builders.get(tag.charAt(0));
  if (buildSpecial !== undefined) return buildSpecial(tag, around);
  return {
    kind: 'value',
    expression: parser(tag),
    tag,
    host,
    isKept: mayBeText(tag, syntax),
    ...around,
  } satisfies ValueNode;
}

function buildSection(piece: ParsedPiece, state: BuildState): SectionNode {
  const read = readSection(piece.value, state);
  const content = sectionContent(piece);
  const layout = sectionLayout(piece, content, state.across.get(piece));
  const body = build(content.pieces, state, false);
  const { source, writer } = piece;
  return { kind: 'section', ...read, isInverted: piece.inverted === true, body, layout, source, writer };
}

function readSection(
  tag: string,
  { sectionReaders, parser }: BuildState,
): Pick<SectionNode, 'tag' | 'expression' | 'included'> {
  for (const read of sectionReaders) {
    const found = read(tag);
    if (found !== undefined) return found;
  }
  return { tag, expression: parser(tag) };
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
