import { z } from 'zod';
import type { Mask } from '../../worker/pdf/compare/mask.ts';

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
  /** Words with another font, size, colour or link. */
  readonly restyledWords: number;
  /** Fonts that only one of the PDFs has. */
  readonly fonts: number;
  /** Targets of links that only one of the PDFs has. */
  readonly links: number;
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
    restyledWords: amount,
    fonts: amount,
    links: amount,
    pixels: share,
  } satisfies Record<keyof Thresholds, z.ZodType>)
  .partial();

const maskSchema = z.strictObject({
  page: z.number().int().min(1).optional(),
  x: amount,
  y: amount,
  width: amount,
  height: amount,
} satisfies Record<keyof Mask, z.ZodType>);

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
    restyledWords: 0,
    fonts: 0,
    links: 0,
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
