import { expandStretches } from '../../core/compile/collapse-static.ts';
import type { ArrangedPart, Feature, PartCompiler } from '../../core/feature.ts';
import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { readWords } from './read-words.ts';

const tagText = '$dictionary';
const hint = 'put it alone into the first cell of a table of words';

/** A table whose first cell is `{$dictionary}`: words by locale for the formatter `translate`. It is not printed. */
export const dictionary: Feature = { name: 'dictionary', openPart };

function openPart(): PartCompiler {
  const words = new Map<string, Map<string, string>>();
  return {
    arrange: (pieces, part) =>
      part.tags.some(({ text }) => text === tagText) ? extractTables(pieces, part, words) : pieces,
    words: () => words,
  };
}

/** Removes the tables of words from the pieces, and adds their words to `words`. */
function extractTables(
  pieces: readonly ParsedPiece[],
  part: ArrangedPart,
  words: Map<string, Map<string, string>>,
): readonly ParsedPiece[] {
  const kept: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    const end = isTag(piece, 'w:tbl', 'start') ? endOf(pieces, i, 'w:tbl') : undefined;
    const table = end === undefined ? [] : pieces.slice(i, end + 1);
    const tag = table.find(isDictionaryTag);
    if (end !== undefined && tag !== undefined && isInFirstCell(tag, table, part)) {
      addWords(table, tag, part, words);
      i = end;
      continue;
    }
    if (isDictionaryTag(piece))
      part.report({ subject: 'tag', problem: 'is not in the first cell of a table', hint, piece });
    const { subparsed } = piece;
    kept.push(subparsed === undefined ? piece : { ...piece, subparsed: extractTables(subparsed, part, words) });
  }
  return kept;
}

function isDictionaryTag({ type, module, value }: ParsedPiece): boolean {
  return type === 'placeholder' && module === undefined && value.trim() === tagText;
}

function isInFirstCell(tag: ParsedPiece, table: readonly ParsedPiece[], { stretches }: ArrangedPart): boolean {
  const before = table.slice(1, table.indexOf(tag));
  const isInInnerTable = before.some((piece) => isTag(piece, 'w:tbl', 'start'));
  return !isInInnerTable && !markupOf(before, stretches).includes('</w:tc>');
}

/** The markup of pieces without their tags. */
function markupOf(pieces: readonly ParsedPiece[], stretches: ArrangedPart['stretches']): string {
  const markup = pieces.map(({ type, value }) => (type === 'placeholder' ? '' : value)).join('');
  return expandStretches(markup, stretches)
    .map((piece) => (typeof piece === 'string' ? piece : piece.xml))
    .join('');
}

function addWords(
  table: readonly ParsedPiece[],
  tag: ParsedPiece,
  { stretches, report }: ArrangedPart,
  words: Map<string, Map<string, string>>,
): void {
  const other = table.find((piece) => piece.type === 'placeholder' && piece !== tag);
  if (other !== undefined) {
    report({ subject: 'tag', problem: 'is in a table of words', hint: 'write words without tags', piece: other });
    return;
  }
  const read = readWords(markupOf(table, stretches));
  if ('problem' in read) {
    report({ subject: 'dictionary', ...read, piece: tag });
    return;
  }
  for (const [locale, ofLocale] of read)
    words.set(locale, new Map([...(words.get(locale) ?? []), ...withoutMarkup(ofLocale)]));
}

/** Copies the strings, because a substring keeps the whole original in memory. */
function withoutMarkup(words: ReadonlyMap<string, string>): [string, string][] {
  return JSON.parse(JSON.stringify([...words])) as [string, string][];
}
