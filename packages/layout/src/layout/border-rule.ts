import type { BorderLines } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { RuleItem } from './items.ts';

/** A border of a table, with all its lines combined in one rule. */
export interface WholeRule extends RuleItem {
  readonly lines: BorderLines;
}

/** The lines of a border, from left to right and from top to bottom. */
export function linesOf(rule: WholeRule): RuleItem | readonly RuleItem[] {
  const { lines, reach } = rule;
  if (lines.length === 1 || reach === undefined) return rule;
  const [first, gap, second] = lines;
  return [
    { ...rule, width: first },
    { ...rule, width: second, reach: { ...reach, distance: first + gap } },
  ];
}

/**
 * Throws UnknownFeature for double lines that meet other borders, or that have two widths and are inside the table:
 * LibreOffice swaps some of them.
 */
export function requireKnownLines([first, , second]: BorderLines, isOuter: boolean, meetsOthers: boolean): void {
  if (meetsOthers) throw metBorder();
  if (!isOuter && first !== second) throw new UnknownFeature('a thin and a thick line between cells');
}

export function metBorder(): UnknownFeature {
  return new UnknownFeature('a double border that meets another one');
}
