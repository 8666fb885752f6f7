import { type Pdfium, useMemory } from './pdfium.ts';

/** A part of a page, in points from its left and upper edge. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Link {
  /** The address, or the page of the PDF. */
  readonly target: string;
  readonly box: Box;
}

const maxLinks = 100_000;
const maxAddressBytes = 16_384;

/** The links of a page. Throws if there are too many to compare. */
export function readLinks(pdfium: Pdfium, document: number, page: number): Link[] {
  const height = pdfium._FPDF_GetPageHeight(page);
  const links: Link[] = [];
  useMemory(pdfium, maxAddressBytes, (buffer) => {
    const view = (): DataView => new DataView(pdfium.HEAPU8.buffer, buffer, maxAddressBytes);
    let position = 0;
    for (;;) {
      view().setInt32(0, position, true);
      if (pdfium._FPDFLink_Enumerate(page, buffer, buffer + 4) === 0) return;
      if (links.length === maxLinks) throw new Error('the page has too many links to be compared');
      position = view().getInt32(0, true);
      const link = view().getInt32(4, true);
      pdfium._FPDFLink_GetAnnotRect(link, buffer);
      // FS_RECTF: left, top, right, bottom.
      const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((offset) => view().getFloat32(offset, true));
      const box = { left, top: height - top, right, bottom: height - bottom };
      links.push({ box, target: readTarget(pdfium, document, link, buffer) });
    }
  });
  return links;
}

function readTarget(pdfium: Pdfium, document: number, link: number, buffer: number): string {
  const destination = pdfium._FPDFLink_GetDest(document, link);
  if (destination !== 0) return `page ${pdfium._FPDFDest_GetDestPageIndex(document, destination) + 1}`;
  const action = pdfium._FPDFLink_GetAction(link);
  const bytes = action === 0 ? 0 : pdfium._FPDFAction_GetURIPath(document, action, buffer, maxAddressBytes);
  if (bytes > maxAddressBytes) return `an address of ${bytes} bytes`;
  return Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + Math.max(0, bytes - 1))).toString('utf8');
}

/** The target of the link around a character; '' for none. */
export function linkAround(links: readonly Link[], { left, top, right, bottom }: Box): string {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const around = links.find(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
  return around?.target ?? '';
}
