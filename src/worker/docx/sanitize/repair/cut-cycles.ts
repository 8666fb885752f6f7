import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { WarningCode } from '../warnings.ts';

/** The maximum length of a chain of styles. Word writes about ten; LibreOffice needs a minute for a few thousand. */
const maxDepth = 100;

interface Base {
  readonly style: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Removes circles of `w:basedOn`, which crash LibreOffice, and cuts chains of more than a hundred styles. Undefined if
 * nothing changed. Circles of `w:next`, `w:link` and list styles are harmless.
 */
export function cutCycles(xml: string, onRepaired: (code: WarningCode) => void): string | undefined {
  if (!xml.includes('basedOn')) return undefined;
  const bases = readBases(xml);
  const edits = new TextEdits();
  const depths = new Map<string, number | 'open'>();
  // Calls nest at most `maxDepth` deep.
  const depthOf = (style: string, level: number): number => {
    depths.set(style, 'open');
    let depth = 0;
    for (const base of bases.get(style) ?? []) {
      const known = depths.get(base.style);
      const ofBase = known ?? (level < maxDepth ? depthOf(base.style, level + 1) : 'open');
      if (ofBase === 'open' || ofBase >= maxDepth) edits.replace(base.start, base.end);
      else depth = Math.max(depth, ofBase + 1);
    }
    depths.set(style, depth);
    return depth;
  };
  for (const style of bases.keys()) if (!depths.has(style)) depthOf(style, 0);
  if (edits.isEmpty) return undefined;
  onRepaired('style_cycle');
  return edits.apply(xml);
}

/** The bases of each style by its id. A style that is defined twice has the bases of both definitions. */
function readBases(xml: string): ReadonlyMap<string, readonly Base[]> {
  const bases = new Map<string, Base[]>();
  let style: string | undefined;
  let opened: { readonly base: string; readonly start: number } | undefined;
  const add = (base: string, start: number, end: number) => {
    if (style === undefined) return;
    const known = bases.get(style) ?? [];
    known.push({ style: base, start, end });
    bases.set(style, known);
  };
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'style') style = tag.kind === 'open' ? attributeOf(xml, tag, 'styleId') : undefined;
    if (tag.local !== 'basedOn') return;
    if (tag.kind === 'close') {
      if (opened !== undefined) add(opened.base, opened.start, tag.end);
      opened = undefined;
      return;
    }
    const base = attributeOf(xml, tag, 'val') ?? '';
    if (tag.kind === 'empty') add(base, tag.start, tag.end);
    else opened = { base, start: tag.start };
  });
  return bases;
}
