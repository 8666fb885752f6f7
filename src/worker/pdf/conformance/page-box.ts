import type { PdfDict, PdfObject } from '@libpdf/core';
import type { PdfFile } from './open-pdf.ts';

/** A rectangle in units of the page. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const maxDepth = 32;

/** A boundary of a page, which may be inherited; undefined if there is none. */
export function pageBox(
  file: PdfFile,
  page: PdfDict,
  name: 'MediaBox' | 'CropBox' | 'TrimBox' | 'BleedBox' | 'ArtBox',
): Box | undefined {
  let node: PdfDict | undefined = page;
  for (let depth = 0; node !== undefined && depth < maxDepth; depth++) {
    const box = toBox(file.array(node, name));
    if (box !== undefined) return box;
    node = file.dict(node, 'Parent');
  }
  return undefined;
}

/** The corners of a rectangle in any order. */
export function toBox(values: readonly (PdfObject | undefined)[] | undefined): Box | undefined {
  const [x1, y1, x2, y2] = (values ?? []).map((value) => (value?.type === 'number' ? value.value : undefined));
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}
