import { PdfArray, PdfDict, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';

export interface SpotColours {
  /** Checks a Separation or DeviceN colour space (ISO 19005-2, 6.2.4.4). */
  check(space: PdfArray, place: string): void;
}

const processColours = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'None', 'All']);
const maxDepth = 12;

/** Spot colours of one file: each has one description, and the names of a DeviceN space are described. */
export function createSpotColours(file: PdfFile, { report }: Findings): SpotColours {
  const descriptions = new Map<string, string>();
  const checked = new Set<PdfObject>();
  const checkSeparation = (space: PdfArray, place: string): void => {
    const [, name, alternate, transform] = [...space].map((item) => file.resolve(item));
    if (!(name instanceof PdfName) || processColours.has(name.value)) return;
    const description = `${describe(file, alternate, 0)} ${describe(file, transform, 0)}`;
    const known = descriptions.get(name.value);
    if (known === undefined) descriptions.set(name.value, description);
    else if (known !== description) report('spot-colour', place);
  };
  return {
    check(space, place) {
      if (checked.has(space)) return;
      checked.add(space);
      const [family, names, , , attributes] = [...space].map((item) => file.resolve(item));
      if (family instanceof PdfName && family.value === 'Separation') return checkSeparation(space, place);
      const colorants = file.dict(attributes instanceof PdfDict ? attributes : undefined, 'Colorants');
      const spots = names instanceof PdfArray ? [...names].map((item) => file.resolve(item)) : [];
      for (const spot of spots) {
        if (!(spot instanceof PdfName) || processColours.has(spot.value)) continue;
        const described = file.get(colorants, spot.value);
        if (described instanceof PdfArray) checkSeparation(described, place);
        else report('spot-colour', place);
      }
    },
  };
}

/** Equal for equal values, whether they are written directly or as references. */
function describe(file: PdfFile, value: PdfObject | undefined, depth: number): string {
  const object = file.resolve(value);
  if (object === undefined || depth > maxDepth) return '';
  if (object instanceof PdfArray) return `[${[...object].map((item) => describe(file, item, depth + 1)).join(' ')}]`;
  if (object instanceof PdfDict) {
    const entries = [...object]
      .filter(([key]) => key.value !== 'Length')
      .map(([key, item]) => `${key.value} ${describe(file, item, depth + 1)}`)
      .sort();
    const data = object instanceof PdfStream ? Buffer.from(object.data).toString('base64') : '';
    return `<${entries.join(' ')}>${data}`;
  }
  if (object instanceof PdfName) return `/${object.value}`;
  return 'value' in object ? String(object.value) : object.type;
}
