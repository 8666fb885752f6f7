import { z } from 'zod';
import type { Mask } from './mask.ts';

/** What is compared, and which pages get pictures. */
export interface MeasureOptions {
  readonly masks: readonly Mask[];
  /** Words that moved by more than this many points are listed. */
  readonly movedPt: number;
  /** Pages with a larger share of differing pixels get pictures. */
  readonly pixels: number;
  /** The resolution in which pages are compared and drawn; lower for pages that are too large for it. */
  readonly dpi: number;
  /** The maximum number of pages whose pixels are compared. */
  readonly maxPages: number;
}

const count = z.number().int().min(0);
const length = z.number().min(0);
const share = z.number().min(0).max(1);
const maxListed = 100;
const maxText = 500;
const text = z.string().transform((shown) => shown.slice(0, maxText));
const word = { text, page: count };
const pictureName = z.string().regex(/^(old|new|difference)-\d{1,6}\.png$/);

/** How two PDFs differ. The schema checks what the process reports, which has read files that may be hostile. */
export const measuresSchema = z.object({
  oldPages: count,
  newPages: count,
  /** The number of pages whose pixels were compared. */
  comparedPages: count,
  words: z.object({
    oldWords: count,
    newWords: count,
    /** Words that only one PDF has: their number and the first of them. */
    lost: count,
    added: count,
    firstLost: z.array(z.object(word)).max(maxListed),
    firstAdded: z.array(z.object(word)).max(maxListed),
    /** Words that moved to another page: their number, and the first of them with their old page. */
    repaged: count,
    firstRepaged: z.array(z.object(word)).max(maxListed),
    /** Words that moved on their page by more than `movedPt`, the farthest first. */
    moved: count,
    farthest: z.array(z.object({ ...word, byPt: length })).max(maxListed),
    /** Words with another font, size, colour or link: their number, and the first of them with what differs. */
    restyled: count,
    firstRestyled: z.array(z.object({ ...word, styles: z.string().max(maxText) })).max(maxListed),
  }),
  fontsLost: z.array(text),
  fontsAdded: z.array(text),
  /** Targets of links that only one PDF has. */
  linksLost: z.array(text),
  linksAdded: z.array(text),
  /** The largest share of differing pixels on a page, and the longest distance that a word moved. */
  pixelShare: share,
  movedPt: length,
  pageSizePt: length,
  /** The pages that differ most, in page order. */
  pages: z.array(
    z.object({
      page: count,
      /** The share of the page's pixels that differ, 0 to 1; 1 for a page that only one PDF has. */
      pixelShare: share,
      movedPt: length,
      /** File names of its pictures; omitted where a PDF lacks the page. */
      pictures: z.object({
        old: pictureName.optional(),
        new: pictureName.optional(),
        difference: pictureName.optional(),
      }),
    }),
  ),
});

export type Measures = z.infer<typeof measuresSchema>;
