import type { PageDifference } from '../../shared/db/schema/templates.ts';

const pointsPerCentimetre = 72 / 2.54;

/**
 * Describes where and how the pages of two engines differ, such as `page 2 differs 3.1 cm from the left and 5.0 cm from
 * the top: text, …`.
 */
export function describeDifference({ measure, page, message, x, y }: PageDifference): string {
  const inCentimetres = (points: number): string => (points / pointsPerCentimetre).toFixed(1);
  const place =
    x === undefined || y === undefined
      ? ''
      : ` ${inCentimetres(x)} cm from the left and ${inCentimetres(y)} cm from the top`;
  return `page ${page} differs${place} (${measure}: ${message})`;
}
