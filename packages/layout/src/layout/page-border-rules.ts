import type { PageSide, Section } from '../document/tree.ts';
import type { BoxRuleItem } from './items.ts';

/** LibreOffice's drawing order. */
const order = ['top', 'right', 'bottom', 'left'] as const;

/** The lines around a page. */
export function pageBorderRules({ borders, geometry }: Pick<Section, 'borders' | 'geometry'>): readonly BoxRuleItem[] {
  if (borders === undefined) return [];
  const { sides, frame, lines, color } = borders;
  const box = { ...frame, right: geometry.width - frame.right, bottom: geometry.height - frame.bottom };
  const rule = (side: PageSide, distance: number, width: number, inset: number): BoxRuleItem => {
    const insetAt = (one: PageSide): number => (sides.includes(one) ? inset : 0);
    const [start, end] =
      side === 'top' || side === 'bottom' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
    const insets = { startInset: insetAt(start), endInset: insetAt(end) };
    return { kind: 'box-rule', ...box, side, width, color, distance, ...insets };
  };
  return order.flatMap((side) => {
    if (!sides.includes(side)) return [];
    if (lines.length === 1) return [rule(side, 0, lines[0], 0)];
    const [first, gap, second] = lines;
    const [outer, inner] = side === 'top' || side === 'left' ? [first, second] : [second, first];
    // Where sides meet, LibreOffice shortens inner lines by the width of the second line or of the first one.
    const inset = gap + (side === 'top' || side === 'right' ? second : first);
    return [rule(side, 0, outer, 0), rule(side, outer + gap, inner, inset)];
  });
}
