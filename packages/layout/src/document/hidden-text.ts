import { UnknownFeature } from '../unknown-feature.ts';
import type { Inline, RunFormat } from './tree.ts';

/** Hidden text before an inline, or at the end of its paragraph. */
export interface HiddenText {
  readonly index: number;
  readonly format: RunFormat;
}

/**
 * Hidden text has no width, but Writer gives its line the height of its font, and a paragraph of only hidden text a
 * different height. Throws UnknownFeature unless it is next to words in the same font.
 */
export function requireEvenHeight(inlines: readonly Inline[], hidden: readonly HiddenText[]): void {
  for (const { index, format } of hidden) {
    const beside = [inlines[index - 1], inlines[index]].filter((inline) => inline !== undefined);
    if (beside.length === 0) throw new UnknownFeature('a paragraph of hidden text');
    if (
      !beside.every((inline) => inline.kind === 'text' && /\S/.test(inline.text) && hasSameFont(inline.format, format))
    )
      throw new UnknownFeature('hidden text beside something other than words in its font');
  }
}

function hasSameFont(one: RunFormat, other: RunFormat): boolean {
  const properties = ['family', 'halfPoints', 'isBold', 'isItalic', 'position'] as const;
  return properties.every((name) => one[name] === other[name]);
}
