import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import type { FeatureNode } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { type FramePart, framesInPlace, writtenFrames } from './written-frames.ts';

/**
 * Headers and footers of page setups within sections. If a section contains the page setup, each of its items has its
 * own headers and footers, filled with the data of the item.
 */
export const frames: Feature = { name: 'frames', openPart, finishRender: framesInPlace };

/** Fields of Word and content controls, which other features may turn into tags. */
const mayBecomeTags = /<w:(?:instrText|fldSimple|sdt)\b/;

function openPart({ source, name, xml }: TemplatePart): PartCompiler | undefined {
  if (name !== source.mainPart || !/<w:(?:header|footer)Reference\b/.test(xml)) return undefined;
  const used = new Map<string, FramePart>();
  return {
    arrange: (pieces) => {
      const inSections = new Set(pieces.flatMap(({ subparsed }) => [...referencesIn(subparsed ?? [])]));
      if (inSections.size === 0) return pieces;
      const found = new Map<string, FramePart>();
      for (const { id, type, target } of readRelationships(source.readText(relationshipsPartOf(name)) ?? '')) {
        const part = inSections.has(id) ? source.entry(resolveTarget(name, target))?.name : undefined;
        const text = part === undefined ? '' : (source.readText(part) ?? '');
        if (part !== undefined && (text.includes('{') || mayBecomeTags.test(text))) found.set(id, { name: part, type });
      }
      for (const [id, part] of found) used.set(id, part);
      return [{ type: 'placeholder', value: '', node: rootNode }, ...withNodes(pieces, found, false)];
    },
    finish: (state) => {
      for (const [id, part] of used) writtenFrames(state).finish(part, id, state);
    },
  };
}

function* referencesIn(pieces: readonly ParsedPiece[]): Generator<string> {
  for (const piece of pieces) {
    if (isReference(piece)) yield idOf(piece.value);
    if (piece.subparsed !== undefined) yield* referencesIn(piece.subparsed);
  }
}

function isReference({ type, tag }: ParsedPiece): boolean {
  return type === 'tag' && (tag === 'w:headerReference' || tag === 'w:footerReference');
}

const idPattern = /(\sr:id=")([^"]*)(?=")/;
const idOf = (reference: string): string => idPattern.exec(reference)?.[2] ?? '';

/**
 * If a section prints nothing, later pages may still inherit its headers and footers, except those of separate
 * documents.
 */
function withNodes(
  pieces: readonly ParsedPiece[],
  found: ReadonlyMap<string, FramePart>,
  isOfItem: boolean,
): readonly ParsedPiece[] {
  return pieces.map((piece) => {
    const { subparsed, value } = piece;
    if (subparsed !== undefined)
      return { ...piece, subparsed: withNodes(subparsed, found, isOfItem || documentsSection.test(value)) };
    const isWhole = isReference(piece) && piece.position === 'selfclosing';
    if (isWhole && idOf(value) === '') return { type: 'placeholder', value: '', node: blankNode(value) };
    const part = isWhole ? found.get(idOf(value)) : undefined;
    const markup = isOfItem ? '' : value;
    return part === undefined ? piece : { type: 'placeholder', value: markup, node: referenceNode(value, part) };
  });
}

const documentsSection = /\|\s*documents\s*(?:\||$)/;

/** Stores the root scope, for headers and footers that no item fills. */
const rootNode: FeatureNode = {
  kind: 'feature',
  isTransparent: true,
  render: (scope, state) => {
    writtenFrames(state).root = scope;
  },
};

/** Writes a reference to a header or footer that is filled with the data of the current scope. */
function referenceNode(reference: string, part: FramePart): FeatureNode {
  return {
    kind: 'feature',
    isTransparent: true,
    embeds: part.name,
    render: (scope, state) => {
      const id = writtenFrames(state).write(part, scope, state);
      writeXml(id === undefined ? reference : reference.replace(idPattern, `$1${id}`), '', state);
    },
  };
}

/** Writes a reference to an empty header or footer. */
function blankNode(reference: string): FeatureNode {
  const kind = reference.includes('headerReference') ? 'header' : 'footer';
  return {
    kind: 'feature',
    isTransparent: true,
    render: (_, state) => {
      writeXml(reference.replace(idPattern, `$1${writtenFrames(state).blank(kind, state)}`), '', state);
    },
  };
}
