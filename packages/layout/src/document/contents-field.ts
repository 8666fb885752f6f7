import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Inline, Paragraph } from './tree.ts';

/**
 * A table of contents of headings (ECMA-376 part 1, 17.16.5.68). When fields are refreshed, the table is rebuilt, but
 * does not change if its entries are the same and without page numbers. Everything else throws UnknownFeature.
 */
export interface ContentsField {
  readonly isOpen: boolean;
  /** Starts collecting entries. */
  begin(code: string): void;
  /** Adds a paragraph within the field. */
  add(inlines: readonly Inline[]): void;
  end(): void;
  /** Throws UnknownFeature unless the entries equal the headings of the document. */
  requireSame(blocks: readonly Block[]): void;
}

/** Word's default switches: links, no page numbers on screen, and paragraphs with an outline level. */
const instruction = /^\s*TOC\s+\\o\s+"1-([1-9])"(?:\s+\\[hzu])*\s*$/;
/** A possible page number at the end of an entry. */
const numberAtEnd = /[\s.\u2026_]+\d{1,6}$/;

export function createContentsField(): ContentsField {
  let levels: number | undefined;
  let isOpen = false;
  const entries: string[] = [];
  return {
    get isOpen() {
      return isOpen;
    },
    begin(code) {
      const [, deepest] = instruction.exec(code) ?? [];
      if (deepest === undefined) throw new UnknownFeature('a table of contents of another kind');
      if (levels !== undefined) throw new UnknownFeature('several tables of contents');
      levels = Number(deepest);
      isOpen = true;
    },
    add(inlines) {
      const text = textOf(inlines);
      if (text !== '') entries.push(text);
    },
    end() {
      isOpen = false;
    },
    requireSame(blocks) {
      if (isOpen) throw new UnknownFeature('a field over several paragraphs');
      if (levels === undefined) return;
      const headings = headingsOf(blocks, levels).map(({ inlines }) => textOf(inlines));
      if (entries.some((entry) => mayHavePage(entry, headings)))
        throw new UnknownFeature('page numbers in a table of contents');
      const found = headings.filter((heading) => heading !== '');
      if (found.length === 0 || found.join('\n') !== entries.join('\n'))
        throw new UnknownFeature('a table of contents with other entries than the headings');
    },
  };
}

/**
 * Whether the refresh may mistake a number at the end of an entry for its page number, because a heading equals the
 * entry without the number.
 */
function mayHavePage(entry: string, headings: readonly string[]): boolean {
  if (entry.includes('\t')) return true;
  const label = entry.replace(numberAtEnd, '');
  return label !== entry && headings.some((heading) => keyOf(heading) === keyOf(label));
}

/** The refresh ignores white space and case when it compares headings. */
function keyOf(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase();
}

function textOf(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.kind === 'text') return inline.text;
      throw new UnknownFeature('a heading or an entry of a table of contents with more than text');
    })
    .join('')
    .trim();
}

function headingsOf(blocks: readonly Block[], levels: number): readonly Paragraph[] {
  return blocks.flatMap((block): readonly Paragraph[] => {
    if (block.kind === 'table') {
      const inside = block.rows.flatMap(({ cells }) => cells.flatMap((cell) => headingsOf(cell.blocks, levels)));
      if (inside.length > 0) throw new UnknownFeature('a heading in a table');
      return [];
    }
    const { outlineLevel, numbering } = block.format;
    // LibreOffice recognises its built-in heading styles by name.
    const isNamed = /^heading ?[1-9]$/i.test(block.style);
    if (isNamed && outlineLevel === undefined) throw new UnknownFeature('a style of headings without a level');
    if (outlineLevel === undefined || outlineLevel >= levels) return [];
    if (numbering.id !== '0') throw new UnknownFeature('a heading in a list, in a table of contents');
    return [block];
  });
}
