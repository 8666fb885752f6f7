import type { LineGrid, Paragraph } from '../document/tree.ts';
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

/**
 * The paragraph whose lines are put on a grid. Writer ignores an exact or a least height there (`SwTextFormatter::
 * CalcRealHeight`).
 */
export function withoutLineHeight(paragraph: Paragraph): Paragraph {
  const { format } = paragraph;
  if (format.lineRule === 'auto') return paragraph;
  return { ...paragraph, format: { ...format, line: 240, lineRule: 'auto' } };
}

/** Lines whose heights are multiples of the pitch. Text stands in the middle of its line. Throws UnknownFeature. */
export function linesOnGrid(lines: readonly Line[], { format }: Paragraph, pitch: number): readonly Line[] {
  if (format.lineRule === 'auto' && Math.round((format.line * 100) / 240) !== 100)
    throw new UnknownFeature('line spacing on a grid of lines');
  return lines.map((line) => {
    const height = Math.ceil(line.height / pitch) * pitch;
    return { ...line, height, ascent: line.ascent + Math.floor((height - line.height) / 2) };
  });
}
