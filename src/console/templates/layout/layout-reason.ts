import type { components } from '@docmill/client';
import { layoutTexts } from '../../texts/templates.ts';

type Difference = components['schemas']['PageDifference'];
/** A place on a page, in points from its left and upper edge. The page is counted from 1. */
type Place = Pick<Difference, 'page' | 'x' | 'y'>;

const pointsPerCentimetre = 72 / 2.54;
const exampleReason =
  /^With the example data, page (\d+) differs(?: (\d+(?:\.\d+)?) cm from the left and (\d+(?:\.\d+)?) cm from the top)? \(/;

/** Where the pages with the example data differ; undefined for any other reason. */
export function placeInExample(reason: string): Place | undefined {
  const [, page, left, top] = exampleReason.exec(reason) ?? [];
  if (page === undefined) return undefined;
  const place = { page: Number(page) };
  if (left === undefined || top === undefined) return place;
  return { ...place, x: Number(left) * pointsPerCentimetre, y: Number(top) * pointsPerCentimetre };
}

/** What an author can change in Word about a reason; undefined if nothing is known. */
export function adviceFor(reason: string): string | undefined {
  return layoutTexts.advice.find(([pattern]) => pattern.test(reason))?.[1];
}

/** A difference names the point at which it begins, which is on the base line of a text. */
const around = { left: 4, above: 14, width: 120, height: 18 } as const;

export function markAt({ page, x, y }: Place, label: string) {
  if (x === undefined || y === undefined) return undefined;
  const { left, above, width, height } = around;
  return {
    page: page - 1,
    x: Math.max(0, x - left),
    y: Math.max(0, y - above),
    width,
    height,
    tone: 'warn' as const,
    label,
  };
}
