import { isSameBorder } from '../document/border-lines.ts';
import type { Border, PageSide, ParagraphFormat } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { BoxRuleItem } from './items.ts';

/** Twips from the upper left corner of the column to the outer edges of borders. */
export type BorderBox = Readonly<Record<PageSide, number>>;

/**
 * The lines around a paragraph, from the outer to the inner one on each side. Throws UnknownFeature for double lines
 * that meet others.
 */
export function paragraphRules(format: ParagraphFormat, box: BorderBox): BoxRuleItem[] {
  const { borderTop, borderBottom, borderLeft, borderRight } = format;
  if ((borderTop ?? borderBottom ?? borderLeft ?? borderRight) === undefined) return [];
  const borders = {
    top: borderTop,
    bottom: borderBottom,
    left: borderLeft,
    right: borderRight,
  };
  requireKnownCorners(borders);
  return sides.flatMap((side) => rulesOf(side, borders, box));
}

type Borders = Readonly<Record<PageSide, Border | undefined>>;

/** LibreOffice's drawing order. */
const sides = ['top', 'right', 'bottom', 'left'] as const;

function requireKnownCorners({ top, bottom, left, right }: Borders): void {
  const [across, beside] = [[top, bottom].filter(isGiven), [left, right].filter(isGiven)];
  const all = [...across, ...beside];
  if (across.length === 0 || beside.length === 0 || all.every(({ lines }) => lines.length === 1)) return;
  if (!all.every((one) => isSameBorder(one, all[0])))
    throw new UnknownFeature('a double border that meets another one');
}

const isGiven = (border: Border | undefined): border is Border => border !== undefined;

function rulesOf(side: PageSide, borders: Borders, box: BorderBox): BoxRuleItem[] {
  const border = borders[side];
  if (border === undefined) return [];
  const { lines, color } = border;
  const line = { kind: 'box-rule', ...box, side, color, startInset: 0, endInset: 0 } as const;
  if (lines.length === 1) return [{ ...line, width: lines[0], distance: 0 }];
  const [outer, gap, inner] = lines;
  // Where sides meet, LibreOffice shortens inner lines by the width of the inner line or of the outer one.
  const [start, end] = side === 'top' || side === 'right' ? [inner, outer] : [outer, inner];
  const [before, behind] =
    side === 'top' || side === 'bottom' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const insetAt = (beside: PageSide, width: number): number => (borders[beside] === undefined ? 0 : gap + width);
  const insets = { startInset: insetAt(before, start), endInset: insetAt(behind, end) };
  return [
    { ...line, width: outer, distance: 0 },
    { ...line, ...insets, width: inner, distance: outer + gap },
  ];
}
