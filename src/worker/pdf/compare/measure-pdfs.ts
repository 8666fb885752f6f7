import { compareWords } from './compare-words.ts';
import { measureDrawings } from './measure-drawings.ts';
import type { MeasureOptions, Measures } from './measures.ts';
import { type OpenedPdf, type Pdfium, useBoth } from './pdfium.ts';
import { readCharacters } from './read-characters.ts';
import { readLinks } from './read-links.ts';
import { toWords, type Word } from './read-words.ts';

export interface Measured {
  readonly measures: Measures;
  /** The pictures (PNG) of the listed pages, by file name. */
  readonly pictures: Readonly<Record<string, Uint8Array>>;
}

/**
 * Measures how far the pages of two PDFs differ: their number and size, words, fonts, links, and everything drawn.
 * Throws if a file cannot be read.
 */
export function measurePdfs(pdfium: Pdfium, before: Uint8Array, after: Uint8Array, options: MeasureOptions): Measured {
  return useBoth(pdfium, before, after, (first, second) => measureOpened(pdfium, first, second, options));
}

function measureOpened(pdfium: Pdfium, before: OpenedPdf, after: OpenedPdf, options: MeasureOptions): Measured {
  const [old, current] = [readContent(pdfium, before), readContent(pdfium, after)];
  const { movedPtByPage, ...words } = compareWords(old.words, current.words, options);
  const { firstLost, firstAdded, firstRestyled } = words;
  const changed = new Set([...firstLost, ...firstAdded, ...firstRestyled].map(({ page }) => page));
  const { pictures, ...drawings } = measureDrawings({
    ...options,
    pdfium,
    before,
    after,
    movedPtByPage,
    changed,
  });
  const measures = {
    ...drawings,
    oldPages: before.pages,
    newPages: after.pages,
    words,
    fontsLost: without(old.fonts, current.fonts),
    fontsAdded: without(current.fonts, old.fonts),
    linksLost: without(old.links, current.links),
    linksAdded: without(current.links, old.links),
    movedPt: Math.max(0, ...movedPtByPage.values()),
    pageSizePt: sizeDifference(old.sizes, current.sizes),
  };
  return { measures, pictures };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Content {
  readonly sizes: Size[];
  readonly words: Word[];
  readonly fonts: ReadonlySet<string>;
  /** The targets of links. */
  readonly links: ReadonlySet<string>;
}

function readContent(pdfium: Pdfium, { document, pages, usePage }: OpenedPdf): Content {
  const [fonts, links] = [new Set<string>(), new Set<string>()];
  const [sizes, words]: [Size[], Word[]] = [[], []];
  for (let index = 0; index < pages; index++) {
    usePage(index, (page) => {
      const characters = readCharacters(pdfium, document, page);
      for (const { font } of characters) fonts.add(font);
      for (const { target } of readLinks(pdfium, document, page)) links.add(target);
      for (const word of toWords(characters, index + 1)) words.push(word);
      sizes.push({ width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) });
    });
  }
  return { sizes, words, fonts, links };
}

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...some].filter((one) => !others.has(one)).sort();

function sizeDifference(before: readonly Size[], after: readonly Size[]): number {
  const sizes = before.map((size, index) => [size, after[index] ?? size] as const);
  const most = sizes.reduce(
    (byPt, [one, other]) => Math.max(byPt, Math.abs(one.width - other.width), Math.abs(one.height - other.height)),
    0,
  );
  return Math.round(most * 100) / 100;
}
