import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { openPdf, startPdfium } from '../../../src/worker/pdf/compare/pdfium.ts';
import { readCharacters } from '../../../src/worker/pdf/compare/read-characters.ts';
import { buildDocx } from '../../../test/support/documents/docx-builder.ts';
import {
  type PlannedDocument,
  type PlannedParagraph,
  type PlannedTable,
  pageMargin,
  plannedDocument,
  storyColor,
  storyKinds,
  textBottom,
  textWidth,
} from '../../../test/support/documents/planned-documents.ts';
import { volume } from '../../../test/support/extended.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { readDocument } from '../src/document/read-document.ts';
import { dotsPerTwip } from '../src/fonts/sized-font.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import type { LineItem } from '../src/layout/items.ts';
import type { Line, TextFragment } from '../src/layout/line.ts';
import type { Page } from '../src/layout/page.ts';
import { layOutDocument } from '../src/layout/place-blocks.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const fontOf = openTextFonts(testFonts);
/** Sums of lengths in dots are not exact. */
const rounding = 0.01;

/** A line of text on its page. Lengths are twips from the upper left corner of the page. */
interface PlacedLine {
  readonly page: number;
  readonly color: string;
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The left margin of its column. */
  readonly column: number;
  readonly line: Line;
}

function fragmentsOf({ fragments }: Line): TextFragment[] {
  return fragments.filter((fragment) => fragment.kind === 'text');
}

/** The text of a line with a space for each gap. */
function textOf(line: Line): string {
  let [text, end] = ['', Number.POSITIVE_INFINITY];
  for (const { x, width, words, gaps } of fragmentsOf(line)) {
    if (x - end > dotsPerTwip) text += ' ';
    for (const [index, word] of words.entries()) text += word.text + ((gaps[index] ?? 0) > 0 ? ' ' : '');
    end = x + width;
  }
  return text;
}

function placedLine({ left: column, top, line }: LineItem, page: number): PlacedLine[] {
  const fragments = fragmentsOf(line);
  const [first, last] = [fragments[0], fragments.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    {
      page,
      color: first.format.color ?? '',
      text: textOf(line),
      left: column + first.x / dotsPerTwip,
      right: column + (last.x + last.width) / dotsPerTwip,
      top,
      bottom: top + line.height,
      column,
      line,
    },
  ];
}

interface Laid {
  readonly document: PlannedDocument;
  readonly pages: readonly Page[];
  readonly lines: readonly PlacedLine[];
  readonly paragraphs: readonly PlannedParagraph[];
  readonly tables: readonly PlannedTable[];
  linesOf(paragraph: PlannedParagraph): readonly PlacedLine[];
}

/** Undefined for a document that is left to LibreOffice. */
function layOut(document: PlannedDocument): Laid | undefined {
  let pages: readonly Page[];
  try {
    pages = layOutDocument(readDocument(openPackage(buildDocx(document.input))), fontOf);
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownFeature);
    return undefined;
  }
  const lines = pages.flatMap(({ items }, page) =>
    items.flatMap((item) => (item.kind === 'line' ? placedLine(item, page) : [])),
  );
  const byColor = new Map<string, PlacedLine[]>();
  for (const line of lines) byColor.set(line.color, [...(byColor.get(line.color) ?? []), line]);
  return {
    document,
    pages,
    lines,
    paragraphs: document.blocks.flatMap((block) => ('rows' in block ? [] : [block])),
    tables: document.blocks.flatMap((block) => ('rows' in block ? [block] : [])),
    linesOf: ({ color }) => byColor.get(color) ?? [],
  };
}

const seed = fc.readConfigureGlobal().seed ?? Date.now();
const documents = fc.sample(plannedDocument, { seed, numRuns: volume(100, 400) });
beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(`the documents of fast-check's seed ${seed}`)));
const all = documents.flatMap((document) => layOut(document) ?? []);
const holds = (check: (laid: Laid) => void): void => all.forEach(check);

const headingCells = ({ rows, headings }: PlannedTable) => rows.slice(0, headings).flat();
const bodyCells = ({ rows, headings }: PlannedTable) => rows.slice(headings).flat();

/** Throws unless lines show a text from its beginning to its end. */
function expectText(lines: readonly PlacedLine[], text: string): void {
  let at = 0;
  for (const line of lines) {
    expect(text.slice(at, at + line.text.length)).toBe(line.text);
    at += line.text.length;
    if (text[at] === ' ') at++;
  }
  expect(text.slice(at)).toBe('');
}

describe('any document', () => {
  test('has every word once, in its place', () => {
    holds(({ paragraphs, tables, lines, linesOf }) => {
      const cells = tables.flatMap(bodyCells);
      for (const one of [...paragraphs, ...cells.flatMap((cell) => cell.paragraphs)])
        expectText(linesOf(one), one.text);
      const order = new Map(paragraphs.map(({ color }, index) => [color, index]));
      const shown = lines.flatMap(({ color }) => order.get(color) ?? []);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    });
  });

  test('has lines that overlap no other line and stay between the margins', () => {
    holds(({ pages, lines }) => {
      for (const page of pages.keys()) {
        const here = lines.filter((line) => line.page === page);
        for (const [index, one] of here.entries()) {
          if (one.color !== storyColor) {
            expect(one.top).toBeGreaterThanOrEqual(pageMargin);
            expect(one.bottom).toBeLessThanOrEqual(textBottom);
          }
          const covered = here.slice(index + 1).find((other) => isCovered(one, other));
          expect(covered && [one.text, covered.text]).toBeUndefined();
        }
      }
    });
  });

  test('has letters that add up to words, words to runs, and runs to lines inside their column', () => {
    holds(({ paragraphs, lines, linesOf }) => {
      for (const { line } of lines) {
        let end = Number.NEGATIVE_INFINITY;
        for (const fragment of fragmentsOf(line)) {
          // LibreOffice cuts each run on a line but the last to whole twips.
          expect(fragment.x).toBeGreaterThan(end - dotsPerTwip);
          expect(fragment.width).toBeCloseTo(widthOf(fragment), 2);
          end = fragment.x + fragment.width;
        }
      }
      for (const one of paragraphs) for (const [index, line] of linesOf(one).entries()) expectAligned(one, line, index);
    });
  });

  test('has cells that fill the width of their table and contain their text', () => {
    holds(({ pages, tables, linesOf }) => {
      const boxes = pages.flatMap(({ items }, page) =>
        items.flatMap((item) => (item.kind === 'shading' ? [{ ...item, page }] : [])),
      );
      for (const { rows } of tables) {
        for (const row of rows) {
          const ofRow = row.map(({ shading }) => boxes.filter(({ color }) => color === shading));
          for (const [nth, first] of (ofRow[0] ?? []).entries()) {
            let left = first.left;
            for (const [column, cell] of row.entries()) {
              const box = ofRow[column]?.[nth];
              expect(box).toMatchObject({ page: first.page, top: first.top, height: first.height, left });
              // Edges of columns are at ten-thousandths of the table's width.
              expect(Math.abs((box?.width ?? 0) - cell.width)).toBeLessThanOrEqual(2);
              left += box?.width ?? 0;
            }
            expect(left - first.left).toBe(row.reduce((sum, { width }) => sum + width, 0));
          }
          for (const [column, { paragraphs }] of row.entries())
            for (const line of paragraphs.flatMap(linesOf))
              expect(ofRow[column]?.some((box) => box.page === line.page && isInside(line, box))).toBe(true);
        }
      }
    });
  });

  test('repeats the headings of a table on each of its pages', () => {
    holds(({ tables, linesOf }) => {
      for (const table of tables) {
        const pages = new Set(
          bodyCells(table).flatMap((cell) => cell.paragraphs.flatMap(linesOf).map(({ page }) => page)),
        );
        for (const { paragraphs } of headingCells(table)) {
          for (const paragraph of paragraphs) {
            for (const page of pages)
              expectText(
                linesOf(paragraph).filter((line) => line.page === page),
                paragraph.text,
              );
            expect(new Set(linesOf(paragraph).map(({ page }) => page))).toEqual(pages);
          }
        }
      }
    });
  });

  test('has numbers, headers, footers and text on its pages', () => {
    holds(({ document: { stories, hasEvenPages }, pages, lines }) => {
      expect(pages.map(({ number }) => number)).toEqual(pages.map((_page, index) => index + 1));
      for (const [index] of pages.entries()) {
        const here = lines.filter(({ page }) => page === index);
        expect(here.some(({ color }) => color !== storyColor)).toBe(true);
        const kind = stories > 1 && index === 0 ? 'first' : hasEvenPages && index % 2 === 1 ? 'even' : 'default';
        const isKnown = storyKinds.indexOf(kind) < stories;
        const shown = new Set(here.filter(({ color }) => color === storyColor).map(({ text }) => text));
        const footer = `${kind} footer, page ${index + 1} of ${pages.length}`;
        expect([...shown]).toEqual(isKnown ? [`${kind} header`, footer] : []);
      }
    });
  });

  test('ends its pages where paragraphs ask for it, or where the next line does not fit', () => {
    holds(({ document: { blocks }, paragraphs, lines, linesOf }) => {
      const body = lines.filter(({ color }) => color !== storyColor);
      for (const one of paragraphs) {
        const own = linesOf(one);
        const [first, last] = [own[0], own.at(-1)];
        if (first === undefined || last === undefined) continue;
        if (one.breaksPage) expect(body.find(({ page }) => page === first.page)).toBe(first);
        if (one.keepsLines) expect(last.page).toBe(first.page);
        if (one.hasWidowControl && first.page !== last.page)
          for (const page of [first.page, last.page])
            expect(own.filter((line) => line.page === page).length).toBeGreaterThanOrEqual(2);
        const next = blocks[blocks.indexOf(one) + 1];
        if (one.keepsWithNext && next !== undefined && 'color' in next && !next.breaksPage)
          expect(linesOf(next)[0]?.page).toBe(last.page);
      }
      const of = new Map(paragraphs.map((one) => [one.color, one]));
      for (const [index, above] of body.entries()) {
        const below = body[index + 1];
        const [upper, lower] = [of.get(above.color), of.get(below?.color ?? '')];
        if (below === undefined || below.page === above.page || upper === undefined || lower === undefined) continue;
        const mayEnd = lower.breaksPage || lower.keepsLines || lower.hasWidowControl || lower.keepsWithNext;
        if (mayEnd || upper.keepsWithNext) continue;
        const between = above.line.spacingBelow + Math.max(upper.after, lower.before);
        const space = upper === lower ? below.line.spacing : between;
        expect(above.bottom + space + below.line.height).toBeGreaterThan(textBottom);
      }
    });
  });

  test('has lines as far apart as their paragraphs ask for', () => {
    holds(({ document: { blocks }, lines, linesOf }) => {
      for (const [index, upper] of blocks.entries()) {
        const lower = blocks[index + 1];
        if ('rows' in upper) continue;
        const own = linesOf(upper);
        const next = lower === undefined || 'rows' in lower ? [] : linesOf(lower).slice(0, 1);
        const space = lower === undefined || 'rows' in lower ? 0 : Math.max(upper.after, lower.before);
        for (const [at, below] of [...own, ...next].entries()) {
          const above = own[at - 1];
          if (above === undefined || above.page !== below.page) continue;
          const expected = at === own.length ? above.line.spacingBelow + space : below.line.spacing;
          expect(below.top - above.bottom, below.text).toBe(expected);
        }
      }
      expect(lines.every(({ line }) => line.spacing >= 0)).toBe(true);
    });
  });
});

function isCovered(one: PlacedLine, other: PlacedLine): boolean {
  const isBeside = one.right <= other.left + rounding || other.right <= one.left + rounding;
  return !isBeside && one.top < other.bottom && other.top < one.bottom;
}

function isInside(line: PlacedLine, box: { left: number; top: number; width: number; height: number }): boolean {
  return (
    line.left >= box.left &&
    line.right <= box.left + box.width &&
    line.top >= box.top &&
    line.bottom <= box.top + box.height
  );
}

function widthOf({ words, gaps, font }: TextFragment): number {
  const ofGlyphs = words.flatMap(({ glyphs }) => glyphs.map(({ advance }) => advance)).reduce((a, b) => a + b, 0);
  const dots = (ofGlyphs * font.halfPoints * 10 * dotsPerTwip) / font.face.unitsPerEm;
  return gaps.reduce((sum, gap) => sum + gap, dots);
}

/** A line begins and ends where its paragraph asks for it. */
function expectAligned(paragraph: PlannedParagraph, { left, right, column, text }: PlacedLine, index: number): void {
  const { alignment, hasTab } = paragraph;
  const begin = pageMargin + paragraph.left + (index === 0 ? paragraph.firstLine : 0);
  const end = pageMargin + textWidth - paragraph.right;
  expect(column).toBe(pageMargin);
  expect(left).toBeGreaterThanOrEqual(begin - rounding);
  // LibreOffice aligns lines to a twip behind their end, and cuts their width to whole twips.
  const most = end + 2;
  expect(right).toBeLessThanOrEqual(most);
  if (alignment === 'left' || hasTab) expect(left, text).toBeCloseTo(begin, 2);
  if (alignment === 'right') expect(most - right, text).toBeLessThanOrEqual(1 + rounding);
  if (alignment === 'center') expect(Math.abs(left - begin - (end - right)), text).toBeLessThanOrEqual(2);
}

test('most documents are laid out directly', () => {
  expect(all.length).toBeGreaterThan(documents.length / 3);
});

test('the PDF has the words of its pages in their order, and the same bytes whatever was converted before', async () => {
  const pdfium = await startPdfium();
  const [one, other] = [await openDirectConverter(testFonts), await openDirectConverter(testFonts)];
  const made = all.slice(0, volume(4, 40)).map(({ document, pages }) => {
    const docx = buildDocx(document.input);
    const pdf = Buffer.from(one.convert(openPackage(docx)).pdf);
    const opened = openPdf(pdfium, pdf);
    const printed = pages.map((_page, index) =>
      opened
        .usePage(index, (page) => readCharacters(pdfium, opened.document, page))
        .map(({ codePoint }) => String.fromCodePoint(codePoint))
        .join(''),
    );
    const laid = pages.map(({ items }) =>
      items.flatMap((item) => (item.kind === 'line' ? [textOf(item.line).replaceAll(' ', '')] : [])).join(''),
    );
    expect(printed).toEqual(laid);
    return { docx, pdf };
  });
  for (const { docx, pdf } of made.reverse()) expect(pdf.equals(other.convert(openPackage(docx)).pdf)).toBe(true);
});
