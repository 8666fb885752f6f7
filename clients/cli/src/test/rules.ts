import { z } from 'zod';

const share = z.number().min(0).max(1);
const lengthPt = z.number().min(0).max(20_000);

const maskSchema = z.strictObject({
  /** Counted from 1; if missing, every page. */
  page: z.number().int().min(1).optional(),
  x: lengthPt,
  y: lengthPt,
  width: lengthPt,
  height: lengthPt,
});

/** A rectangle that is excluded from the comparison, in points from the top left corner of the page. */
export type Mask = z.infer<typeof maskSchema>;

export const isOnPage = (mask: Mask, page: number): boolean => mask.page === undefined || mask.page === page;

const thresholdsSchema = z.strictObject({
  /** The share of a page's pixels that may differ, from 0 to 1. */
  pixels: share,
  /** The colour difference above which a pixel differs, from 0 to 1. */
  colour: share,
  /** The distance that a text may move, in points. */
  movedPt: lengthPt,
});

export type Thresholds = z.infer<typeof thresholdsSchema>;

/** The `test` object of `docmill.json`, and the rules next to a case's data. */
export const rulesSchema = z.strictObject({
  thresholds: thresholdsSchema.partial().optional(),
  masks: z.array(maskSchema).max(100).optional(),
  /** The number of pages compared, from the first. The page count is always compared. */
  pages: z.number().int().min(1).max(20).optional(),
  dpi: z.number().int().min(36).max(200).optional(),
  /** Options of the request, such as `locale`. */
  output: z.record(z.string(), z.unknown()).optional(),
});

type GivenRules = z.infer<typeof rulesSchema>;

export interface Rules {
  readonly thresholds: Thresholds;
  readonly masks: readonly Mask[];
  readonly pages: number;
  readonly dpi: number;
  readonly output: Readonly<Record<string, unknown>>;
}

export const defaultRules: Rules = {
  thresholds: { pixels: 0, colour: 0.1, movedPt: 0.5 },
  masks: [],
  pages: 5,
  dpi: 96,
  // A fixed date, so that the document is the same every day.
  output: { documentDate: '2026-01-01T00:00:00Z' },
};

/** Overrides rules with others. Masks are combined. */
export function addRules(base: Rules, { thresholds, masks, pages, dpi, output }: GivenRules): Rules {
  return {
    thresholds: {
      pixels: thresholds?.pixels ?? base.thresholds.pixels,
      colour: thresholds?.colour ?? base.thresholds.colour,
      movedPt: thresholds?.movedPt ?? base.thresholds.movedPt,
    },
    masks: [...base.masks, ...(masks ?? [])],
    pages: pages ?? base.pages,
    dpi: dpi ?? base.dpi,
    output: { ...base.output, ...output },
  };
}
