/** A page of 22 by 22 inches, Word's maximum, at 200 dpi. */
export const maxPixels = 20_000_000;
export const pointsPerInch = 72;
/** Exit code of the process if a page has too many pixels. It then prints the highest possible resolution. */
export const tooLargeExitCode = 3;
