import type { Piece, WordField } from './find-fields.ts';
import { readInstruction } from './instruction.ts';

/** The first and the last field in a cell of a label sheet, as Word's label wizard writes it. */
export interface Label {
  readonly first: WordField;
  readonly last: WordField;
}

const ofRecords = new Set(['MERGEFIELD', 'ADDRESSBLOCK', 'GREETINGLINE', 'IF', 'NEXT', 'NEXTIF', 'SKIPIF']);

/**
 * The labels of a part. Empty unless all fields that read records are in the cells of one table, every cell but the
 * first begins with NEXT, and the cells are otherwise equal.
 */
export function findLabels(xml: string, fields: readonly WordField[]): readonly Label[] {
  const cells = new Map<number, WordField[]>();
  for (const field of fields) {
    if (!ofRecords.has(keywordOf(field))) continue;
    if (field.cell === undefined || !field.isWhole || moves(field)) return [];
    const known = cells.get(field.cell);
    if (known === undefined) cells.set(field.cell, [field]);
    else known.push(field);
  }
  const all = [...cells.values()];
  const isSheet = all.length > 1 && all.every((own, at) => countNext(own) === (at > 0 ? 1 : 0) && beginsRight(own, at));
  if (!isSheet) return [];
  const tables = new Set(all.map(([first]) => xml.lastIndexOf('<w:tbl>', first?.from)));
  const texts = new Set([...cells].map(([start, own]) => textOf(xml, start, own)));
  if (tables.size > 1 || texts.size > 1) return [];
  return all.flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [{ first, last }];
  });
}

const keywordOf = ({ instruction }: WordField): string => readInstruction(instruction)?.keyword ?? '';

function countNext(fields: readonly WordField[]): number {
  return fields.filter((field) => keywordOf(field) === 'NEXT').length;
}

function beginsRight([first]: readonly WordField[], at: number): boolean {
  return first !== undefined && (keywordOf(first) === 'NEXT') === at > 0;
}

/** Whether a field moves to another record on a condition, or repeats a region. */
function moves(field: WordField): boolean {
  if (/^(?:NEXTIF|SKIPIF)$/.test(keywordOf(field)) || region.test(codeOf(field.instruction))) return true;
  const inner = field.instruction.flatMap((piece) => (piece.kind === 'field' ? [piece.field] : []));
  return inner.some((one) => keywordOf(one) === 'NEXT' || moves(one));
}

const region = /^\s*MERGEFIELD\s+"?(?:Table|Range)(?:Start|End):|^\s*MERGEFIELD\s+"?(?:Begin|End)Group:/i;

/** The text of a cell with the codes of its fields instead of their results. */
function textOf(xml: string, start: number, fields: readonly WordField[]): string {
  let text = '';
  let read = start;
  for (const field of fields) {
    text += xml.slice(read, field.from);
    if (keywordOf(field) !== 'NEXT') text += codeOf(field.instruction);
    read = field.to;
  }
  text += xml.slice(read, xml.indexOf('</w:tc>', read));
  return text.replace(/<[^>]*>/g, '').replace(/\s+/g, '');
}

function codeOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      piece.kind === 'text' ? piece.text : piece.kind === 'field' ? codeOf(piece.field.instruction) : '',
    )
    .join('');
}
