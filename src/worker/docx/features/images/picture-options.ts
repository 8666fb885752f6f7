import type { Fit, RequestedSize } from '../../core/pictures/fit-picture.ts';
import { fits } from '../../core/pictures/fit-picture.ts';
import { readLength } from '../../core/pictures/length.ts';
import { asText } from '../../language/expressions/as-text.ts';
import type { PictureOptionName } from './image-tag.ts';

/** Picture options from the tag and the data. The data takes precedence. */
export type PictureOptionValues = Readonly<Partial<Record<PictureOptionName, unknown>>>;

export interface PictureOptionProblem {
  readonly name: PictureOptionName;
  readonly problem: string;
}

export interface ResolvedPictureOptions extends RequestedSize {
  readonly alt: string;
}

/** Reads sizes, fit and alternative text. A width may be a percentage of the space. */
export function readPictureOptions(
  values: PictureOptionValues,
  spaceWidth: number,
): ResolvedPictureOptions | PictureOptionProblem {
  const size = lengthOf('size', values, spaceWidth);
  const width = lengthOf('width', values, spaceWidth);
  const height = lengthOf('height', values, undefined);
  for (const length of [size, width, height]) if (length !== undefined && 'problem' in length) return length;
  const fit = fits.find((known) => known === (values.fit ?? 'contain'));
  if (fit === undefined) return { name: 'fit', problem: `must be one of ${fits.join(', ')}` };
  const alt = asText(values.alt ?? '');
  if (alt === undefined || alt.length > maxAltLength)
    return { name: 'alt', problem: `must be a string of at most ${maxAltLength} characters` };
  const all = emuOf(size);
  return { width: emuOf(width) ?? all, height: emuOf(height) ?? all, fit: fit satisfies Fit, alt };
}

const maxAltLength = 1_000;

type NamedLength = { readonly emu: number } | PictureOptionProblem | undefined;

function lengthOf(
  name: 'size' | 'width' | 'height',
  values: PictureOptionValues,
  full: number | undefined,
): NamedLength {
  const value = values[name] ?? null;
  if (value === null || value === '') return undefined;
  const length = readLength(value, full);
  return 'problem' in length ? { name, problem: length.problem } : length;
}

function emuOf(length: NamedLength): number | undefined {
  return length !== undefined && 'emu' in length ? length.emu : undefined;
}
