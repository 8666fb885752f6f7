import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparer } from '../../worker/pdf/compare/comparer.ts';
import type { Measures } from '../../worker/pdf/compare/measures.ts';
import type { Rules } from './rules.ts';

export interface PdfPair {
  readonly oldPdf: Uint8Array;
  readonly newPdf: Uint8Array;
  /** Receives the pictures of pages that differ. */
  readonly pictureFolder: string;
  readonly rules: Rules;
  readonly dpi: number;
  /** The maximum number of pages whose pixels are compared. */
  readonly maxPages: number;
}

/** All measures, in the order of the report. `exceeded` lists those above their threshold. */
export const measureNames = [
  'pages',
  'page size',
  'lost words',
  'added words',
  'repaged words',
  'moved words',
  'restyled words',
  'fonts',
  'links',
  'pixels',
] as const;

type MeasureName = (typeof measureNames)[number];

export interface PdfComparison extends Measures {
  /** The measures beyond their thresholds; empty when the PDFs are equal. */
  readonly exceeded: readonly MeasureName[];
}

/** Measures how two PDFs differ and compares that with the thresholds. Rejects if the PDFs cannot be compared. */
export async function comparePair(comparer: Comparer, pair: PdfPair): Promise<PdfComparison> {
  const { rules, dpi, maxPages, pictureFolder } = pair;
  const { movedPt, pixels } = rules.thresholds;
  const options = { masks: rules.masks, movedPt, pixels, dpi, maxPages };
  const { measures, pictures } = await comparer.measure(pair.oldPdf, pair.newPdf, options);
  await rm(pictureFolder, { recursive: true, force: true });
  await mkdir(pictureFolder, { recursive: true });
  for (const { pictures: names } of measures.pages)
    for (const name of [names.old, names.new, names.difference]) await save(pictureFolder, name, pictures);
  return { ...measures, exceeded: findExceeded(measures, rules) };
}

async function save(
  folder: string,
  name: string | undefined,
  pictures: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const picture = name === undefined ? undefined : pictures[name];
  if (name !== undefined && picture !== undefined) await writeFile(join(folder, name), picture);
}

function findExceeded(found: Measures, { thresholds }: Rules): readonly MeasureName[] {
  const { words } = found;
  const excess: Readonly<Record<MeasureName, number>> = {
    pages: Math.abs(found.oldPages - found.newPages) - thresholds.pages,
    'page size': found.pageSizePt - thresholds.pageSizePt,
    'lost words': words.lost - thresholds.lostWords,
    'added words': words.added - thresholds.addedWords,
    'repaged words': words.repaged - thresholds.repagedWords,
    'moved words': found.movedPt - thresholds.movedPt,
    'restyled words': words.restyled - thresholds.restyledWords,
    fonts: found.fontsLost.length + found.fontsAdded.length - thresholds.fonts,
    links: found.linksLost.length + found.linksAdded.length - thresholds.links,
    pixels: found.pixelShare - thresholds.pixels,
  };
  return measureNames.filter((name) => excess[name] > 0);
}
