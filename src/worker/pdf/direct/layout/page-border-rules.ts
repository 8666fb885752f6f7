import type { PageSide, Section } from '../document/tree.ts';
import type { RuleItem } from './items.ts';

/** LibreOffice ends the borders of a page within its right and lower edges. */
const lastTwip = 1;
/** In the order in which LibreOffice draws them. */
const order = ['top', 'right', 'bottom', 'left'] as const;

/** The lines around a page. */
export function pageBorderRules({ borders, geometry }: Pick<Section, 'borders' | 'geometry'>): readonly RuleItem[] {
  if (borders === undefined) return [];
  const { sides, frame, lines, color } = borders;
  const edges = {
    ...frame,
    right: geometry.width - frame.right - lastTwip,
    bottom: geometry.height - frame.bottom - lastTwip,
  };
  const rule = (side: PageSide, distance: number, width: number, inset: number): RuleItem => {
    const insetAt = (one: PageSide): number => (sides.includes(one) ? inset : 0);
    const middle = distance + width / 2;
    const isFirst = side === 'top' || side === 'left';
    const at = Math.ceil(isFirst ? edges[side] + middle : edges[side] - middle);
    const isAcross = side === 'top' || side === 'bottom';
    const place = isAcross
      ? { left: edges.left + insetAt('left'), right: edges.right - insetAt('right'), top: at, bottom: at }
      : { left: at, right: at, top: edges.top + insetAt('top'), bottom: edges.bottom - insetAt('bottom') };
    return { kind: 'rule', ...place, width, color, reach: undefined };
  };
  return order.flatMap((side) => {
    if (!sides.includes(side)) return [];
    if (lines.length === 1) return [rule(side, 0, lines[0], 0)];
    const [first, gap, second] = lines;
    const [outer, inner] = side === 'top' || side === 'left' ? [first, second] : [second, first];
    // Where sides meet, LibreOffice ends inner lines by the width of the second line or of the first one.
    const inset = gap + (side === 'top' || side === 'right' ? second : first);
    return [rule(side, 0, outer, 0), rule(side, outer + gap, inner, inset)];
  });
}
