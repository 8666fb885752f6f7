import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import { type NoteKind, noteId, noteKindOf, notePart, notePartsOf, withNoteId } from '../../core/notes/note-parts.ts';
import { writtenNotes } from '../../core/notes/written-notes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { repairStructure } from '../../core/render/repair-structure.ts';
import { writeXml } from '../../core/render/tag-value.ts';

/** Footnotes, endnotes and comments: their tags read the data of the place that refers to them. */
export const notes: Feature = { name: 'notes', openPart };

function openPart({ template, source, name, xml }: TemplatePart): PartCompiler | undefined {
  const kind = noteKindOf(source.contentType(name));
  if (kind !== undefined) return openNotes(kind);
  if (name !== source.mainPart || !/(?:footnote|endnote|comment)Reference/.test(xml)) return undefined;
  const parts = new Map<string, string>();
  const { open } = template.syntax;
  const escaped = open.replaceAll('<', '&lt;');
  for (const [noted, part] of notePartsOf(source)) {
    const text = source.readText(part) ?? '';
    // Merge fields and content controls become tags later.
    const mayBeFilled = text.includes('{') || text.includes(escaped) || /<w:(?:instrText|fldSimple|sdtPr)\b/.test(text);
    if (mayBeFilled) parts.set(noted, part);
  }
  if (parts.size === 0) return undefined;
  const pattern = new RegExp(
    `<w:(${[...parts.keys()].join('|')})Reference\\b[^>]*?(?:/>|>\\s*</w:\\1Reference\\s*>)`,
    'g',
  );
  if (xml.search(pattern) === -1) return undefined;
  return {
    scan: () => ({ hasTags: true }),
    readNodes: () => ({ splitText: (text) => splitAtReferences(text, pattern, parts) }),
  };
}

/** Reports sections that begin in one note and end in another. */
function openNotes(kind: NoteKind): PartCompiler {
  const start = new RegExp(`<w:${kind}[\\s>]`);
  const crosses = (pieces: readonly ParsedPiece[]): boolean =>
    pieces.some(({ value, subparsed, type }) => {
      return subparsed === undefined ? type !== 'placeholder' && start.test(value) : crosses(subparsed);
    });
  return {
    arrange: (pieces, { report }) => {
      for (const piece of pieces) {
        if (piece.subparsed === undefined || !crosses(piece.subparsed)) continue;
        const problem = `begins in one ${kind} and ends in another`;
        report({ subject: 'section', problem, hint: `close it in the ${kind} in which it begins`, piece });
      }
      return pieces;
    },
  };
}

function splitAtReferences(
  xml: string,
  pattern: RegExp,
  parts: ReadonlyMap<string, string>,
): readonly (string | Node)[] | undefined {
  const pieces: (string | Node)[] = [];
  let read = 0;
  for (const { 0: tag, 1: kind = '', index } of xml.matchAll(pattern)) {
    const part = parts.get(kind);
    if (part === undefined) continue;
    pieces.push(xml.slice(read, index), referenceNode(kind as NoteKind, part, tag));
    read = index + tag.length;
  }
  return pieces.length === 0 ? undefined : [...pieces, xml.slice(read)];
}

/** Writes a reference, and fills its note with the data of this place. */
function referenceNode(kind: NoteKind, part: string, tag: string): FeatureNode {
  const of = noteId(tag);
  const embeds = notePart(part, of);
  return {
    kind: 'feature',
    isTransparent: true,
    embeds,
    render: (scope, state) => {
      const output = state.renderEmbedded(embeds, part, scope);
      if (output === undefined) {
        writeXml(tag, '', state);
        return;
      }
      if (output.marks.length > 0) repairStructure(output);
      const id = writtenNotes(state).add(kind, { of, xml: output.pieces.join('') });
      writeXml(withNoteId(tag, id), '', state);
    },
  };
}
