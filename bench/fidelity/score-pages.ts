import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBytes = 64 * 1024 * 1024;
/**
 * At this resolution a pixel is about a third of a line, so that small shifts cost little, but a different line costs
 * much.
 */
const dpi = 18;
const firstWords = 5;
const white = 255;

/** The content of the pages of a PDF. */
export interface Pages {
  readonly words: readonly string[];
  /** In reading order. The label of a list item may be a separate line. */
  readonly lines: readonly string[];
  /** Text at the same height is one line, even in different cells of a row or in neighbouring columns. */
  readonly rows: readonly string[];
  /** The first words of each page. */
  readonly starts: readonly string[];
  readonly pictures: readonly Picture[];
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** The darkness of each pixel: 0 to 255. */
  readonly ink: Uint8Array;
}

/** Scores from 0 to 1. 1 means equal to Word's pages. */
export interface Score {
  /** The similarity of the words, in order. */
  readonly text: number;
  /** The similarity of the lines, in order. */
  readonly lines: number;
  /** The pages that begin with the same words, as a share of the pages of the longer document. */
  readonly pages: number;
  /** The ink at positions where both pages have it, as a share of the ink of either page. */
  readonly pictures: number;
}

/** Reads a PDF with Poppler; `folder` is for temporary files. */
export async function readPages(pdf: Uint8Array, folder: string): Promise<Pages> {
  const own = await mkdtemp(join(folder, 'pages-'));
  try {
    const path = join(own, 'document.pdf');
    await writeFile(path, pdf);
    const read = async (...how: readonly string[]) => {
      const { stdout } = await run('pdftotext', [...how, '-enc', 'UTF-8', path, '-'], { maxBuffer: maxBytes });
      return stdout.normalize('NFKC').split('\f');
    };
    const [texts, layout] = await Promise.all([read(), read('-layout')]);
    await run('pdftoppm', ['-r', String(dpi), '-gray', path, join(own, 'page')]);
    const names = (await readdir(own)).filter((name) => name.endsWith('.pgm')).sort();
    const pictures = await Promise.all(names.map(async (name) => readPicture(await readFile(join(own, name)))));
    return {
      words: texts.flatMap(wordsOf),
      lines: linesOf(texts),
      rows: linesOf(layout),
      starts: texts.slice(0, pictures.length).map((text) => wordsOf(text).slice(0, firstWords).join(' ')),
      pictures,
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const linesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split('\n').map((line) => wordsOf(line).join(' '))).filter(Boolean);

/**
 * Removes bullets, because those of Word's symbol fonts are private-use characters that engines map to different
 * characters.
 */
const wordsOf = (text: string): string[] =>
  text
    .replace(/[\p{Co}•▪◦●○■–§·]/gu, ' ')
    .split(/\s+/u)
    .filter(Boolean);

/** A portable greymap (PGM, binary). */
function readPicture(file: Buffer): Picture {
  const head = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(file.subarray(0, 64).toString('latin1'));
  if (head === null) throw new Error('pdftoppm wrote another format');
  const ink = Uint8Array.from(file.subarray(head[0].length), (value) => white - value);
  return { width: Number(head[1]), height: Number(head[2]), ink };
}

export function scorePages(word: Pages, other: Pages): Score {
  const pages = Math.max(word.pictures.length, other.pictures.length);
  const share = (count: (page: number) => number): number =>
    Array.from({ length: pages }, (_, page) => count(page)).reduce((sum, one) => sum + one, 0) / pages;
  return {
    text: similarity(word.words, other.words),
    lines: Math.max(similarity(word.lines, other.lines), similarity(word.rows, other.rows)),
    pages: share((page) => (word.starts[page] === other.starts[page] ? 1 : 0)),
    pictures: share((page) => inkInCommon(word.pictures[page], other.pictures[page])),
  };
}

function inkInCommon(one: Picture | undefined, other: Picture | undefined): number {
  if (one === undefined || other === undefined) return 0;
  let both = 0;
  let either = 0;
  for (let y = 0; y < Math.max(one.height, other.height); y++)
    for (let x = 0; x < Math.max(one.width, other.width); x++) {
      const [a, b] = [inkAt(one, x, y), inkAt(other, x, y)];
      both += Math.min(a, b);
      either += Math.max(a, b);
    }
  return either === 0 ? 1 : both / either;
}

const inkAt = ({ width, height, ink }: Picture, x: number, y: number): number =>
  x < width && y < height ? (ink[y * width + x] ?? 0) : 0;

/** Twice the length of the longest common subsequence, as a share of the total length of both lists (Myers, 1986). */
function similarity(one: readonly string[], other: readonly string[]): number {
  const length = one.length + other.length;
  return length === 0 ? 1 : (length - distance(one, other)) / length;
}

/** The minimum number of deletions and insertions. */
function distance(one: readonly string[], other: readonly string[]): number {
  const length = one.length + other.length;
  /** The furthest position in `one` on each diagonal. */
  const reached = new Int32Array(2 * length + 3);
  for (let edits = 0; edits <= length; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + length + 1;
      const [before = 0, after = 0] = [reached[at - 1], reached[at + 1]];
      let x = diagonal === -edits || (diagonal !== edits && before < after) ? after : before + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x++;
      reached[at] = x;
      if (x >= one.length && x - diagonal >= other.length) return edits;
    }
  }
  return length;
}
