import { UnknownFeature } from '../unknown-feature.ts';

/**
 * The side lengths of LibreOffice's paper sizes in hundredths of a millimetre, measured with pages of all lengths from
 * one to 22 inches (LibreOffice 25.2, `PaperInfo::sloppyFitPageDimension`). Of two that are close together, the one
 * that LibreOffice prefers comes first.
 */
const paperLengths: readonly number[] = [
  2600, 3099, 3701, 4399, 5200, 5699, 6200, 7400, 8100, 8800, 9208, 9843, 9999, 10478, 10500, 11000, 11400, 11430,
  12065, 12501, 12801, 13000, 14000, 13970, 14288, 14801, 15750, 15875, 16200, 16510, 17500, 17600, 18000, 18200, 18415,
  18399, 19050, 19500, 19701, 20001, 20301, 21001, 21519, 21590, 21999, 22543, 22699, 22901, 22860, 22999, 24130, 25000,
  25400, 25700, 26000, 26353, 26670, 27000, 27300, 27517, 27940, 28000, 29210, 29700, 30499, 30480, 32233, 32401, 33020,
  33001, 33867, 35301, 35560, 35601, 36400, 37783, 38100, 42000, 43180, 45720, 45799, 48699, 49999, 55880,
];
/** LibreOffice snaps to a paper size that is closer than this. Right at the limit its decision is not predictable. */
const closest = 43;

/**
 * The length of a page in twips, snapped to a paper size as in LibreOffice. Throws UnknownFeature between paper sizes.
 */
export function paperLength(twips: number): number {
  const length = Math.round((twips * 127) / 72);
  const paper = paperLengths.find((one) => Math.abs(one - length) <= closest + 2);
  if (paper === undefined) return twips;
  if (Math.abs(paper - length) >= closest) throw new UnknownFeature('a page of nearly the size of a paper');
  return Math.round((paper * 72) / 127);
}
