import type { Piece } from '../expressions/docmill-text.ts';
import { Untranslatable } from '../expressions/translate-javascript.ts';
import type { PartRewriter } from '../part-rewriter.ts';
import type { SourceTag } from '../tags.ts';
import { contains, nextElement, rangeBetween } from '../word-file/layout.ts';
import type { Loop } from './find-loops.ts';

/** Wraps the example of a list in a section and removes its end marker. Throws Untranslatable before any change. */
export function placeLoop(loop: Loop, list: Piece, order: number, rewriter: PartRewriter): void {
  const [next] = loop.next;
  const last = loop.next.at(-1);
  if (next === undefined || last === undefined) {
    throw new Untranslatable(
      'The list has no tag with [i+1], so nothing says where its example ends.',
      `{#${list.text}}…{/}`,
    );
  }
  const open = `{#${list.text}}`;
  const close = /^[\p{L}\p{N}_$.]+$/u.test(list.text) ? `{/${list.text}}` : '{/}';
  if (next.paragraph === loop.first.paragraph) {
    placeInText(loop, { next, last, open, close }, rewriter);
    return;
  }
  const range = rangeBetween(loop.first.paragraph.element, next.paragraph.element);
  if (range === undefined || range.kind === 'other') {
    throw new Untranslatable(
      'The [i] and the [i+1] are neither in one text nor in rows or paragraphs that follow each other.',
    );
  }
  if (range.kind === 'cells') {
    throw new Untranslatable('The list repeats cells. Docmill repeats whole columns of a table.', `{|${list.text}}`);
  }
  rewriter.wrap({ kind: range.kind, order, first: range.first, last: range.last, open, close });
  // The end marker extends to the last row or paragraph that contains it.
  const ends = [range.next];
  for (let one = nextElement(range.next); one !== undefined; one = nextElement(one)) ends.push(one);
  const lastEnd = ends.findLastIndex((element) => loop.next.some((tag) => contains(element, tag.paragraph.element)));
  for (const element of ends.slice(0, lastEnd + 1)) rewriter.remove(element);
}

interface InText {
  readonly next: SourceTag;
  readonly last: SourceTag;
  readonly open: string;
  readonly close: string;
}

function placeInText({ first }: Loop, { next, last, open, close }: InText, rewriter: PartRewriter): void {
  const end = last.paragraph === next.paragraph ? last.end : next.end;
  rewriter.edits.replace(first.paragraph, first.start, first.start, open);
  rewriter.edits.close(next.paragraph, next.start, end, close);
}
