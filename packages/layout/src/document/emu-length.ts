import { UnknownFeature } from '../unknown-feature.ts';

/** English metric units (EMU): 914,400 to an inch. */
const unitsPerTwip = 635;
const unitsPerHundredth = 360;
const mostUnits = 31_680 * unitsPerTwip;

/**
 * Converts a length or offset from EMU to twips. LibreOffice rounds to hundredths of a millimetre in between. Throws
 * UnknownFeature.
 */
export function emuLength(text: string | undefined): number {
  const units = Number(text);
  if (!/^\s*-?\d{1,9}\s*$/.test(text ?? '') || Math.abs(units) > mostUnits)
    throw new UnknownFeature('the length of a picture');
  const hundredths = Math.round(Math.abs(units) / unitsPerHundredth);
  return Math.sign(units) * Math.round((hundredths * unitsPerHundredth) / unitsPerTwip);
}
