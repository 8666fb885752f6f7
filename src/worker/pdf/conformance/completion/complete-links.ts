import type { PdfDict } from '@libpdf/core';
import type { PdfFile } from '../open-pdf.ts';
import { textString } from './edit-dictionary.ts';
import { readMarkedText } from './marked-text.ts';
import type { TaggedFile } from './tagged-file.ts';

/** Word's hidden bookmarks, such as _Toc123. LibreOffice uses their names as descriptions of links. */
const hiddenBookmark = /^_\S*$/;
const leastOverlap = 0.9;

/**
 * LibreOffice does not tag a reference within a link, such as the page number in a table of contents. This second link
 * joins the element of the link around it.
 */
export function adoptLinks({ links, numberOf, attach }: TaggedFile): void {
  const tagged = links.filter(({ element }) => element?.role === 'Link');
  for (const link of links) {
    if (link.element !== undefined) continue;
    const around = tagged.find(({ page, box }) => page === link.page && covers(box, link.box))?.element;
    const number = around === undefined ? undefined : numberOf(around.dict);
    if (number === undefined) continue;
    link.element = around;
    attach(link, number);
  }
}

function covers(outer: readonly number[], inner: readonly number[]): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = inner;
  const [outerLeft = 0, outerBottom = 0, outerRight = 0, outerTop = 0] = outer;
  const width = Math.min(right, outerRight) - Math.max(left, outerLeft);
  const height = Math.min(top, outerTop) - Math.max(bottom, outerBottom);
  return width > 0 && height > 0 && width * height >= leastOverlap * (right - left) * (top - bottom);
}

/** The description of a link (ISO 14289-1, 7.18.5): the author's or, if there is none, its text or target. */
export function describeLinks({ file, structure, links, changes }: TaggedFile): void {
  const silent = links.filter(({ dict }) => {
    const contents = file.text(dict, 'Contents') ?? '';
    return contents.trim() === '' || hiddenBookmark.test(contents);
  });
  if (silent.length === 0) return;
  const textOf = readMarkedText(file, structure, [...new Set(silent.map(({ page }) => page))]);
  for (const { dict, number, element } of silent) {
    const text = element === undefined ? '' : textOf(element);
    const description = text === '' ? targetOf(file, dict) : text;
    if (description !== '') changes.setEntry(number, 'Contents', textString(description));
  }
}

/** The address of a link, or the number of the page it leads to. */
function targetOf(file: PdfFile, link: PdfDict): string {
  const action = file.dict(link, 'A');
  const address = file.text(action, 'URI');
  if (address !== undefined) return address;
  const [page] = file.array(link, 'Dest') ?? file.array(action, 'D') ?? [];
  const found = file.pages.find(({ dict }) => dict === page);
  return found === undefined ? '' : String(found.number);
}
