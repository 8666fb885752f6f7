import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rules } from '../rules.ts';
import { comparePictures } from './compare-pictures.ts';
import { compareWords, type WordComparison } from './compare-words.ts';
import { readFonts } from './read-fonts.ts';
import { type PageSize, type PdfText, readWords } from './read-words.ts';
import { runPoppler } from './run-poppler.ts';

export interface PdfPair {
  readonly oldPdf: string;
  readonly newPdf: string;
  /** Receives the pictures of pages that differ. */
  readonly pictureFolder: string;
  readonly rules: Rules;
  readonly dpi: number;
  /** The maximum number of pages whose pixels are compared. */
  readonly maxPages: number;
}

export interface PageDifference {
  readonly page: number;
  /** The share of the page's pixels that differ, 0 to 1; 1 for a page that only one PDF has. */
  readonly pixelShare: number;
  readonly movedPt: number;
  /** Names of the pictures in their folder; omitted where a PDF lacks the page. */
  readonly pictures: { readonly old?: string; readonly new?: string; readonly difference?: string };
}

/** The names that `exceeded` may contain. */
export type Measure =
  | 'pages'
  | 'page size'
  | 'lost words'
  | 'added words'
  | 'repaged words'
  | 'moved words'
  | 'fonts'
  | 'pixels';

export interface PdfComparison {
  readonly oldPages: number;
  readonly newPages: number;
  readonly comparedPages: number;
  readonly words: Omit<WordComparison, 'movedPtByPage'>;
  readonly fontsLost: readonly string[];
  readonly fontsAdded: readonly string[];
  /** The largest share of differing pixels on a page, and the longest distance that a word moved. */
  readonly pixelShare: number;
  readonly movedPt: number;
  readonly pageSizePt: number;
  /** The measures beyond their thresholds; empty when the PDFs are equal. */
  readonly exceeded: readonly Measure[];
  /** The pages that differ most, in page order. */
  readonly pages: readonly PageDifference[];
}

/** The number of pages drawn at a time, so that memory and disk use do not grow with the document. */
const pagesAtOnce = 8;
const maxPicturedPages = 12;

/** Compares pages, words, fonts and pixels of two PDFs. Throws `PopplerError` for a PDF that cannot be read. */
export async function comparePdfs(pair: PdfPair): Promise<PdfComparison> {
  const { rules, pictureFolder } = pair;
  await rm(pictureFolder, { recursive: true, force: true });
  await mkdir(pictureFolder, { recursive: true });
  const [oldText, newText, oldFonts, newFonts] = [
    await readWords(pair.oldPdf),
    await readWords(pair.newPdf),
    await readFonts(pair.oldPdf),
    await readFonts(pair.newPdf),
  ];
  const words = compareWords(oldText.words, newText.words, { masks: rules.masks, movedPt: rules.thresholds.movedPt });
  const pages = await comparePages(pair, oldText, newText, words);
  const { movedPtByPage, ...wordResult } = words;
  const compared = {
    oldPages: oldText.pages.length,
    newPages: newText.pages.length,
    comparedPages: pages.compared,
    words: wordResult,
    fontsLost: oldFonts.filter((font) => !newFonts.includes(font)),
    fontsAdded: newFonts.filter((font) => !oldFonts.includes(font)),
    pixelShare: pages.pixelShare,
    movedPt: Math.max(0, ...movedPtByPage.values()),
    pageSizePt: sizeDifference(oldText.pages, newText.pages),
  };
  return { ...compared, exceeded: findExceeded(compared, rules), pages: pages.kept };
}

function sizeDifference(oldPages: readonly PageSize[], newPages: readonly PageSize[]): number {
  return oldPages.reduce((most, before, index) => {
    const after = newPages[index] ?? before;
    return Math.max(most, Math.abs(before.width - after.width), Math.abs(before.height - after.height));
  }, 0);
}

function findExceeded(found: Omit<PdfComparison, 'exceeded' | 'pages'>, { thresholds }: Rules): readonly Measure[] {
  const { words } = found;
  const measures: readonly (readonly [Measure, number, number])[] = [
    ['pages', Math.abs(found.oldPages - found.newPages), thresholds.pages],
    ['page size', found.pageSizePt, thresholds.pageSizePt],
    ['lost words', words.lost, thresholds.lostWords],
    ['added words', words.added, thresholds.addedWords],
    ['repaged words', words.repaged, thresholds.repagedWords],
    ['moved words', found.movedPt, thresholds.movedPt],
    ['fonts', found.fontsLost.length + found.fontsAdded.length, thresholds.fonts],
    ['pixels', found.pixelShare, thresholds.pixels],
  ];
  return measures.flatMap(([measure, value, limit]) => (value > limit ? [measure] : []));
}

interface ComparedPages {
  readonly compared: number;
  readonly pixelShare: number;
  readonly kept: readonly PageDifference[];
}

/** Keeps the pictures of the pages that differ most. */
async function comparePages(
  pair: PdfPair,
  oldText: PdfText,
  newText: PdfText,
  { movedPtByPage, firstLost, firstAdded }: WordComparison,
): Promise<ComparedPages> {
  const { thresholds } = pair.rules;
  const compared = Math.min(pair.maxPages, Math.max(oldText.pages.length, newText.pages.length));
  const withWords = new Set([...firstLost, ...firstAdded].map(({ page }) => page));
  let kept: PageDifference[] = [];
  let pixelShare = 0;
  for (let first = 1; first <= compared; first += pagesAtOnce) {
    const last = Math.min(compared, first + pagesAtOnce - 1);
    const found = await comparePageRange(pair, first, last, movedPtByPage);
    for (const one of found) {
      pixelShare = Math.max(pixelShare, one.pixelShare);
      const differs = one.pixelShare > thresholds.pixels || one.movedPt > thresholds.movedPt || withWords.has(one.page);
      if (differs) kept.push(one);
      else await removePictures(pair.pictureFolder, one);
    }
    const most = kept.toSorted((a, b) => b.pixelShare - a.pixelShare || a.page - b.page).slice(0, maxPicturedPages);
    for (const one of kept) if (!most.includes(one)) await removePictures(pair.pictureFolder, one);
    kept = most;
  }
  return { compared, pixelShare, kept: kept.toSorted((a, b) => a.page - b.page) };
}

async function comparePageRange(
  { oldPdf, newPdf, pictureFolder, rules, dpi }: PdfPair,
  first: number,
  last: number,
  movedPtByPage: ReadonlyMap<number, number>,
): Promise<readonly PageDifference[]> {
  const oldNames = await drawPages(oldPdf, 'old', { pictureFolder, dpi, first, last });
  const newNames = await drawPages(newPdf, 'new', { pictureFolder, dpi, first, last });
  const pages: PageDifference[] = [];
  for (let page = first; page <= last; page++) {
    const [oldName, newName] = [oldNames.get(page), newNames.get(page)];
    const movedPt = movedPtByPage.get(page) ?? 0;
    if (oldName === undefined || newName === undefined) {
      const pictures = {
        ...(oldName !== undefined && { old: oldName }),
        ...(newName !== undefined && { new: newName }),
      };
      pages.push({ page, pixelShare: 1, movedPt, pictures });
      continue;
    }
    const [oldPng, newPng] = [
      await readFile(join(pictureFolder, oldName)),
      await readFile(join(pictureFolder, newName)),
    ];
    const { share, difference } = comparePictures(oldPng, newPng, { page, dpi, masks: rules.masks });
    const differenceName = `difference-${page}.png`;
    if (difference !== undefined) await writeFile(join(pictureFolder, differenceName), difference);
    const pictures = { old: oldName, new: newName, ...(difference !== undefined && { difference: differenceName }) };
    pages.push({ page, pixelShare: share, movedPt, pictures });
  }
  return pages;
}

async function removePictures(folder: string, { pictures }: PageDifference): Promise<void> {
  for (const name of Object.values(pictures)) await rm(join(folder, name), { force: true });
}

/** Draws pages as PNG. Returns the file names by page, without pages that the PDF lacks. */
async function drawPages(
  pdf: string,
  side: 'old' | 'new',
  { pictureFolder, dpi, first, last }: { pictureFolder: string; dpi: number; first: number; last: number },
): Promise<ReadonlyMap<number, string>> {
  const drawing = `${side}-drawing`;
  // A range beyond the last page is an error, and nothing is drawn.
  await runPoppler('pdftoppm', [
    '-png',
    '-r',
    `${dpi}`,
    '-f',
    `${first}`,
    '-l',
    `${last}`,
    pdf,
    join(pictureFolder, drawing),
  ]).catch((error: unknown) => {
    if (first === 1) throw error;
  });
  const names = new Map<number, string>();
  for (const file of await readdir(pictureFolder)) {
    const page = new RegExp(`^${drawing}-0*(\\d+)\\.png$`).exec(file)?.[1];
    if (page === undefined) continue;
    const name = `${side}-${page}.png`;
    await rename(join(pictureFolder, file), join(pictureFolder, name));
    names.set(Number(page), name);
  }
  return names;
}
