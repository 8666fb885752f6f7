import { runPoppler } from './run-poppler.ts';

/** A word and its box on a page. Lengths are points (1/72 inch) from the upper left corner. */
export interface Word {
  readonly text: string;
  /** Counted from 1. */
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface PdfText {
  readonly pages: readonly PageSize[];
  readonly words: readonly Word[];
}

/** The pages and words of a PDF, in reading order. Throws `PopplerError`. */
export async function readWords(pdfPath: string): Promise<PdfText> {
  return parseWords(await runPoppler('pdftotext', ['-bbox', '-enc', 'UTF-8', pdfPath, '-']));
}

const line =
  /<page width="([\d.]+)" height="([\d.]+)">|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g;

/** Leaders, such as dots up to a tab stop, whose number depends on the remaining space. Three dots are an ellipsis. */
const leader = /([.·_-])\1{3,}/g;

/** Reads the output of `pdftotext -bbox`, without leaders. */
export function parseWords(output: string): PdfText {
  const pages: PageSize[] = [];
  const words: Word[] = [];
  for (const [, width, height, left, top, right, bottom, text] of output.matchAll(line)) {
    if (text === undefined) pages.push({ width: Number(width), height: Number(height) });
    else {
      const box = { left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) };
      const shown = withoutEntities(text).replace(leader, '');
      if (shown !== '') words.push({ text: shown, page: pages.length, ...box });
    }
  }
  return { pages, words };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (entities[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
