import { docxLimits } from '../../limits.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { NoteCopies } from '../ids/note-copies.ts';
import { IdRepair } from '../ids/repair-ids.ts';
import type { PartNodes } from '../nodes.ts';
import type { Output } from './output.ts';
import { type Budget, tooLarge } from './render-budget.ts';
import { repairStructure } from './repair-structure.ts';
import { dropTrailingBreak } from './trailing-break.ts';

export interface FilledPart {
  readonly part: PartNodes;
  readonly output: Output;
}

/** The bytes of the filled parts and of parts with copied notes, after the repairs that sections require. */
export function finishParts(filled: readonly FilledPart[], source: DocxPackage, budget: Budget): Map<string, Buffer> {
  for (const { output } of filled) if (output.marks.length > 0) repairStructure(output);
  for (const { part, output } of filled) if (part.mayEndWithBreak) dropTrailingBreak(output.pieces);
  const repeating = filled.filter(({ part }) => part.mayRepeatIds);
  const finished = new Map<string, Buffer>();
  if (repeating.length > 0) {
    for (const [name, xml] of repairIds(repeating, filled, source, budget))
      finished.set(name, Buffer.from(xml, 'utf8'));
  }
  for (const { part, output } of filled) {
    if (!finished.has(part.name)) finished.set(part.name, encodePieces(output.pieces));
  }
  for (const bytes of finished.values()) if (bytes.length > docxLimits.outputBytes) throw tooLarge('');
  return finished;
}

function repairIds(
  repeating: readonly FilledPart[],
  filled: readonly FilledPart[],
  source: DocxPackage,
  budget: Budget,
): Map<string, string> {
  const xmlOf = (wanted: string) => filled.find(({ part }) => part.name === wanted)?.output.pieces.join('');
  const notes = new NoteCopies(source, { filled: xmlOf, write: (chars) => budget.write(chars, '') });
  const repair = new IdRepair(notes);
  const isNotes = (name: string) => /(?:footnotes|endnotes)\+xml$/.test(source.contentType(name) ?? '');
  const repaired = new Map<string, string>();
  for (const { part, output } of repeating) {
    if (!isNotes(part.name)) repaired.set(part.name, repair.part(output.pieces.join('')));
  }
  // Notes come last, including the copies made for references in other parts.
  const changed = new Map(notes.changedParts());
  for (const { part } of repeating)
    if (isNotes(part.name)) changed.set(part.name, changed.get(part.name) ?? xmlOf(part.name) ?? '');
  for (const [name, xml] of changed) repaired.set(name, repair.part(xml));
  return repaired;
}

const chunkChars = 1024 * 1024;

/** Encodes the pieces as UTF-8 in chunks of about a megabyte, so that a large part is never one string on the heap. */
function encodePieces(pieces: readonly string[]): Buffer {
  const chunks: Buffer[] = [];
  let start = 0;
  let chars = 0;
  for (let i = 0; i < pieces.length; i++) {
    chars += pieces[i]?.length ?? 0;
    if (chars < chunkChars) continue;
    chunks.push(Buffer.from(pieces.slice(start, i + 1).join(''), 'utf8'));
    start = i + 1;
    chars = 0;
  }
  const last = Buffer.from((start === 0 ? pieces : pieces.slice(start)).join(''), 'utf8');
  return chunks.length === 0 ? last : Buffer.concat([...chunks, last]);
}
