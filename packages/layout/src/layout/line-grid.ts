import type { LineGrid, Paragraph } from '../document/tree.ts';
import type { TextFont } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Line } from './line.ts';

/** The top and bottom of the text of a page. */
type Area = readonly [top: number, bottom: number];

/**
 * The lines of a grid that fit into a text area: only whole ones, and never more than between the margins. They stand
 * in the middle of the area (Writer, `SwBodyFrame::Format`).
 */
export function gridArea([top, bottom]: Area, { pitch, lines }: LineGrid): [top: number, bottom: number] {
  const free = bottom - top;
  const height = Math.min(Math.floor(free / pitch), lines) * pitch;
  const above = top + Math.floor((free - height) / 2);
  return [above, above + height];
}

/** The paragraph whose lines are put on a grid, which come before a least height. */
export function withoutLeastHeight(paragraph: Paragraph): Paragraph {
  const { format } = paragraph;
  if (format.lineRule !== 'atLeast') return paragraph;
  return { ...paragraph, format: { ...format, line: 240, lineRule: 'auto' } };
}

/**
 * Lines whose heights are multiples of the pitch, unless they are exact or have a higher least height. Text stands in
 * the middle of its line (Writer, `SwTextCursor::AdjustBaseLine`). Throws UnknownFeature.
 */
export function linesOnGrid(lines: readonly Line[], { format }: Paragraph, pitch: number): readonly Line[] {
  const isExact = format.lineRule === 'exact';
  const least = format.lineRule === 'atLeast' ? format.line : 0;
  const percent = format.lineRule === 'auto' ? Math.round((format.line * 100) / 240) : 100;
  return lines.map((line) => {
    if (line.fragments.length === 0 && line.height > pitch)
      throw new UnknownFeature('an empty line that is higher than the lines of the grid');
    const height = isExact ? line.height : Math.max(least, Math.ceil(line.height / pitch) * pitch);
    const font = fontOfLine(line);
    const ascent = font === undefined ? line.ascent : font.ascent + Math.trunc((height - font.lineHeight) / 2);
    return { ...line, height, ascent, spacing: Math.floor((height * percent) / 100) - height };
  });
}

/** The metrics of all text on a line; undefined if it has none. Each portion stands in the middle of the line. */
function fontOfLine({ fragments }: Line): TextFont | undefined {
  let found: TextFont | undefined;
  for (const fragment of fragments) {
    if (fragment.kind === 'picture') throw new UnknownFeature('a picture on a grid of lines');
    const { font } = fragment;
    found ??= font;
    const isAlike = font.ascent === found.ascent && font.lineHeight === found.lineHeight;
    if (!isAlike || font.rise !== 0) throw new UnknownFeature('text of several heights on a grid of lines');
  }
  return found;
}
