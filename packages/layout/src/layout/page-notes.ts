import type { Footnote } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Item, moveItem } from './items.ts';
import type { LineContext } from './line-context.ts';
import type { OpenPage } from './page.ts';
import { isPicture } from './place-pictures.ts';
import { stackBlocks } from './stack-blocks.ts';
import { BlockStructure } from './structure.ts';

/** The rule above footnotes, in twips. */
const separator = { width: 2_880, height: 10, color: '000000' };
/** The position of the rule in the space above footnotes, in tenths of a line of text. */
const separatorTenths = 6;

/**
 * The height of footnotes at the end of a page, including the space above them: a line of text in the default style.
 */
export function notesHeight(notes: readonly Footnote[], width: number, context: LineContext): number {
  const [first] = notes;
  return first === undefined ? 0 : spaceAbove(first, context) + stackNotes(notes, width, context).height;
}

/** The footnotes of a page, at the bottom of its text area. */
export function noteItems({ notes, geometry, textBottom }: OpenPage, context: LineContext): readonly Item[] {
  const [first] = notes;
  if (first === undefined) return [];
  const stack = stackNotes(notes, geometry.width - geometry.left - geometry.right, context);
  if (stack.items.some(isPicture)) throw new UnknownFeature('an anchored picture in a footnote');
  const { left } = geometry;
  const notesTop = textBottom - stack.height;
  const space = spaceAbove(first, context);
  const top = notesTop - space + Math.floor((space * separatorTenths) / 10);
  return [
    { kind: 'shading', left, top, ...separator, of: 'page' },
    ...stack.items.map((item) => moveItem(item, left, notesTop)),
  ];
}

function spaceAbove({ separator: format }: Footnote, { fontOf }: LineContext): number {
  return fontOf(format).lineHeight;
}

function stackNotes(notes: readonly Footnote[], width: number, context: LineContext) {
  const { structure } = context;
  const structures = notes.flatMap(({ blocks }) => {
    const own = new BlockStructure(structure && { role: 'Note', parent: structure }, blocks);
    return blocks.map(() => own);
  });
  return stackBlocks(
    notes.flatMap(({ blocks }) => blocks),
    width,
    context,
    structures,
  );
}
