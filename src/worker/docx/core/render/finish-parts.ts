import { docxLimits } from '../../limits.ts';
import { IdRepair } from '../ids/repair-ids.ts';
import type { PartNodes } from '../nodes.ts';
import { arrangeNotes } from '../notes/arrange-notes.ts';
import type { NoteParts } from '../notes/note-parts.ts';
import { writtenNotes } from '../notes/written-notes.ts';
import { arrangeSections } from './arrange-sections.ts';
import type { Output } from './output.ts';
import { tooLarge } from './render-budget.ts';
import type { Render } from './render-state.ts';
import { repairStructure } from './repair-structure.ts';
import { dropTrailingBreak } from './trailing-break.ts';

export interface FilledPart {
  readonly part: PartNodes;
  readonly output: Output;
}

/** The bytes of the filled parts and of parts with moved notes, after the repairs that sections require. */
export function finishParts(filled: readonly FilledPart[], noteParts: NoteParts, render: Render): Map<string, Buffer> {
  for (const { output } of filled) if (output.marks.length > 0) repairStructure(output);
  for (const { part, output } of filled) if (part.mayEmptySections) arrangeSections(output.pieces);
  for (const { part, output } of filled) if (part.mayEndWithBreak) dropTrailingBreak(output.pieces);
  const changed = arrange(filled, noteParts, render);
  const finished = new Map<string, Buffer>();
  for (const [name, xml] of changed) finished.set(name, Buffer.from(xml, 'utf8'));
  for (const { part, output } of filled) {
    if (!finished.has(part.name)) finished.set(part.name, encodePieces(output.pieces));
  }
  for (const bytes of finished.values()) if (bytes.length > docxLimits.outputBytes) throw tooLarge('');
  return finished;
}

/** The parts whose notes or ids change, as text. */
function arrange(filled: readonly FilledPart[], noteParts: NoteParts, render: Render): ReadonlyMap<string, string> {
  const { source, budget } = render;
  const textOf = ({ output }: FilledPart) => output.pieces.join('');
  const main = filled.find(({ part }) => part.name === source.mainPart);
  const notes = arrangeNotes({
    source,
    noteParts,
    body: () => (main === undefined ? (source.readText(source.mainPart) ?? '') : textOf(main)),
    written: writtenNotes({ render }),
    isFilled: (name) => filled.some(({ part }) => part.name === name),
    write: (chars) => budget.write(chars, ''),
  });
  const repair = new IdRepair();
  const changed = new Map<string, string>();
  if (notes.body !== undefined) changed.set(source.mainPart, notes.body);
  for (const one of filled) {
    const { name, mayRepeatIds } = one.part;
    if (mayRepeatIds) changed.set(name, repair.part(changed.get(name) ?? textOf(one)));
  }
  for (const [name, xml] of notes.parts) changed.set(name, repair.part(xml));
  return changed;
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
