import type { BorderLines } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { RuleItem } from './items.ts';

/** A border of a table, with all its lines as one rule. */
export interface WholeRule extends RuleItem {
  readonly lines: BorderLines;
}

/** The lines of a border, from the left and from above. */
export function linesOf(rule: WholeRule): RuleItem | readonly RuleItem[] {
  const { lines, reach } = rule;
  if (lines.length === 1 || reach === undefined) return rule;
  const [first, gap, second] = lines;
  return [
    { ...rule, width: first },
    { ...rule, width: second, reach: { ...reach, distance: first + gap } },
  ];
}

/** Throws UnknownFeature for two lines that meet other borders, or of two widths inside of the table: LibreOffice exchanges some of them. */
export function requireKnownLines([first, , second]: BorderLines, isOuter: boolean, meetsOthers: boolean): void {
  if (meetsOthers) throw metBorder();
  if (!isOuter && first !== second) throw new UnknownFeature('a thin and a thick line between cells');
}

export function metBorder(): UnknownFeature {
  return new UnknownFeature('a double border that meets another one');
}
