import type { Problem } from './problem.ts';

/** A run of text and its box on the page, as the PDF viewer reads them. */
interface TextRun extends Box {
  readonly text: string;
  readonly fontFamily: string;
}

/** The width of a text in a font, in any unit. */
export type MeasureText = (text: string, fontFamily: string) => number;

/** The position of a problem on the pages: boxes in points from the top left corner. The first box marks where the problem begins. */
export interface PlacedProblem {
  /** Counted from 0. */
  readonly page: number;
  readonly boxes: readonly Box[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The text of one page without white space, and the run of each character. */
interface PageText {
  readonly text: string;
  readonly owners: readonly { readonly run: TextRun; readonly at: number }[];
}

/**
 * Finds each problem in the text of the pages, where tags are printed as written. Repeated text is assigned in order:
 * its first occurrence to the first problem, its second to the next. White space is ignored, because lines break
 * anywhere.
 */
export function locateProblems(
  problems: readonly Problem[],
  pages: readonly (readonly TextRun[])[],
  measure: MeasureText,
): readonly (PlacedProblem | undefined)[] {
  const texts = pages.map(readPage);
  const used = new Map<string, { page: number; from: number }>();
  return problems.map((problem) => {
    for (const { text, start, length } of wantedTexts(problem)) {
      const key = `${text} ${start}`;
      const last = used.get(key) ?? { page: 0, from: 0 };
      const found =
        findFrom(texts, text, last) ?? (used.has(key) ? findFrom(texts, text, { page: 0, from: 0 }) : undefined);
      if (found === undefined) continue;
      used.set(key, { page: found.page, from: found.at + 1 });
      const page = texts[found.page];
      if (page === undefined) continue;
      return { page: found.page, boxes: boxesOf(page, found.at + start, length, measure) };
    }
    return undefined;
  });
}

/** The texts to search for, the most exact first, and the part of each to mark. */
function wantedTexts({ context, tag, paths }: Problem): { text: string; start: number; length: number }[] {
  const wanted: { text: string; start: number; length: number }[] = [];
  const around = packed((context ?? '').replace(/^…|…$/g, ''));
  const own = packed(tag ?? '');
  const at = own === '' ? -1 : around.indexOf(own);
  if (around !== '') wanted.push({ text: around, start: Math.max(0, at), length: at < 0 ? around.length : own.length });
  if (own !== '') wanted.push({ text: own, start: 0, length: own.length });
  for (const path of (paths ?? []).slice(0, 3)) {
    const name = path.replace(/\[\d*\]/g, '');
    for (const text of [`{${name}`, `{${name.split('.').at(-1)}`]) wanted.push({ text, start: 0, length: text.length });
  }
  return wanted;
}

const packed = (text: string): string => text.replace(/\s+/g, '');

function readPage(runs: readonly TextRun[]): PageText {
  let text = '';
  const owners: PageText['owners'][number][] = [];
  for (const run of runs) {
    let characters = '';
    for (const [at, character] of run.text.split('').entries()) {
      if (/\s/.test(character)) continue;
      owners.push({ run, at });
      characters += character;
    }
    text += characters;
  }
  return { text, owners };
}

function findFrom(
  pages: readonly PageText[],
  text: string,
  { page: first, from }: { readonly page: number; readonly from: number },
): { page: number; at: number } | undefined {
  for (let page = first; page < pages.length; page += 1) {
    const at = pages[page]?.text.indexOf(text, page === first ? from : 0) ?? -1;
    if (at >= 0) return { page, at };
  }
  return undefined;
}

/** One box for each run that contains some of the characters. */
function boxesOf({ owners }: PageText, start: number, length: number, measure: MeasureText): Box[] {
  const spans = new Map<TextRun, { from: number; to: number }>();
  for (const { run, at } of owners.slice(start, start + Math.max(1, length)))
    spans.set(run, { from: spans.get(run)?.from ?? at, to: at + 1 });
  return [...spans].map(([{ text, fontFamily, x, y, width, height }, { from, to }]) => {
    const share = (end: number) => measure(text.slice(0, end), fontFamily) / measure(text, fontFamily);
    return { x: x + width * share(from), y, width: width * (share(to) - share(from)), height };
  });
}
