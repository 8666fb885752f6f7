/** A page of 22 by 22 inches, the largest of Word, at 200 dpi. */
export const maxPixels = 20_000_000;
export const pointsPerInch = 72;
/** The process ends with it when a page has too many pixels, and prints the largest resolution that is possible. */
export const tooLargeExitCode = 3;
