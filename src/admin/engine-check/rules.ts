import { z } from 'zod';

const amount = z.number().min(0);
const share = z.number().min(0).max(1);

/** How much two PDFs may differ. */
export interface Thresholds {
  /** Difference in the number of pages. */
  readonly pages: number;
  /** Difference in the size of a page, in points. */
  readonly pageSizePt: number;
  /** Words that only the old PDF has (`lostWords`), or only the new one (`addedWords`). */
  readonly lostWords: number;
  readonly addedWords: number;
  /** Words that are on another page. */
  readonly repagedWords: number;
  /** Distance that a word may move on its page, in points. */
  readonly movedPt: number;
  /** Fonts that only one of the PDFs has. */
  readonly fonts: number;
  /** Share of a page's pixels, 0 to 1. */
  readonly pixels: number;
}

const thresholdsSchema = z
  .strictObject({
    pages: amount,
    pageSizePt: amount,
    lostWords: amount,
    addedWords: amount,
    repagedWords: amount,
    movedPt: amount,
    fonts: amount,
    pixels: share,
  } satisfies Record<keyof Thresholds, z.ZodType>)
  .partial();

const maskSchema = z.strictObject({
  /** Counted from 1. Default: every page. */
  page: z.number().int().min(1).optional(),
  /** Points from the upper left corner of the page. */
  x: amount,
  y: amount,
  width: amount,
  height: amount,
});

/** A rectangle that is not compared, for example because it holds a date or a serial number. */
export type Mask = z.infer<typeof maskSchema>;

const rulesSchema = z.strictObject({
  thresholds: thresholdsSchema.default({}),
  masks: z.array(maskSchema).max(100).default([]),
});

export interface Rules {
  readonly thresholds: Thresholds;
  readonly masks: readonly Mask[];
}

export const defaultRules: Rules = {
  thresholds: {
    pages: 0,
    pageSizePt: 0.5,
    lostWords: 0,
    addedWords: 0,
    repagedWords: 0,
    movedPt: 1,
    fonts: 0,
    pixels: 0.002,
  },
  masks: [],
};

/** Parses rules from JSON; absent fields keep their values in `base`. Throws an Error that names the invalid field. */
export function parseRules(text: string, base: Rules): Rules {
  const { thresholds, masks } = rulesSchema.parse(JSON.parse(text));
  const given = Object.entries(thresholds).filter(([, value]) => value !== undefined);
  return { thresholds: { ...base.thresholds, ...Object.fromEntries(given) }, masks: [...base.masks, ...masks] };
}

export const isOnPage = (mask: Mask, page: number): boolean => mask.page === undefined || mask.page === page;
