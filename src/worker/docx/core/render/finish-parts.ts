import { docxLimits } from '../../limits.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { NoteCopies } from '../ids/note-copies.ts';
import { IdMender } from '../ids/repair-ids.ts';
import type { PartNodes } from '../nodes.ts';
import { type Budget, tooLarge } from './budget.ts';
import { encodePieces } from './encode-pieces.ts';
import type { Output } from './output.ts';
import { mendStructure } from './repair-structure.ts';
import { dropTrailingBreak } from './trailing-break.ts';

export interface FilledPart {
  readonly part: PartNodes;
  readonly output: Output;
}

/** The bytes of the filled parts, and of the notes that had to be copied, after all repairs that sections make necessary. */
export function finishParts(filled: readonly FilledPart[], source: DocxPackage, budget: Budget): Map<string, Buffer> {
  for (const { output } of filled) if (output.marks.length > 0) mendStructure(output);
  for (const { part, output } of filled) if (part.mayEndWithBreak) dropTrailingBreak(output.pieces);
  const unsteady = filled.filter(({ part }) => part.hasUnsteadyIds);
  const finished = new Map<string, Buffer>();
  if (unsteady.length > 0) {
    for (const [name, xml] of steadyParts(unsteady, filled, source, budget))
      finished.set(name, Buffer.from(xml, 'utf8'));
  }
  for (const { part, output } of filled) {
    if (!finished.has(part.name)) finished.set(part.name, encodePieces(output.pieces));
  }
  for (const bytes of finished.values()) if (bytes.length > docxLimits.outputBytes) throw tooLarge('');
  return finished;
}

function steadyParts(
  unsteady: readonly FilledPart[],
  filled: readonly FilledPart[],
  source: DocxPackage,
  budget: Budget,
): Map<string, string> {
  const xmlOf = (wanted: string) => filled.find(({ part }) => part.name === wanted)?.output.pieces.join('');
  const notes = new NoteCopies(source, { filled: xmlOf, write: (chars) => budget.write(chars, '') });
  const mender = new IdMender(notes);
  const isNotes = (name: string) => /(?:footnotes|endnotes)\+xml$/.test(source.contentType(name) ?? '');
  const steady = new Map<string, string>();
  for (const { part, output } of unsteady) {
    if (!isNotes(part.name)) steady.set(part.name, mender.mend(output.pieces.join('')));
  }
  // Notes come last, with the copies that references of the body asked for.
  const changed = new Map(notes.changedParts());
  for (const { part } of unsteady)
    if (isNotes(part.name)) changed.set(part.name, changed.get(part.name) ?? xmlOf(part.name) ?? '');
  for (const [name, xml] of changed) steady.set(name, mender.mend(xml));
  return steady;
}
