import { pageBreakParagraph, pageBreakRun } from '../compile/section-layout.ts';
import type { SectionLayout } from '../nodes.ts';
import type { Output } from './output.ts';

const paragraphEnd = '</w:p>';

/** Position of an item. `isFirstOfAll`: every enclosing section is at its first item too. */
export interface SectionPlace {
  readonly index: number;
  readonly count: number;
  readonly isFirstOfAll: boolean;
}

export function beforeItem(layout: SectionLayout, place: SectionPlace, output: Output): void {
  if (layout.between !== undefined && place.index > 0) output.pieces.push(layout.between);
  if (layout.breaksBefore) output.pieces.push(pageBreakParagraph);
  if (layout.opening !== '' && place.index === 0) output.pieces.push(layout.opening);
}

export function afterItem(layout: SectionLayout, place: SectionPlace, output: Output): void {
  if (layout.breaksAfterLast && place.index === place.count - 1) addPageBreak(output);
}

function addPageBreak({ pieces }: Output): void {
  const last = pieces.at(-1);
  if (last?.endsWith(paragraphEnd) !== true) pieces.push(pageBreakParagraph);
  else pieces[pieces.length - 1] = `${last.slice(0, -paragraphEnd.length)}${pageBreakRun}${paragraphEnd}`;
}

/** Makes items after the first keep their headers and footers, and continue on the same page if the template says so. */
export function fitPageSetups(
  layout: SectionLayout,
  place: SectionPlace,
  output: Output,
  start: { readonly piece: number; readonly mark: number },
): void {
  if (place.isFirstOfAll || !(layout.dropsFrames || layout.isContinuous)) return;
  let hasType = false;
  let isInSetup = false;
  for (let i = start.mark; i < output.marks.length; i++) {
    const mark = output.marks[i];
    const at = output.markAt[i] ?? 0;
    if (mark === 'page-frame' && layout.dropsFrames) output.pieces[at] = '';
    if (mark === 'page-setup') isInSetup = true;
    if (mark === 'page-type' && isInSetup) hasType = true;
    if (mark === 'page-setup-end' && layout.isContinuous && !hasType) {
      output.pieces[at] = `<w:type w:val="continuous"/>${output.pieces[at]}`;
      hasType = true;
    }
  }
}
