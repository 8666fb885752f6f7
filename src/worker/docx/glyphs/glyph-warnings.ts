import { AppError } from '../../../shared/errors.ts';
import type { MissingCharacter, Warning } from '../core/warning.ts';
import { docxLimits } from '../limits.ts';
import { findInData } from './find-in-data.ts';
import type { MissingGlyphs } from './missing-groups.ts';

const code = 'missing_glyph';
const mostInSentence = 5;

/** One warning for each part and font whose text has characters that no font can print. */
export function glyphWarnings(found: readonly MissingGlyphs[], data: unknown): Warning[] {
  if (found.length === 0) return [];
  const inData = findInData(data, new Set(found.flatMap(({ characters }) => [...characters])));
  return found.slice(0, docxLimits.errorDetails).map((group): Warning => {
    const { characters } = group;
    const paths = group.paths ?? [...new Set([...characters].flatMap((character) => inData.get(character) ?? []))];
    return {
      code,
      message: messageOf(group),
      part: group.part,
      ...(group.font !== undefined && { font: group.font }),
      ...(group.context !== '' && { context: group.context }),
      characters: Array.from(group.characters, toMissing),
      ...(paths.length > 0 && { paths }),
      count: group.count,
    };
  });
}

/** The error that rejects a document under `onMissingGlyph: error`, with its warnings as details. */
export function glyphError(warnings: readonly Warning[]): AppError {
  return new AppError(code, 'No installed font has some characters of the document', {
    details: warnings.map(({ code: _code, ...warning }) => ({
      type: 'Message',
      ...warning,
      hint: 'install a font that has these characters, change the text, or set output.onMissingGlyph to "warn"',
    })),
  });
}

function messageOf({ part, font, characters, count }: MissingGlyphs): string {
  const shown = Array.from(characters, toMissing)
    .slice(0, mostInSentence)
    .map(({ character, codePoint }) => `${character} (${codePoint})`);
  const more = characters.size > mostInSentence ? ` and ${characters.size - mostInSentence} more` : '';
  const times = count === 1 ? 'once' : `${count} times`;
  const inFont = font === undefined ? '' : `, in text of the font ${font}`;
  return `No installed font has ${shown.join(', ')}${more}. An empty box is printed instead, ${times} in ${placeOf(part)}${inFont}.`;
}

function placeOf(label: string): string {
  return /\d$/.test(label) ? label : `the ${label}`;
}

function toMissing(character: string): MissingCharacter {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { character: character.toWellFormed(), codePoint: `U+${number}` };
}
